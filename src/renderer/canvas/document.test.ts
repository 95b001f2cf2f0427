import { expect, test } from 'vitest';
import {
  addEdit,
  boxBetween,
  emptyHistory,
  type MaskEdit,
  redo,
  simplify,
  stepTo,
  undo,
  visibleEdits,
} from './document.ts';

const dab = (x: number): MaskEdit => ({ kind: 'stroke', op: 'add', radius: 5, points: [{ x, y: 1 }] });

test('undo takes back one gesture, redo brings it again, and a new gesture forgets what was undone', () => {
  const painted = addEdit(addEdit(emptyHistory(10, 10), dab(1)), dab(2));
  const back = undo(painted);
  expect(back.document.strokes).toEqual([dab(1)]);
  expect(redo(back)).toEqual(painted);
  const other = addEdit(back, dab(3));
  expect(redo(other)).toBe(other);
  expect(other.document.strokes).toEqual([dab(1), dab(3)]);
});

test('any step of a history is gone to, back and on, and none is lost on the way', () => {
  const painted = addEdit(addEdit(addEdit(emptyHistory(10, 10), dab(1)), dab(2)), dab(3));
  expect(stepTo(painted, 1)).toEqual(undo(undo(painted)));
  expect(stepTo(stepTo(painted, 0), 3)).toEqual(painted);
  expect(stepTo(undo(painted), 9)).toEqual(painted);
  expect(stepTo(painted, -1).document.strokes).toEqual([]);
});

test('undo of an empty document and redo of a whole one change nothing', () => {
  const empty = emptyHistory(10, 10);
  expect(undo(empty)).toBe(empty);
  expect(redo(empty)).toBe(empty);
});

test('a history that was shown before is not changed by later gestures', () => {
  const first = addEdit(emptyHistory(10, 10), dab(1));
  const copy = structuredClone(first);
  addEdit(first, dab(2));
  undo(first);
  expect(first).toEqual(copy);
});

test('nothing before a clear is drawn, and undoing the clear brings it back', () => {
  const cleared = addEdit(addEdit(emptyHistory(10, 10), dab(1)), { kind: 'clear' });
  expect(visibleEdits(cleared.document)).toEqual([]);
  expect(visibleEdits(undo(cleared).document)).toEqual([dab(1)]);
  expect(visibleEdits(addEdit(cleared, dab(2)).document)).toEqual([dab(2)]);
});

test('a box may be drawn from any corner; held square it keeps the corner where it began', () => {
  expect(boxBetween({ x: 8, y: 9 }, { x: 2, y: 5 })).toEqual({ x: 2, y: 5, width: 6, height: 4 });
  expect(boxBetween({ x: 8, y: 9 }, { x: 2, y: 5 }, true)).toEqual({ x: 2, y: 3, width: 6, height: 6 });
});

test('points on a line are dropped, a corner stays, and the ends stay', () => {
  const line = Array.from({ length: 50 }, (_, x) => ({ x, y: 0 }));
  const corner = Array.from({ length: 50 }, (_, y) => ({ x: 49, y }));
  expect(simplify([...line, ...corner], 0.5)).toEqual([
    { x: 0, y: 0 },
    { x: 49, y: 0 },
    { x: 49, y: 49 },
  ]);
  expect(simplify([{ x: 1.23456, y: 2 }], 0.5)).toEqual([{ x: 1.23, y: 2 }]);
});
