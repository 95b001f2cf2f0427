import { expect, test } from 'vitest';
import { boxBetween, fitted, LEAST_SIDE } from './BoxDialog.tsx';

test('a box may be drawn from any corner', () => {
  const box = { x: 0.25, y: 0.5, width: 0.5, height: 0.25 };
  expect(boxBetween({ x: 0.25, y: 0.5 }, { x: 0.75, y: 0.75 })).toEqual(box);
  expect(boxBetween({ x: 0.75, y: 0.75 }, { x: 0.25, y: 0.5 })).toEqual(box);
});

test('a box is inside of the picture and large enough to be measured', () => {
  expect(boxBetween({ x: -1, y: 0.5 }, { x: 2, y: 4 })).toEqual({ x: 0, y: 0.5, width: 1, height: 0.5 });
  expect(boxBetween({ x: 1, y: 1 }, { x: 1, y: 1 })).toEqual({
    x: 1 - LEAST_SIDE,
    y: 1 - LEAST_SIDE,
    width: LEAST_SIDE,
    height: LEAST_SIDE,
  });
  expect(fitted({ x: 0.9, y: 0, width: 0.5, height: 3 })).toEqual({ x: 0.5, y: 0, width: 0.5, height: 1 });
});
