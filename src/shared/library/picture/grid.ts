import { GRID_SIDE, type Lab } from '../../film/measures.ts';
import { labOf } from './colour.ts';

/** The cells of a frame by row: 8 bits of red, green and blue each. */
export type Grid = Uint8Array;

export const GRID_BYTES = GRID_SIDE * GRID_SIDE * 3;
/** A frame is drawn this many times finer than its grid, so that a cell is a mean. */
export const CELL_PIXELS = 4;

/** Cell means of a picture of `GRID_SIDE * CELL_PIXELS` pixels a side, RGBA. */
export function gridOf(pixels: Uint8ClampedArray): Grid {
  const grid = new Uint8Array(GRID_BYTES);
  const side = GRID_SIDE * CELL_PIXELS;
  for (let cell = 0; cell < GRID_SIDE * GRID_SIDE; cell++) {
    const left = (cell % GRID_SIDE) * CELL_PIXELS;
    const top = Math.floor(cell / GRID_SIDE) * CELL_PIXELS;
    for (let part = 0; part < 3; part++) {
      let sum = 0;
      for (let y = top; y < top + CELL_PIXELS; y++)
        for (let x = left; x < left + CELL_PIXELS; x++) sum += pixels[(y * side + x) * 4 + part] ?? 0;
      grid[cell * 3 + part] = Math.round(sum / (CELL_PIXELS * CELL_PIXELS));
    }
  }
  return grid;
}

/** Mean absolute difference of two frames, 0 (equal) to 1. */
export function differenceOf(one: Grid, other: Grid): number {
  let sum = 0;
  for (let index = 0; index < GRID_BYTES; index++) sum += Math.abs((one[index] ?? 0) - (other[index] ?? 0));
  return sum / GRID_BYTES / 255;
}

/** Brightness as coded (Rec. 709 luma), 0 to 1: mean and maximum of the cells. */
export function brightnessOf(grid: Grid): { mean: number; brightest: number } {
  let [sum, brightest] = [0, 0];
  for (let at = 0; at < GRID_BYTES; at += 3) {
    const luma = 0.2126 * (grid[at] ?? 0) + 0.7152 * (grid[at + 1] ?? 0) + 0.0722 * (grid[at + 2] ?? 0);
    sum += luma;
    if (luma > brightest) brightest = luma;
  }
  return { mean: sum / (GRID_SIDE * GRID_SIDE) / 255, brightest: brightest / 255 };
}

export const cellLab = (grid: Grid, cell: number): Lab =>
  labOf(grid[cell * 3] ?? 0, grid[cell * 3 + 1] ?? 0, grid[cell * 3 + 2] ?? 0);

/** Mean colour of the cells. */
export function meanLab(grid: Grid): Lab {
  const cells = GRID_SIDE * GRID_SIDE;
  const sum: Lab = [0, 0, 0];
  for (let cell = 0; cell < cells; cell++) {
    const [l, a, b] = cellLab(grid, cell);
    sum[0] += l;
    sum[1] += a;
    sum[2] += b;
  }
  return [sum[0] / cells, sum[1] / cells, sum[2] / cells];
}

/** A part of a frame, in shares of its sides. */
export interface Part {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A part of a frame as a grid; cells are repeated, as there are no finer ones. */
export function partOf(grid: Grid, { x, y, width, height }: Part): Grid {
  const part = new Uint8Array(GRID_BYTES);
  const at = (from: number, length: number, step: number) =>
    Math.min(GRID_SIDE - 1, Math.max(0, Math.floor(from * GRID_SIDE + (step + 0.5) * length)));
  for (let cell = 0; cell < GRID_SIDE * GRID_SIDE; cell++) {
    const column = at(x, width, cell % GRID_SIDE);
    const row = at(y, height, Math.floor(cell / GRID_SIDE));
    const from = (row * GRID_SIDE + column) * 3;
    part.set(grid.subarray(from, from + 3), cell * 3);
  }
  return part;
}

export function textOfGrid(grid: Grid): string {
  let bytes = '';
  for (const byte of grid) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}

export function gridOfText(text: string): Grid {
  const letters = atob(text);
  const grid = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) grid[at] = letters.charCodeAt(at);
  return grid;
}
