import { expect, test } from 'vitest';
import { gainTo } from './loudness.ts';

test.each([
  [{ lufs: -18.9, truePeakDb: -3 }, -4.1],
  [{ lufs: -30, truePeakDb: -12 }, 7],
  // A peak that would be cut off limits it.
  [{ lufs: -30, truePeakDb: -4 }, 3],
  [{ lufs: -30, truePeakDb: 0.5 }, 0],
  [{ lufs: -20, truePeakDb: 0.5 }, -3],
  [{ lufs: -70, truePeakDb: -60 }, 20],
  [{ lufs: null, truePeakDb: null }, 0],
  [undefined, 0],
])('%j is raised by %s dB', (sound, gain) => {
  expect(gainTo(sound, -23)).toBe(gain);
});
