import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CAPPED, CONSTRUCTED } from './cappedPatterns.ts';
import {
  capFaults,
  knownVerdicts,
  patternsIn,
  patternsOfSource,
  sealedVerdict,
  sealOf,
  verdictOf,
} from './patterns.ts';
import { root } from './tools.ts';

/** One pattern that backtracks at each character lets an answer of ten kilobytes block the studio. */

const { literals, constructions } = patternsOfSource();
/** The checker's results: `npm run patterns` updates them. */
const verdicts = knownVerdicts();
const NOT_LINEAR = 'It is not linear. Make it so, or cap its input where it is called and list it in cappedPatterns.ts';

describe('every regular expression of src', () => {
  it('has a result, and no result belongs to a removed one', () => {
    const literalsOfSource = [...new Set(literals.map(({ literal }) => literal))].sort();
    expect(Object.keys(verdicts).sort(), 'npm run patterns').toEqual(literalsOfSource);
  });

  it('is linear, or its input is capped where it is called', () => {
    const capped = new Set(CAPPED.map(({ literal, file }) => `${file} ${literal}`));
    const open = literals.filter(
      ({ literal, place }) => verdicts[literal] !== 'safe' && !capped.has(`${place.split(':')[0]} ${literal}`),
    );
    expect(
      open.map(({ literal, place }) => `${place} ${literal} ${verdicts[literal]}`),
      NOT_LINEAR,
    ).toEqual([]);
  });

  it.each(CAPPED)('$literal is capped where it is matched with, so that its work is held down', (capped) => {
    const { literal, file, cap } = capped;
    expect(capFaults(readFileSync(join(root, file), 'utf8'), capped)).toEqual([]);
    expect(verdicts[literal], 'it need not be listed').not.toBe('safe');
    expect(verdicts[literal], 'no cap holds it').not.toMatch(/exponential/);
    // Unknown results count as quadratic, the worst that the checker's own search has found.
    const degree = Number(/^(\d+)/.exec(verdicts[literal] ?? '')?.[1] ?? 2);
    expect(cap ** degree).toBeLessThanOrEqual(100_000_000);
  });

  it('is a literal, or built at a known linear place', () => {
    const found = Object.groupBy(constructions, ({ place }) => place.split(':')[0] ?? '');
    const counts = Object.entries(found).map(([file, list = []]) => [file, list.length]);
    const known = Object.entries(CONSTRUCTED).map(([file, { count }]) => [file, count]);
    expect(counts.sort()).toEqual(known.sort());
  });
});

describe('the gate itself', () => {
  it('finds patterns at any place', () => {
    const { literals, constructions } = patternsIn(
      'src/x.tsx',
      'const a = <p title={/x\\/+$/g.source}>{"b".replace(/y+/u, "")}</p>;\nfoo(new RegExp(bar), RegExp(baz));',
    );
    expect(literals.map(({ literal }) => literal)).toEqual(['/x\\/+$/g', '/y+/u']);
    expect(constructions.map(({ source, place }) => `${place} ${source}`)).toEqual([
      'src/x.tsx:2 new RegExp(bar)',
      'src/x.tsx:2 RegExp(baz)',
    ]);
  });

  const capped = { literal: '/a*b/', file: 'src/x.ts', limit: 'LONGEST', cap: 100 };
  const CAPPED_SOURCE = `const LONGEST = 100;
const PATTERN = /a*b/;
const one = (text: string) => PATTERN.test(text.slice(0, LONGEST));
function other(text: string) {
  return text.length > LONGEST ? null : /a*b/.exec(text);
}`;

  it('lets a pattern pass whose input is cut wherever it is matched with', () => {
    expect(capFaults(CAPPED_SOURCE, capped)).toEqual([]);
  });

  it.each([
    ['a pattern that is gone', (text: string) => text.replaceAll('/a*b/', '/ab/'), 'it is not there any more'],
    ['a limit that is gone', (text: string) => text.replaceAll('LONGEST', 'MOST'), 'LONGEST is not there any more'],
    ['a limit that has grown', (text: string) => text.replace('100', '9000'), 'LONGEST is 9000'],
    ['a name that is given all', (text: string) => text.replace('.slice(0, LONGEST)', ''), 'src/x.ts:3: its input'],
    ['a literal that is given all', (text: string) => text.replace('text.length > LONGEST', 'true'), 'src/x.ts:5:'],
  ])('refuses %s', (_, planted, says) => {
    expect(capFaults(planted(CAPPED_SOURCE), capped)).toEqual([expect.stringContaining(says)]);
  });

  it('takes no result that was written by hand', () => {
    const seal = sealOf('/(a+)+$/', 'exponential');
    expect(sealedVerdict('/(a+)+$/', `exponential #${seal}`)).toEqual([['/(a+)+$/', 'exponential']]);
    for (const line of ['exponential', 'safe', `safe #${seal}`, `safe #${sealOf('/a/', 'safe')}`])
      expect(sealedVerdict('/(a+)+$/', line)).toBeUndefined();
  });

  it('sees more than a few, so that an empty list is no success', () => {
    expect(literals.length).toBeGreaterThan(300);
  });

  it.each([
    ['(a+)+$', 'exponential'],
    ['\\/+$', '2nd degree polynomial'],
    ['^\\/+', 'safe'],
  ])('judges /%s/ as %s', async (pattern, verdict) => {
    expect(await verdictOf({ pattern, flags: '' })).toBe(verdict);
  });
});
