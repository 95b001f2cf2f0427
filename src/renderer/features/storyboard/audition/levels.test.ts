import { expect, test } from 'vitest';
import { factorOf, levelWords, matchedLevels } from './levels.ts';

test('takes are matched to the quietest, and none is ever raised', () => {
  const { common, gains } = matchedLevels([-23.1, -22.4, -23, -21.8]);
  expect(common).toBe(-23.1);
  expect(gains.map((gain) => Math.round(gain * 10) / 10 + 0)).toEqual([0, -0.7, -0.1, -1.3]);
  for (const gain of gains) expect(factorOf(gain)).toBeLessThanOrEqual(1);
});

test('silence and what is not measured neither set the level nor are changed', () => {
  expect(matchedLevels([-23, null, undefined, -20])).toEqual({ common: -23, gains: [0, 0, 0, -3] });
  expect(matchedLevels([-23, null])).toEqual({ common: undefined, gains: [0, 0] });
});

test('a take of mere background does not mute the others', () => {
  expect(matchedLevels([-23, -65, -20])).toEqual({ common: -23, gains: [0, 0, -3] });
});

test('what is done to a level is said in numbers', () => {
  expect(levelWords(-22.4, -0.7)).toBe('−22.4 LUFS, −0.7 dB');
  expect(levelWords(-23.1, 0)).toBe('−23.1 LUFS');
  expect(levelWords(null, 0)).toBe('silent');
  expect(levelWords(undefined, 0)).toBe('not measured');
});
