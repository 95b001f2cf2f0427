import { expect, test } from 'vitest';
import {
  beginGesture,
  editOf,
  finishGesture,
  type Gesture,
  MAX_BRUSH,
  moveGesture,
  placeCorner,
  stepBrush,
  takeBackCorner,
} from './gesture.ts';

const at = { x: 10, y: 10 };

test('a click with the brush is a dab, and the eraser always takes away', () => {
  const dab = finishGesture(beginGesture({ tool: 'brush', op: 'add', radius: 8, at }), 1);
  expect(dab).toEqual({ kind: 'stroke', op: 'add', radius: 8, points: [at] });
  const rubbed = finishGesture(beginGesture({ tool: 'eraser', op: 'add', radius: 8, at }), 1);
  expect(rubbed).toMatchObject({ op: 'subtract' });
});

test('with Shift the brush draws a straight line from where the last stroke ended; a box does not', () => {
  const lineFrom = { x: 100, y: 40 };
  expect(finishGesture(beginGesture({ tool: 'brush', op: 'add', radius: 8, at, lineFrom }), 1)).toMatchObject({
    points: [lineFrom, at],
  });
  expect(beginGesture({ tool: 'rect', op: 'add', radius: 8, at, lineFrom }).points).toEqual([at]);
});

test('a box follows its second corner only, and one without area is no edit', () => {
  const begun = beginGesture({ tool: 'ellipse', op: 'subtract', radius: 8, at });
  expect(editOf(begun)).toBeUndefined();
  const moved = moveGesture(moveGesture(begun, [{ x: 900, y: 900 }], false), [{ x: 4, y: 30 }], false);
  expect(finishGesture(moved, 1)).toEqual({ kind: 'ellipse', op: 'subtract', x: 4, y: 10, width: 6, height: 20 });
});

test('a lasso that never left its line encloses nothing', () => {
  const begun = beginGesture({ tool: 'lasso', op: 'add', radius: 8, at });
  const line = moveGesture(
    begun,
    [20, 30, 40].map((x) => ({ x, y: 10 })),
    false,
  );
  expect(finishGesture(line, 1)).toBeUndefined();
});

const corners = [at, { x: 110, y: 10 }, { x: 60, y: 90 }];

/** With these corners placed, and the pointer at the last of them. */
function polygonOf([first, ...more]: typeof corners): Gesture {
  let polygon = beginGesture({ tool: 'polygon', op: 'subtract', radius: 8, at: first ?? at });
  for (const corner of more) polygon = placeCorner(moveGesture(polygon, [corner], false), corner, 6) ?? polygon;
  return polygon;
}

test('a polygon is what its corners enclose, each where it was placed', () => {
  const begun = polygonOf(corners.slice(0, 2));
  expect(finishGesture(begun, 1)).toBeUndefined();
  // On the screen it follows the pointer; what is kept does not.
  const moved = moveGesture(polygonOf(corners), [{ x: 500, y: 500 }], false);
  expect(editOf(moved)).toMatchObject({ points: [...corners, { x: 500, y: 500 }] });
  expect(finishGesture(moved, 8)).toEqual({ kind: 'area', op: 'subtract', points: corners });
});

test('a click at the first or the last corner of a polygon closes it, one beside them is a corner', () => {
  const polygon = polygonOf(corners);
  expect(placeCorner(polygon, { x: 13, y: 14 }, 6)).toBeUndefined();
  expect(placeCorner(polygon, { x: 60, y: 90 }, 6)).toBeUndefined();
  expect(placeCorner(polygon, { x: 110, y: 10 }, 6)?.points).toHaveLength(5);
  expect(placeCorner(polygon, { x: 20, y: 20 }, 6)?.points).toHaveLength(5);
});

test('the corners of a polygon are taken back one by one, and with the first it is gone', () => {
  const once = takeBackCorner(polygonOf(corners));
  expect(once && finishGesture(once, 1)).toBeUndefined();
  expect(once?.points).toEqual([at, { x: 110, y: 10 }, { x: 60, y: 90 }]);
  const twice = once && takeBackCorner(once);
  expect(twice?.points).toEqual([at, { x: 60, y: 90 }]);
  expect(twice && takeBackCorner(twice)).toBeUndefined();
});

test('brush steps are even to the eye and end at one pixel and at the largest size', () => {
  expect(stepBrush(64, 1)).toBe(70);
  expect(stepBrush(64, -1)).toBe(58);
  expect(stepBrush(1, -1)).toBe(1);
  expect(stepBrush(MAX_BRUSH, 1)).toBe(MAX_BRUSH);
});
