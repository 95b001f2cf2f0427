import type { Point } from './document.ts';

/** One byte a pixel, 0 (keep) or 255 (repaint), row by row. */
export interface MaskRaster {
  width: number;
  height: number;
  data: Uint8Array<ArrayBuffer>;
}

/** Pixels as runs of rows, top to bottom. Three numbers each: the row, the first column and the column after the last. */
export type Runs = Int32Array;

/** The non-zero pixels, as runs. */
export function runsOf(data: Uint8Array, width: number): Runs {
  const found: number[] = [];
  for (let row = 0, at = 0; at < data.length; row++) {
    const end = at + width;
    while (at < end) {
      while (at < end && data[at] === 0) at++;
      if (at === end) break;
      const from = at;
      while (at < end && data[at] !== 0) at++;
      found.push(row, from - end + width, at - end + width);
    }
  }
  return Int32Array.from(found);
}

/** The offset of each row's first run, plus one for the end. */
export function rowStarts(runs: Runs, height: number): Int32Array {
  const starts = new Int32Array(height + 1).fill(runs.length);
  for (let at = runs.length - 3; at >= 0; at -= 3) starts[runs[at] ?? 0] = at;
  for (let row = height - 1; row >= 0; row--) starts[row] = Math.min(starts[row] ?? 0, starts[row + 1] ?? 0);
  return starts;
}

/** The connected area of one value around a point, by shared sides; empty outside the picture. */
export function floodRuns(raster: MaskRaster, at: Point): Runs {
  const { width, height, data } = raster;
  const [x, y] = [Math.floor(at.x), Math.floor(at.y)];
  if (x < 0 || y < 0 || x >= width || y >= height) return new Int32Array(0);
  const flood = new Flood(raster, data[y * width + x] ?? 0);
  return runsOf(flood.from(y * width + x), width);
}

/** Fills whole runs of rows at once and continues above and below each. */
class Flood {
  private readonly raster: MaskRaster;
  private readonly value: number;
  private readonly taken: Uint8Array;
  private readonly open: number[] = [];

  constructor(raster: MaskRaster, value: number) {
    this.raster = raster;
    this.value = value;
    this.taken = new Uint8Array(raster.data.length);
  }

  from(start: number): Uint8Array {
    this.open.push(start);
    for (let index = this.open.pop(); index !== undefined; index = this.open.pop())
      if (this.isOpen(index)) this.takeRun(index);
    return this.taken;
  }

  private isOpen(index: number): boolean {
    return this.raster.data[index] === this.value && this.taken[index] === 0;
  }

  private takeRun(index: number): void {
    const { width } = this.raster;
    const row = index - (index % width);
    let [from, to] = [index, index + 1];
    while (from > row && this.isOpen(from - 1)) from--;
    while (to < row + width && this.isOpen(to)) to++;
    this.taken.fill(1, from, to);
    this.lookIn(from - width, to - width);
    this.lookIn(from + width, to + width);
  }

  /** The fill continues from the first pixel of each open run in the neighbouring row. */
  private lookIn(from: number, to: number): void {
    if (from < 0 || from >= this.taken.length) return;
    for (let index = from; index < to; index++)
      if (this.isOpen(index) && (index === from || !this.isOpen(index - 1))) this.open.push(index);
  }
}
