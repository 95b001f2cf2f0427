import { expect, test } from 'vitest';
import { beginGesture, editOf, finishGesture, MAX_BRUSH, moveGesture, stepBrush } from './gesture.ts';

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

test('brush steps are even to the eye and end at one pixel and at the largest size', () => {
  expect(stepBrush(64, 1)).toBe(70);
  expect(stepBrush(64, -1)).toBe(58);
  expect(stepBrush(1, -1)).toBe(1);
  expect(stepBrush(MAX_BRUSH, 1)).toBe(MAX_BRUSH);
});
