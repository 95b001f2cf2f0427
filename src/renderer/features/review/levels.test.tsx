import fc from 'fast-check';
import { expect, test } from 'vitest';
import { levelWords, type Measured, matchedLevels } from './levels.ts';

const rounded = (gains: readonly number[]) => gains.map((gain) => Math.round(gain * 10) / 10 + 0);

test('takes are raised to the loudest where their peaks allow it', () => {
  const takes = [-23.1, -22.4, -23, -21.8].map((level) => ({ level, peak: -9 }));
  const matched = matchedLevels(takes);
  expect(matched.common).toBe(-21.8);
  expect(rounded(matched.gains)).toEqual([1.3, 0.6, 1.2, 0]);
});

test('one that cannot be raised far enough holds the others back', () => {
  const matched = matchedLevels([
    { level: -18, peak: -6 },
    { level: -26, peak: -3 },
    { level: -22, peak: -9 },
  ]);
  expect(matched.common).toBe(-24);
  expect(rounded(matched.gains)).toEqual([-6, 2, -2]);
});

test('no take is raised above −1 dBTP, and all that are heard are equally loud', () => {
  const level = fc.option(fc.double({ min: -49, max: -5, noNaN: true }), { nil: null });
  const peak = fc.option(fc.double({ min: -40, max: 3, noNaN: true }), { nil: undefined });
  fc.assert(
    fc.property(fc.array(fc.record({ level, peak }), { minLength: 2, maxLength: 4 }), (takes: Measured[]) => {
      const { common, gains } = matchedLevels(takes);
      for (const [index, { level, peak }] of takes.entries()) {
        const gain = gains[index] ?? 0;
        if (gain > 0) expect((peak ?? 0) + gain).toBeLessThanOrEqual(-1 + 1e-9);
        if (common !== undefined && typeof level === 'number') expect(level + gain).toBeCloseTo(common, 9);
      }
    }),
  );
});

test('silence and what is not measured neither set the level nor are changed', () => {
  const levels = (...all: Measured['level'][]) => all.map((level) => ({ level }));
  expect(matchedLevels(levels(-23, null, undefined, -20))).toMatchObject({ common: -23, gains: [0, 0, 0, -3] });
  expect(matchedLevels(levels(-23, null))).toMatchObject({ common: undefined, gains: [0, 0] });
});

test('a take of mere background neither mutes the others nor is blown up', () => {
  const takes = [-23, -65, -20].map((level) => ({ level, peak: level + 12 }));
  const { common, gains } = matchedLevels(takes);
  expect([common, rounded(gains)]).toEqual([-20, [3, 20, 0]]);
});

test('what is done to a level is said in numbers', () => {
  expect(levelWords(-22.4, -0.7)).toBe('−22.4 LUFS, −0.7 dB');
  expect(levelWords(-22.4, 2.25)).toBe('−22.4 LUFS, +2.3 dB');
  expect(levelWords(-23.1, 0)).toBe('−23.1 LUFS');
  expect(levelWords(null, 0)).toBe('Silent');
  expect(levelWords(undefined, 0)).toBe('Not measured');
});
