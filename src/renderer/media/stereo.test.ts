import { expect, test } from 'vitest';
import { layoutOf } from '../../shared/film/sound/layout.ts';
import { folded } from './stereo.ts';

/** One sample per channel; only one channel has sound. */
const alone = (channels: number, index: number): Float32Array[] =>
  Array.from({ length: channels }, (_, at) => Float32Array.of(at === index ? 1 : 0));
const sidesOf = (channels: number, codec: string | null = null) =>
  Array.from({ length: channels }, (_, index) =>
    folded(alone(channels, index), layoutOf(channels, codec)).map(([value = 0]) => Math.round(value * 100) / 100),
  );

const BOTH = [0.71, 0.71];
const [L, R, LS, RS, NONE, BEHIND] = [
  [1, 0],
  [0, 1],
  [0.71, 0],
  [0, 0.71],
  [0, 0],
  [0.5, 0.5],
];

test.each([
  [1, null, [[1, 1]]],
  [2, null, [L, R]],
  [3, null, [L, R, BOTH]],
  [4, 'flac', [L, R, LS, RS]],
  [4, 'aac', [L, R, BOTH, BEHIND]],
  [5, 'aac', [L, R, BOTH, LS, RS]],
  [6, null, [L, R, BOTH, NONE, LS, RS]],
  [7, 'flac', [L, R, BOTH, NONE, BEHIND, LS, RS]],
  [8, null, [L, R, BOTH, NONE, LS, RS, LS, RS]],
  [10, null, [L, R, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE]],
])('of %d channels of %s each is heard on its side (BS.775)', (channels, codec, sides) => {
  expect(sidesOf(channels, codec)).toEqual(sides);
});

test('channels are added up, sample by sample', () => {
  const channels = [0.1, 0.2, 0.4, 0.9, 0.3, -0.3].map((value) => Float32Array.of(value, -value));
  const [left, right] = folded(channels, '5.1');
  expect(left[0]).toBeCloseTo(0.1 + (0.4 + 0.3) * Math.SQRT1_2, 6);
  expect(left[1]).toBeCloseTo(-0.1 - (0.4 + 0.3) * Math.SQRT1_2, 6);
  expect(right[0]).toBeCloseTo(0.2 + (0.4 - 0.3) * Math.SQRT1_2, 6);
});
