import { expect, test } from 'vitest';
import { compareOutside, restoreOutside } from './compare.ts';
import type { DecodedPicture } from './proof.ts';
import { rasterise } from './rasterise.ts';

function plain(width: number, height: number, grey: number): DecodedPicture {
  const rgba = new Uint8ClampedArray(width * height * 4).fill(grey);
  for (let at = 3; at < rgba.length; at += 4) rgba[at] = 255;
  return { width, height, rgba };
}

function paint(picture: DecodedPicture, x: number, y: number, [r, g, b]: [number, number, number]): void {
  picture.rgba.set([r, g, b], (y * picture.width + x) * 4);
}

const half = rasterise({
  width: 20,
  height: 10,
  strokes: [{ kind: 'rect', op: 'add', x: 0, y: 0, width: 10, height: 10 }],
});

test('what changes inside the mask is no change outside', () => {
  const after = plain(20, 10, 100);
  for (let x = 0; x < 10; x++) paint(after, x, 4, [255, 0, 0]);
  const change = compareOutside(plain(20, 10, 100), after, half);
  expect(change).toMatchObject({ outside: 100, changed: 0, share: 0, mean: 0, worst: undefined, identical: true });
});

test('the share, the mean and the place of the worst pixel outside are told', () => {
  const after = plain(20, 10, 0);
  paint(after, 12, 3, [255, 255, 255]);
  paint(after, 19, 9, [0, 0, 255]);
  const change = compareOutside(plain(20, 10, 0), after, half);
  expect(change).toMatchObject({ changed: 2, share: 0.02, identical: false, worst: { x: 19, y: 9 } });
  // Black to white is ΔE 100; black to pure blue 137.65 (L 32.3, a 79.2, b −107.9).
  expect(change?.worst?.deltaE).toBeCloseTo(137.65, 0);
  expect(change?.mean).toBeCloseTo((100 + 137.65) / 2, 0);
  expect(Math.max(...(change?.map.deltaE ?? []))).toBeCloseTo(137.65, 0);
});

test('a difference below what the eye sees is not identical, and not counted as moved', () => {
  const change = compareOutside(plain(20, 10, 128), plain(20, 10, 129), half);
  expect(change).toMatchObject({ changed: 0, identical: false });
});

test('pictures of unlike size are not compared', () => {
  expect(compareOutside(plain(20, 10, 0), plain(10, 20, 0), half)).toBeUndefined();
});

test('putting the original back leaves nothing changed outside and the repaint inside', () => {
  const before = plain(20, 10, 40);
  const after = plain(20, 10, 90);
  restoreOutside(before, after, half);
  expect(compareOutside(before, after, half)?.identical).toBe(true);
  expect(after.rgba[0]).toBe(90);
});
