/** As far as a mask is grown or shrunk in one step, picture pixels. */
export const MAX_GROW = 256;

/** One byte a pixel, 0 or 255, row by row. */
interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
}

/**
 * Grows the white by `radius` pixels, or shrinks it where that is negative: what is within the radius of a white centre becomes white, or
 * what is within it of a black one black. Beyond the picture's edge nothing is black: what lies at it does not shrink from it.
 */
export function growMask(pixels: Pixels, radius: number): void {
  const reach = Math.abs(radius);
  if (reach < 1) return;
  const spread = radius > 0 ? 255 : 0;
  const near = distancesInColumns(pixels, spread, Math.floor(reach));
  // How far along its row a pixel reaches that is so many rows away.
  const halves = Array.from({ length: Math.floor(reach) + 1 }, (_, away) =>
    Math.floor(Math.sqrt(reach * reach - away * away)),
  );
  for (let row = 0; row < pixels.height; row++) spreadInRow(pixels, row, { near, halves, spread });
}

interface Spreading {
  near: Uint16Array;
  halves: readonly number[];
  spread: number;
}

/** Each pixel that is near enough in its column covers a run of the row. The runs are walked once, whatever their length. */
function spreadInRow({ width, data }: Pixels, row: number, { near, halves, spread }: Spreading): void {
  const turns = new Int32Array(width + 1);
  for (let x = 0; x < width; x++) {
    const half = halves[near[row * width + x] ?? 0];
    if (half === undefined) continue;
    const [from, to] = [Math.max(0, x - half), Math.min(width, x + half + 1)];
    turns[from] = (turns[from] ?? 0) + 1;
    turns[to] = (turns[to] ?? 0) - 1;
  }
  let open = 0;
  for (let x = 0; x < width; x++) {
    open += turns[x] ?? 0;
    if (open > 0) data[row * width + x] = spread;
  }
}

/** How many rows away the nearest pixel of this value in the same column is; more than `reach` where there is none so near. */
function distancesInColumns({ width, height, data }: Pixels, value: number, reach: number): Uint16Array {
  const far = reach + 1;
  const near = new Uint16Array(width * height).fill(far);
  const walk = (row: number, before: number) => {
    for (let x = 0; x < width; x++) {
      const index = row * width + x;
      const carried = (near[before * width + x] ?? far) + 1;
      if (data[index] === value) near[index] = 0;
      else if (carried < (near[index] ?? far)) near[index] = carried;
    }
  };
  for (let row = 0; row < height; row++) walk(row, row - 1);
  for (let row = height - 1; row >= 0; row--) walk(row, row + 1);
  return near;
}
