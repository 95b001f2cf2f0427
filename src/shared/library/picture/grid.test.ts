import { expect, test } from 'vitest';
import { GRID_SIDE } from '../../film/measures.ts';
import { CELL_PIXELS, cellLab, differenceOf, gridOf, gridOfText, meanLab, textOfGrid } from './grid.ts';

const SIDE = GRID_SIDE * CELL_PIXELS;

function picture(grey: (x: number, y: number) => number): Uint8ClampedArray {
  const pixels = new Uint8ClampedArray(SIDE * SIDE * 4);
  for (let at = 0; at < SIDE * SIDE; at++) pixels.fill(grey(at % SIDE, Math.floor(at / SIDE)), at * 4, at * 4 + 3);
  return pixels;
}

test('a cell is the mean of its pixels, so that noise inside it does not count as change', () => {
  const flat = gridOf(picture(() => 100));
  const noisy = gridOf(picture((x, y) => ((x + y) % 2 === 0 ? 90 : 110)));
  expect(differenceOf(flat, noisy)).toBe(0);
});

test('black to white is 1, and half of a picture is half of it', () => {
  const black = gridOf(picture(() => 0));
  expect(differenceOf(black, gridOf(picture(() => 255)))).toBe(1);
  expect(differenceOf(black, gridOf(picture((x) => (x < SIDE / 2 ? 255 : 0))))).toBe(0.5);
});

test('cells are in their places, and come back as they were written', () => {
  const grid = gridOf(picture((x, y) => (x < CELL_PIXELS && y >= SIDE - CELL_PIXELS ? 255 : 0)));
  expect(cellLab(grid, GRID_SIDE * (GRID_SIDE - 1))[0]).toBeCloseTo(100, 3);
  expect(meanLab(grid)[0]).toBeCloseTo(100 / GRID_SIDE ** 2, 3);
  expect(gridOfText(textOfGrid(grid))).toEqual(grid);
});
