import { expect, test } from 'vitest';
import { readAsMask } from './imported.ts';

const pixels = Uint8ClampedArray.from([
  255, 255, 255, 255, 128, 128, 128, 255, 255, 255, 255, 100, 0, 0, 0, 255, 0, 0, 0, 0,
]);

test.each([
  ['alpha', 128, false, [255, 255, 0, 255, 0]],
  ['alpha', 100, false, [255, 255, 255, 255, 0]],
  ['alpha', 100, true, [0, 0, 0, 0, 255]],
  ['luminance', 128, false, [255, 255, 0, 0, 0]],
  ['luminance', 129, false, [255, 0, 0, 0, 0]],
  ['luminance', 100, false, [255, 255, 255, 0, 0]],
  ['luminance', 129, true, [0, 255, 255, 255, 255]],
] as const)('%s from %d on, inverted %s', (from, threshold, invert, expected) => {
  expect([...readAsMask(pixels, { from, threshold, invert })]).toEqual(expected);
});
