import { expect, test } from 'vitest';
import { crashesIn, drawsWithoutGpu, withCrash } from './gpuCrashes.ts';

const MINUTE = 60_000;
const now = 100 * 24 * 60 * MINUTE;
const ago = (...minutes: number[]) => minutes.map((past) => now - past * MINUTE);

test('three crashes within ten minutes leave the GPU alone for a day', () => {
  expect(drawsWithoutGpu(ago(9, 5, 0), now)).toBe(true);
  expect(drawsWithoutGpu(ago(1_400, 1_395, 1_391), now)).toBe(true);
  expect(drawsWithoutGpu(ago(1_500, 1_499, 1_498), now)).toBe(false);
  expect(drawsWithoutGpu(ago(40, 20, 0), now)).toBe(false);
  expect(drawsWithoutGpu(ago(1, 0), now)).toBe(false);
  expect(drawsWithoutGpu(ago(-1, -2, -3), now)).toBe(false);
});

test('the list is bounded, and a damaged file is an empty list', () => {
  expect(
    withCrash(
      Array.from({ length: 50 }, (_, at) => at),
      99,
    ),
  ).toHaveLength(20);
  expect(crashesIn('[1,"x",null,2]')).toEqual([1, 2]);
  for (const text of [undefined, '', '{', '{}', 'null']) expect(crashesIn(text)).toEqual([]);
});
