import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareOutside, isSameOutside, restoreOutside } from './compare.ts';
import type { DecodedPicture } from './proof.ts';
import { rasterise } from './rasterise.ts';
import type { MaskRaster } from './runs.ts';

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

test('a hard edge is the edit inside and the original outside, pixel by pixel', () => {
  const after = plain(20, 10, 90);
  restoreOutside(plain(20, 10, 40), after, half);
  for (let x = 0; x < 20; x++) expect(after.rgba[(4 * 20 + x) * 4]).toBe(x < 10 ? 90 : 40);
});

test('a soft edge goes over inside of the mask alone, step by step from the original to the edit', () => {
  const after = plain(20, 10, 240);
  const before = plain(20, 10, 40);
  restoreOutside(before, after, half, 3);
  const row = Array.from({ length: 20 }, (_, x) => after.rgba[(4 * 20 + x) * 4]);
  expect(row).toEqual([...Array(6).fill(240), 240, 190, 140, 90, ...Array(10).fill(40)]);
  expect(isSameOutside(before, after, half)).toBe(true);
  expect(isSameOutside(before, plain(20, 10, 240), half)).toBe(false);
});

const aMask = fc
  .record({ width: fc.integer({ min: 1, max: 14 }), height: fc.integer({ min: 1, max: 14 }) })
  .chain(({ width, height }) =>
    fc
      .array(fc.boolean(), { minLength: width * height, maxLength: width * height })
      .map((bits): MaskRaster => ({ width, height, data: Uint8Array.from(bits, (bit) => (bit ? 255 : 0)) })),
  );

/** By looking at every black pixel for every pixel. */
function nearestBlack({ width, data }: MaskRaster, index: number): number {
  const far = (other: number) =>
    Math.hypot((other % width) - (index % width), Math.floor(other / width) - Math.floor(index / width));
  return Math.min(...[...data.keys()].filter((other) => data[other] === 0).map(far));
}

test('of every mask, each pixel is as much of the edit as it is away from the black', () => {
  fc.assert(
    fc.property(aMask, fc.oneof(fc.integer({ min: 0, max: 8 }), fc.constant(200)), (mask, feather) => {
      const { width, height } = mask;
      const after = plain(width, height, 250);
      restoreOutside(plain(width, height, 10), after, mask, feather);
      for (const index of mask.data.keys()) {
        const share = Math.min(1, nearestBlack(mask, index) / (feather + 1));
        expect(after.rgba[index * 4]).toBe(Math.round(10 + 240 * share));
      }
    }),
    { numRuns: 150 },
  );
});
