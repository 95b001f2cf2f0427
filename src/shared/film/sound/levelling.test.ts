import { expect, test } from 'vitest';
import { gainTo, levellingOf, masterGain } from './levelling.ts';

test.each([
  [{ lufs: -18.9, truePeakDb: -3 }, -4.1],
  [{ lufs: -30, truePeakDb: -12 }, 7],
  // The gain stops where a peak would clip.
  [{ lufs: -30, truePeakDb: -4 }, 3],
  [{ lufs: -30, truePeakDb: 0.5 }, 0],
  [{ lufs: -20, truePeakDb: 0.5 }, -3],
  [{ lufs: -70, truePeakDb: -60 }, 20],
  [{ lufs: null, truePeakDb: null }, 0],
  [undefined, 0],
])('%j is raised by %s dB', (sound, gain) => {
  expect(gainTo(sound, -23)).toBe(gain);
});

test('a shot keeps its loudness without a target, and what is known of its ends either way', () => {
  const sound = { lufs: -20, truePeakDb: -8, momentary: [-30, null, -10] };
  expect(levellingOf(sound, undefined)).toEqual({ gainDb: 0, first: -30, last: -10 });
  expect(levellingOf(sound, -16)).toEqual({ gainDb: 4, first: -30, last: -10 });
  expect(levellingOf(undefined, -16)).toEqual({ gainDb: 0, first: null, last: null });
});

test.each([
  [{ target: -23, headroom: 0.5 }, -20, -3],
  [{ target: -23, headroom: 0.5 }, -60, 20],
  [{ headroom: 0.5 }, -20, -6.02],
  [{ target: -23, headroom: 0.5 }, null, -6.02],
])('the whole of %j with %s LUFS is changed by %d dB', (mix, lufs, db) => {
  expect(20 * Math.log10(masterGain(mix, lufs))).toBeCloseTo(db, 2);
});
