import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitAtFormulas } from './displayed.ts';

const formulas = (text: string) => splitAtFormulas(text).flatMap(({ tex }) => tex ?? []);

describe('formulas on lines of their own', () => {
  it.each([
    ['$$\na\n$$', ['\na\n']],
    ['So\n\\[\na = b\n+ c\n- d\n\\]\nholds.', ['\na = b\n+ c\n- d\n']],
    ['$$a=b$$\n\n\\[ c \\]', ['a=b', ' c ']],
    ['1. One\n   \\[\n   x\n   \\]\n2. Two', ['\n   x\n   ']],
  ])('are found in %j', (text, tex) => {
    expect(formulas(text)).toEqual(tex);
  });

  it.each([
    '```\n$$\na\n$$\n```',
    '    $$\n    a\n    $$',
    '$$\na\n\nb\n$$ c',
    '$$x$$ is the area.',
    '$$ $$',
    `$$${'\nx'.repeat(6_000)}\n$$`,
  ])('are not seen in %j', (text) => {
    expect(formulas(text)).toEqual([]);
  });

  it('stays one stretch while its end has not come', () => {
    expect(splitAtFormulas('So\n$$\n- a\n')).toEqual([{ raw: 'So\n' }, { raw: '$$\n- a\n', isOpen: true }]);
  });

  it('loses nothing: the stretches joined are the text', () => {
    const pieces = fc.constantFrom('$$', '\\[', '\\]', '\n', 'x', ' ', '```', '- ', '\n\n');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (all) => {
        const text = all.join('');
        expect(
          splitAtFormulas(text)
            .map(({ raw }) => raw)
            .join(''),
        ).toBe(text);
      }),
    );
  });

  it('looks at each line a few times only, however many formulas begin', () => {
    let looks = 0;
    const text = '\\[\n'.repeat(15_000);
    const counted = new Proxy(new String(text), {
      get(target, name) {
        if (name === 'slice') looks += 1;
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(text) : value;
      },
    });
    splitAtFormulas(counted as unknown as string);
    expect(looks).toBeLessThan(5 * 15_000);
  });
});
