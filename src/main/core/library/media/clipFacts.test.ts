import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { withHiddenFrames } from '../../../../../test/helpers/hiddenFrames.ts';
import { tempDir } from '../../../../../test/helpers/testPorts.ts';
import type { FrameRate } from '../../../../shared/film/filmExport.ts';
import { KNOWN_RATES, rateOf, readClipFacts } from './clipFacts.ts';
import { probeFile } from './probe.ts';

async function put(bytes: Buffer): Promise<string> {
  const file = path.join(tempDir('edits'), 'clip.mp4');
  fs.writeFileSync(file, bytes);
  return file;
}

test.each([
  [{ before: 5, after: 4, pause: 12 }, 27],
  [{ before: 5 }, 31],
  [{ before: 5, after: 4 }, 27],
  [{ before: 0 }, 36],
])('of a clip with frames that its edit list hides (%o) the others count', async (hidden, frames) => {
  const file = await put(await withHiddenFrames(hidden));
  const { video, joining, seconds } = await readClipFacts(file);
  expect(video).toMatchObject({ frames, rate: { num: 30, den: 1 }, constantRate: true });
  expect(joining).toMatchObject({ frames, hidden: 36 - frames, fps: 30 });
  expect(seconds).toBeCloseTo(frames / 30, 2);
  expect((await probeFile(file))?.seconds).toBeCloseTo(frames / 30, 2);
});

test('of a clip whose sound begins before its pictures, the first frame is held and the length is of both', async () => {
  const file = await put(await withHiddenFrames({ before: 5, after: 4, pause: 12 }, { sound: 1 }));
  const { video, joining, seconds } = await readClipFacts(file);
  expect(video?.frames).toBe(12 + 27);
  expect(joining).toMatchObject({ frames: 12 + 27, hidden: 9, late: 12, pieces: 1 });
  expect(seconds).toBeCloseTo(39 / 30, 2);
  expect((await probeFile(file))?.seconds).toBeCloseTo(39 / 30, 2);
});

const timesAt = ({ num, den }: FrameRate, frames: number): number[] =>
  Array.from({ length: frames }, (_, index) => (index * den) / num);

test.each(KNOWN_RATES)('frames at $num/$den have that rate, however long the last one stands', (rate) => {
  const times = timesAt(rate, Math.round((5 * rate.num) / rate.den));
  for (const lastDuration of [0, rate.den / rate.num, 0.15, 0.5, 3])
    expect(rateOf(times, lastDuration)).toEqual({ rate, constant: true });
  const rounded = times.map((time) => Math.round(time * 1_000) / 1_000);
  expect(rateOf(rounded, 0.5)?.rate).toEqual(rate);
});

test('a rate that nobody uses, or that changes, is the average of what begins', () => {
  expect(rateOf(timesAt({ num: 22, den: 1 }, 45), 0.5)).toEqual({ rate: { num: 22_000, den: 1_000 }, constant: true });
  expect(rateOf([0, 0.1, 0.4], 0.2)).toEqual({ rate: { num: 5_000, den: 1_000 }, constant: false });
});

test('a single frame has the rate of its length, and none without one', () => {
  expect(rateOf([1], 0.04)).toEqual({ rate: { num: 25, den: 1 }, constant: false });
  for (const [times, length] of [
    [[], 0.04],
    [[1], 0],
    [[1, 1], 0],
  ] as const)
    expect(rateOf(times, length)).toBeNull();
});
