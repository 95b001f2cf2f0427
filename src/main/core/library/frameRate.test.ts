import { expect, test } from 'vitest';
import type { FrameRate } from '../../../shared/film/filmExport.ts';
import { KNOWN_RATES, rateOf } from './media/clipFacts.ts';

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
