import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitted, MAX_ZOOM, panBy, toPicture, zoomAt } from './viewport.ts';

const picture = { width: 4096, height: 2304 };
const view = { width: 900, height: 600 };

test('a large picture is fitted whole and centred; a small one keeps its pixels', () => {
  const large = fitted(picture, view);
  expect(large.zoom).toBeCloseTo(872 / 4096);
  expect(toPicture(large, { x: 450, y: 300 })).toEqual({ x: 2048, y: 1152 });
  expect(fitted({ width: 100, height: 50 }, view).zoom).toBe(1);
});

test('zooming keeps the point under the pointer, as long as the picture stays in the window', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 300, max: 600, noNaN: true }),
      fc.double({ min: 200, max: 400, noNaN: true }),
      fc.double({ min: 1, max: 8, noNaN: true }),
      (x, y, factor) => {
        const start = fitted(picture, view);
        const before = toPicture(start, { x, y });
        const after = toPicture(zoomAt(start, { x, y }, factor, picture, view), { x, y });
        expect(after.x).toBeCloseTo(before.x, 6);
        expect(after.y).toBeCloseTo(before.y, 6);
      },
    ),
  );
});

test('zoom has an end, and the picture cannot be lost outside the window', () => {
  let viewport = fitted(picture, view);
  for (let turn = 0; turn < 50; turn++) viewport = zoomAt(viewport, { x: 1, y: 1 }, 2, picture, view);
  expect(viewport.zoom).toBe(MAX_ZOOM);
  const lost = panBy(viewport, -1e9, 1e9, picture, view);
  expect(lost.x + picture.width * lost.zoom).toBeCloseTo(view.width / 4);
  expect(lost.y).toBeCloseTo((view.height * 3) / 4);
});
