import { describe, expect, it } from 'vitest';
import { CAPPED, CONSTRUCTED } from './cappedPatterns.ts';
import { knownVerdicts, patternsIn, patternsOfSource, verdictOf } from './patterns.ts';

/** One pattern that goes back over what it has read, at each character again, is enough for an answer of ten kilobytes to stop the studio. */

const { literals, constructions } = patternsOfSource();
const known = knownVerdicts();
const NOT_LINEAR = 'It is not linear. Make it so, or cap its input where it is called and list it in cappedPatterns.ts';

/** What was judged before is in a file (`npm run patterns` brings it up to date); what is new is judged here. */
const verdicts: Record<string, string> = {};
for (const pattern of literals) verdicts[pattern.literal] ??= known[pattern.literal] ?? (await verdictOf(pattern));

describe('every regular expression of src', () => {
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

  it.each(CAPPED)('$literal is listed with a cap that holds its work down', ({ literal, file, cap }) => {
    const places = literals.filter((found) => found.literal === literal && found.place.startsWith(`${file}:`));
    expect(places, 'it is not there any more').not.toEqual([]);
    expect(verdicts[literal], 'it need not be listed').not.toBe('safe');
    expect(verdicts[literal], 'no cap holds it').not.toMatch(/exponential/);
    // What the checker leaves open counts as quadratic, which is what its own search has met at worst.
    const degree = Number(/^(\d+)/.exec(verdicts[literal] ?? '')?.[1] ?? 2);
    expect(cap ** degree).toBeLessThanOrEqual(100_000_000);
  });

  it('is a literal, or made in a place that is known to be linear', () => {
    const found = Object.groupBy(constructions, ({ place }) => place.split(':')[0] ?? '');
    const counts = Object.entries(found).map(([file, list = []]) => [file, list.length]);
    const known = Object.entries(CONSTRUCTED).map(([file, { count }]) => [file, count]);
    expect(counts.sort()).toEqual(known.sort());
  });
});

describe('the gate itself', () => {
  it('finds patterns wherever they stand', () => {
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
