import { expect, test } from 'vitest';
import { fitOnScreen } from './windowPlacement.ts';

const LAPTOP = { x: 0, y: 25, width: 1_280, height: 775 };
const LEFT_OF_IT = { x: -1_920, y: 0, width: 1_920, height: 1_080 };

test.each([
  ['is where it was', { x: 40, y: 50, width: 1_000, height: 700 }, LAPTOP, { x: 40, y: 50, width: 1_000, height: 700 }],
  [
    'is where it was on a screen to the left',
    { x: -1_800, y: 10, width: 1_000, height: 700 },
    LEFT_OF_IT,
    { x: -1_800, y: 10, width: 1_000, height: 700 },
  ],
  ['is no larger than its screen', { x: 0, y: 25, width: 2_560, height: 1_400 }, LAPTOP, LAPTOP],
  [
    'comes back from the right edge',
    { x: 1_279, y: 50, width: 1_000, height: 700 },
    LAPTOP,
    { x: 1_180, y: 50, width: 1_000, height: 700 },
  ],
  [
    'comes back from the left edge',
    { x: -999, y: 50, width: 1_000, height: 700 },
    LAPTOP,
    { x: -900, y: 50, width: 1_000, height: 700 },
  ],
  [
    'comes back from above, where its title bar was',
    { x: 40, y: -600, width: 1_000, height: 700 },
    LAPTOP,
    { x: 40, y: 25, width: 1_000, height: 700 },
  ],
  [
    'comes back from below',
    { x: 40, y: 799, width: 1_000, height: 700 },
    LAPTOP,
    { x: 40, y: 770, width: 1_000, height: 700 },
  ],
  ['is anywhere else where its screen is gone', { x: 3_000, y: 50, width: 1_000, height: 700 }, LAPTOP, null],
])('a window %s', (_, bounds, area, expected) => {
  expect(fitOnScreen(bounds, area)).toEqual(expected);
});
