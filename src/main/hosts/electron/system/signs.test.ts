import { expect, test } from 'vitest';
import { discBitmap, type Work, WorkMeter } from './signs.ts';

const work = (running: number, waiting: number, doubts = 0): Work => ({
  running,
  waiting,
  paused: false,
  doubt: { count: doubts },
  doubtElsewhere: { count: 0 },
});

test('the bar fills as the work becomes less, and starts anew after a rest', () => {
  const meter = new WorkMeter();
  const progress = (running: number, waiting: number) => meter.signsOf(work(running, waiting)).progress;
  expect([progress(2, 6), progress(2, 2), progress(1, 0)]).toEqual([0, 0.5, 7 / 8]);
  expect(progress(0, 0)).toBe(-1);
  expect([progress(1, 1), progress(1, 0)]).toEqual([0, 0.5]);
});

test('what only waits has no bar and no number', () => {
  expect(new WorkMeter().signsOf(work(0, 9))).toMatchObject({ progress: -1, count: 0, kind: 'none' });
});

test('the number is of what waits for the user, else of what runs', () => {
  const meter = new WorkMeter();
  expect(meter.signsOf(work(3, 0))).toMatchObject({ count: 3, label: '3 running', kind: 'running' });
  const elsewhere = { ...work(3, 0, 1), doubtElsewhere: { count: 1 }, paused: true };
  expect(meter.signsOf(elsewhere)).toMatchObject({ count: 2, label: '2 unconfirmed', kind: 'doubt', mode: 'paused' });
});

test('the disc is full in its middle and clear in its corners', () => {
  const disc = discBitmap(16, [255, 128, 0]);
  expect([...disc.subarray(0, 4)]).toEqual([0, 0, 0, 0]);
  const middle = (8 * 16 + 8) * 4;
  expect([...disc.subarray(middle, middle + 4)]).toEqual([0, 128, 255, 255]);
});
