import type { MaskRaster } from './runs.ts';

/** The most that a mask is grown or shrunk in one step, in picture pixels. */
export const MAX_GROW = 256;

/** Grows the white by `by` pixels; a negative number shrinks it. */
export function growMask(mask: MaskRaster, by: number): void {
  const spread = by > 0 ? 'white' : 'black';
  const squares = distancesTo(spread, mask, Math.floor(Math.abs(by)) + 1);
  for (let index = 0; index < squares.length; index++)
    if ((squares[index] ?? 0) <= by * by) mask.data[index] = spread === 'white' ? 255 : 0;
}

/**
 * The squared distance of each pixel to the nearest black or white one, centre to centre; `reach` squared where none is that near. Beyond
 * the picture's edge there is neither colour. First columns, then rows by their lower envelope (Meijster, Roerdink, Hesselink 2000), so
 * that the time does not depend on the reach.
 */
export function distancesTo(to: 'black' | 'white', mask: MaskRaster, reach: number): Uint32Array<ArrayBuffer> {
  const { width, height } = mask;
  const inColumn = columnDistances(mask, to === 'white', reach);
  const squares = new Uint32Array(width * height);
  const row = new Envelope(width);
  for (let y = 0; y < height; y++) {
    const from = y * width;
    row.fill(inColumn.subarray(from, from + width), squares.subarray(from, from + width), reach * reach);
  }
  return squares;
}

/** The distance in rows to the nearest such pixel of the same column, at most `reach`. */
function columnDistances({ width, height, data }: MaskRaster, toWhite: boolean, reach: number): Uint16Array {
  const near = new Uint16Array(width * height).fill(reach);
  const walk = (row: number, before: number) => {
    for (let x = 0; x < width; x++) {
      const index = row * width + x;
      const carried = (near[before * width + x] ?? reach) + 1;
      if ((data[index] === 255) === toWhite) near[index] = 0;
      else if (carried < (near[index] ?? reach)) near[index] = carried;
    }
  };
  for (let row = 0; row < height; row++) walk(row, row - 1);
  for (let row = height - 1; row >= 0; row--) walk(row, row + 1);
  return near;
}

/** The lower envelope of the parabolas (x − i)² + g(i)² along one row. Its arrays are reused for every row. */
class Envelope {
  private readonly tops: Int32Array;
  private readonly starts: Int32Array;

  constructor(width: number) {
    this.tops = new Int32Array(width);
    this.starts = new Int32Array(width);
  }

  fill(heights: Uint16Array, squares: Uint32Array, most: number): void {
    const last = this.build(heights);
    for (let x = heights.length - 1, at = last; x >= 0; x--) {
      squares[x] = Math.min(most, valueAt(heights, this.tops[at] ?? 0, x));
      if (x === this.starts[at]) at--;
    }
  }

  /** Finds the parabolas on the envelope and where each of them begins. */
  private build(heights: Uint16Array): number {
    const { tops, starts } = this;
    let last = 0;
    tops[0] = 0;
    starts[0] = 0;
    for (let x = 1; x < heights.length; x++) {
      while (last >= 0) {
        const begin = starts[last] ?? 0;
        if (valueAt(heights, tops[last] ?? 0, begin) <= valueAt(heights, x, begin)) break;
        last--;
      }
      const begin = last < 0 ? 0 : 1 + crossing(heights, tops[last] ?? 0, x);
      if (begin >= heights.length) continue;
      last++;
      tops[last] = x;
      starts[last] = begin;
    }
    return last;
  }
}

const valueAt = (heights: Uint16Array, top: number, x: number): number => (x - top) ** 2 + (heights[top] ?? 0) ** 2;

/** The last column at which the parabola of `left` is not above that of `right`. */
function crossing(heights: Uint16Array, left: number, right: number): number {
  const [a, b] = [heights[left] ?? 0, heights[right] ?? 0];
  return Math.floor((right ** 2 - left ** 2 + b ** 2 - a ** 2) / (2 * (right - left)));
}
