// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { show, until } from '../../../testing/page.tsx';
import { Markdown } from '../Markdown.tsx';

const shown = async (text: string): Promise<Element> => {
  await show(<Markdown text={text} />);
  const body = document.querySelector('.body');
  if (!body) throw new Error('Nothing was drawn.');
  return body;
};

const formulasIn = (body: Element): (string | null)[] =>
  [...body.querySelectorAll('math')].map((math) => math.querySelector('annotation')?.textContent ?? null);

describe('formulas of an answer', () => {
  it('are MathML, in the line, displayed, in a fence, a list and a table', async () => {
    const body = await shown(
      'At \\(x_1\\):\n\n\\[\na\n+ b\n\\]\n\n```math\nc\n```\n\n- $d^2$\n\n| f | g |\n| - | - |\n| $e$ | $4 |\n',
    );
    await until(() => expect(formulasIn(body)).toEqual(['x_1', 'a\n+ b', 'c', 'd^2', 'e']));
    expect(body.querySelectorAll('.maths.displayed')).toHaveLength(2);
    expect(body.querySelector('.katex-html')).toBeNull();
    expect(body.textContent).toContain('$4');
  });

  it.each([
    ['\\href{https://elsewhere.example}{x}', 'a'],
    ['\\includegraphics{https://elsewhere.example/x.png}', 'img, image, mglyph'],
    ['\\htmlId{root}{x}', '#root'],
    ['\\htmlStyle{position:fixed}{x}', '[style*=fixed]'],
    ['\\text{<img src=x onerror=alert(1)>}', 'img'],
  ])('take no markup, address or style: %s', async (tex, selector) => {
    const body = await shown(`$$\n${tex}\n$$\n\nthen \\(y\\)`);
    await until(() => expect(formulasIn(body)).toContain('y'));
    expect(body.querySelector(selector)).toBeNull();
  });

  it.each([
    ['\\frac{1', 'Unexpected end'],
    ['\\def\\a{\\a\\a}\\a', 'Too many expansions'],
    [`${'\\sqrt{'.repeat(150)}x${'}'.repeat(150)}`, 'too deep'],
    ['\\scriptstyle '.repeat(200), 'too deep'],
  ])('stand as they were written where they cannot be drawn: %s', async (tex, why) => {
    const body = await shown(`$$${tex}$$\n\nthen \\(y\\)`);
    await until(() => expect(formulasIn(body)).toEqual(['y']));
    const source = body.querySelector('code.anywhere');
    expect(source?.textContent).toBe(tex);
    expect(source?.getAttribute('title')).toContain(why);
  });

  it('bring no names from one to the next', async () => {
    const body = await shown('$$\\gdef\\hidden{x}y$$\n\n$$\\hidden$$\n');
    await until(() => expect(body.querySelector('code.anywhere')?.textContent).toBe('\\hidden'));
  });
});
