import { expect, test } from 'vitest';
import { GRID_SIDE, type MediaMeasures } from '../../../shared/film/measures.ts';
import { type Grid, textOfGrid } from '../../../shared/library/picture/grid.ts';
import { driftOf } from './drift.ts';

/** A take compared with a reference image: tones and outline, each on its own. */

type Paint = (x: number, y: number) => readonly [number, number, number];

function gridOf(paint: Paint): Grid {
  const grid = new Uint8Array(GRID_SIDE * GRID_SIDE * 3);
  for (let y = 0; y < GRID_SIDE; y++)
    for (let x = 0; x < GRID_SIDE; x++) grid.set(paint(x, y), (y * GRID_SIDE + x) * 3);
  return grid;
}

function measuresOf(first: Paint, last = first): MediaMeasures {
  const frame = { at: 0, lab: [0, 0, 0] as [number, number, number], change: null };
  const grids = { first: textOfGrid(gridOf(first)), last: textOfGrid(gridOf(last)) };
  return { seconds: 0, pictures: { width: 1, height: 1, frames: 1, fps: 0, start: [frame], end: [frame], ...grids } };
}

const drift = (reference: Paint, first: Paint, last = first) => driftOf(measuresOf(reference), measuresOf(first, last));

const wideBox: Paint = (x, y) => (x > 6 && x < 26 && y > 12 && y < 20 ? [200, 60, 40] : [20, 24, 40]);
const tallBox: Paint = (x, y) => wideBox(y, x);
const flat: Paint = () => [20, 24, 40];

test('the same picture is at no distance', () => {
  expect(drift(wideBox, wideBox)).toEqual({ colour: 0, shape: 0 });
  expect(drift(flat, flat)).toEqual({ colour: 0, shape: 0 });
});

test('a turned outline of the same tones differs in shape only', () => {
  const { colour = 9, shape = 0 } = drift(wideBox, tallBox) ?? {};
  expect(colour).toBeLessThan(0.01);
  expect(shape).toBeGreaterThan(0.2);
});

test('another tone of the same outline differs in colour, and hardly in shape', () => {
  const blue: Paint = (x, y) => (wideBox(x, y)[0] === 200 ? [40, 100, 200] : [20, 24, 40]);
  const { colour = 0, shape = 1 } = drift(wideBox, blue) ?? {};
  expect(colour).toBeGreaterThan(5);
  expect(shape).toBeLessThan(0.05);
});

test('a frame that shows more than the sheet is not farther in colour', () => {
  const more: Paint = (x, y) => (y > 27 ? [230, 230, 90] : wideBox(x, y));
  expect(drift(wideBox, more)?.colour).toBeLessThan(0.5);
  expect(drift(more, wideBox)?.colour).toBeGreaterThan(2);
});

test('the nearer of the first and the last frame counts, and a sound has no figures', () => {
  expect(drift(wideBox, flat, wideBox)).toEqual({ colour: 0, shape: 0 });
  expect(drift(wideBox, flat)?.shape).toBe(1);
  expect(driftOf(measuresOf(flat), { seconds: 1 })).toBeUndefined();
});

test('with a box only what is inside of it counts, in the frame it was placed in', () => {
  const half: Paint = (x, y) =>
    x < 16 ? [20, 24, 40] : x > 22 && x < 26 && y > 8 && y < 24 ? [200, 60, 40] : [230, 230, 90];
  const right: Paint = (x, y) => half(16 + Math.floor(x / 2), y);
  const box = { frame: 'last' as const, x: 0.5, y: 0, width: 0.5, height: 1 };
  const take = measuresOf(flat, half);
  expect(driftOf(measuresOf(right), take, box)).toEqual({ colour: 0, shape: 0 });
  expect(driftOf(measuresOf(right), take)?.shape).toBeGreaterThan(0.05);
  expect(driftOf(measuresOf(right), take, { ...box, frame: 'first' })?.colour).toBeGreaterThan(10);
});

test('a box at the edge of a frame stays inside of it', () => {
  const corner = { frame: 'first' as const, x: 0.93, y: 0.93, width: 0.07, height: 0.07 };
  const spot: Paint = (x, y) => (x >= 29 && y >= 29 ? [200, 60, 40] : [20, 24, 40]);
  expect(
    driftOf(
      measuresOf(() => [200, 60, 40]),
      measuresOf(spot),
      corner,
    )?.colour,
  ).toBe(0);
});
