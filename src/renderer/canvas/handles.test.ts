import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addEdit, emptyHistory } from './document.ts';
import {
  boundsOf,
  dragged,
  fittedTo,
  grabbedAt,
  HANDLES,
  handleAt,
  movedShape,
  placeOfHandle,
  resizedBox,
} from './shapes.ts';

const box = { x: 10, y: 20, width: 40, height: 30 };
const rect = { kind: 'rect', op: 'add', ...box } as const;
const sides = ({ x, y, width, height }: typeof box) => ({ left: x, top: y, right: x + width, bottom: y + height });

test('each of the eight handles moves its own sides and no other', () => {
  for (const handle of HANDLES) {
    const { left, top, right, bottom } = sides(box);
    const moved = sides(resizedBox(box, handle, { dx: 5, dy: -7 }));
    expect(moved, JSON.stringify(handle)).toEqual({
      left: handle.x < 0 ? left + 5 : left,
      right: handle.x > 0 ? right + 5 : right,
      top: handle.y < 0 ? top - 7 : top,
      bottom: handle.y > 0 ? bottom - 7 : bottom,
    });
  }
});

test('a side that is moved past the other one stops at one pixel', () => {
  expect(resizedBox(box, { x: -1, y: 0 }, { dx: 900, dy: 900 })).toEqual({ ...box, x: 49, width: 1 });
  expect(resizedBox(box, { x: 1, y: 1 }, { dx: -900, dy: -900 })).toEqual({ ...box, width: 1, height: 1 });
});

test('a corner keeps the ratio of the sides where that is asked for, by the side that was moved further', () => {
  expect(resizedBox(box, { x: 1, y: 1 }, { dx: 40, dy: 0 }, true)).toEqual({ ...box, width: 80, height: 60 });
  expect(resizedBox(box, { x: -1, y: -1 }, { dx: 0, dy: -30 }, true)).toEqual({
    x: -30,
    y: -10,
    width: 80,
    height: 60,
  });
  expect(resizedBox(box, { x: 1, y: 0 }, { dx: 40, dy: 0 }, true)).toEqual({ ...box, width: 80 });
});

test('a handle is found where it is shown, at every zoom, and the middle of a shape is none', () => {
  const number = fc.double({ min: 1, max: 500, noNaN: true });
  const zooms = fc.double({ min: 0.05, max: 32, noNaN: true });
  fc.assert(
    fc.property(number, number, zooms, (width, height, zoom) => {
      const shown = { x: 3, y: 4, width, height };
      for (const handle of HANDLES) expect(handleAt(shown, placeOfHandle(shown, handle, zoom), zoom)).toEqual(handle);
      expect(handleAt(shown, { x: 3 + width / 2, y: 4 + height / 2 }, zoom)).toBeUndefined();
    }),
  );
});

test('an outline fills the box that it is given, and its figures are the box', () => {
  const point = fc.record({ x: fc.integer({ min: 0, max: 99 }), y: fc.integer({ min: 0, max: 99 }) });
  const side = fc.integer({ min: 1, max: 200 });
  fc.assert(
    fc.property(fc.array(point, { minLength: 3, maxLength: 9 }), side, side, (points, width, height) => {
      const edit = { kind: 'area', op: 'add', points } as const;
      const from = boundsOf(edit);
      // A side without length has none to be stretched.
      fc.pre(from.width > 0 && from.height > 0);
      const now = boundsOf(fittedTo(edit, { x: 7, y: 8, width, height }));
      for (const [is, asked] of [
        [now.x, 7],
        [now.y, 8],
        [now.width, width],
        [now.height, height],
      ] as const)
        expect(is).toBeCloseTo(asked, 6);
    }),
  );
});

test('a press takes the handle of the chosen shape only; a stroke has none', () => {
  const stroke = { kind: 'stroke', op: 'add', radius: 10, points: [{ x: 100, y: 100 }] } as const;
  const { document } = addEdit(addEdit(emptyHistory(200, 200), rect), stroke);
  const corner = { x: 50, y: 50 };
  expect(grabbedAt(document, undefined, corner, 1)?.handle).toBeUndefined();
  const held = grabbedAt(document, 0, corner, 1);
  expect(held).toMatchObject({ index: 0, handle: { x: 1, y: 1 } });
  expect(held && movedShape(dragged(held, { x: 53.4, y: 41 }, false))).toEqual({ ...rect, width: 43, height: 21 });
  expect(grabbedAt(document, 1, { x: 112, y: 112 }, 1)).toBeUndefined();
  expect(grabbedAt(document, 1, { x: 100, y: 100 }, 1)?.handle).toBeUndefined();
});

test('a handle that is let go where it was taken changes nothing', () => {
  const { document } = addEdit(emptyHistory(200, 200), { ...rect, width: 40.37 });
  const held = grabbedAt(document, 0, { x: 50.37, y: 50 }, 1);
  expect(held && movedShape(dragged(held, { x: 50.6, y: 50.2 }, true))).toBe(held?.edit);
});
