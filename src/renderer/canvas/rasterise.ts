import { growMask } from './distance.ts';
import { type Box, type MaskDocument, type MaskOp, type PaintEdit, type Point, visibleEdits } from './document.ts';
import { type MaskRaster, type Runs, rowStarts } from './runs.ts';

/**
 * Draws a mask document at `scale` times its size. A pixel is white if its centre is inside, so there are no soft edges by construction
 * (spec 2.6: soft edges bleed). Whole runs of a row are filled at once; no pixel is tested by itself.
 */
export function rasterise(document: MaskDocument, scale = 1): MaskRaster {
  const width = Math.max(1, Math.round(document.width * scale));
  const height = Math.max(1, Math.round(document.height * scale));
  const raster: MaskRaster = { width, height, data: new Uint8Array(width * height) };
  for (const edit of visibleEdits(document)) draw(raster, edit, width / document.width, height / document.height);
  return raster;
}

function draw(raster: MaskRaster, edit: PaintEdit, sx: number, sy: number): void {
  const scaled = (points: readonly Point[]) => points.map(({ x, y }) => ({ x: x * sx, y: y * sy }));
  switch (edit.kind) {
    case 'stroke':
      drawStroke(raster, edit.op, scaled(edit.points), edit.radius * sx);
      break;
    case 'area':
      drawArea(raster, edit.op, scaled(edit.points));
      break;
    case 'rect':
      drawRect(raster, edit.op, edit, sx, sy);
      break;
    case 'ellipse':
      drawEllipse(raster, edit.op, edit, sx, sy);
      break;
    case 'pixels':
      if (edit.op === 'replace') raster.data.fill(0);
      drawRuns(raster, edit.op === 'subtract' ? 0 : 255, edit.runs, { sx, sy });
      break;
    case 'grow':
      growMask(raster, edit.by * sx);
      break;
    case 'invert':
      for (let index = 0; index < raster.data.length; index++) raster.data[index] = 255 - (raster.data[index] ?? 0);
      break;
    case 'clear':
      raster.data.fill(0);
  }
}

type Run = readonly [from: number, to: number] | undefined;

/**
 * Fills the run of every row whose centre lies in top…bottom. `runAt` gives the run at a row's centre; a pixel is filled if its own centre
 * lies in it.
 */
function drawRows(raster: MaskRaster, op: MaskOp, top: number, bottom: number, runAt: (centre: number) => Run): void {
  const value = op === 'add' ? 255 : 0;
  const first = Math.max(0, Math.ceil(top - 0.5));
  const last = Math.min(raster.height - 1, Math.floor(bottom - 0.5));
  for (let row = first; row <= last; row++) {
    const run = runAt(row + 0.5);
    if (run) fillRun(raster, row, run, value);
  }
}

function fillRun({ width, data }: MaskRaster, row: number, [left, right]: readonly [number, number], value: number) {
  const from = Math.max(0, Math.ceil(left - 0.5));
  const to = Math.min(width - 1, Math.floor(right - 0.5));
  if (from <= to) data.fill(value, row * width + from, row * width + to + 1);
}

/** At another scale, each row takes the source row that contains its centre. */
function drawRuns(raster: MaskRaster, value: number, runs: Runs, { sx, sy }: { sx: number; sy: number }): void {
  const height = Math.round(raster.height / sy);
  const starts = rowStarts(runs, height);
  for (let row = 0; row < raster.height; row++) {
    const source = Math.min(height - 1, Math.floor((row + 0.5) / sy));
    for (let at = starts[source] ?? 0; at < (starts[source + 1] ?? 0); at += 3)
      fillRun(raster, row, [(runs[at + 1] ?? 0) * sx, (runs[at + 2] ?? 0) * sx], value);
  }
}

function drawStroke(raster: MaskRaster, op: MaskOp, points: readonly Point[], radius: number): void {
  const [first] = points;
  if (!first) return;
  const segments: [Point, Point][] = points.length === 1 ? [[first, first]] : [];
  for (let index = 1; index < points.length; index++) {
    segments.push([points[index - 1] ?? first, points[index] ?? first]);
  }
  for (const [a, b] of segments) {
    const top = Math.min(a.y, b.y) - radius;
    const bottom = Math.max(a.y, b.y) + radius;
    drawRows(raster, op, top, bottom, (centre) => capsuleRun(a, b, radius, centre));
  }
}

/** The run of a row inside a capsule: it is convex, so its discs and its body together make one run. */
function capsuleRun(a: Point, b: Point, radius: number, y: number): Run {
  const runs = [discRun(a, radius, y), discRun(b, radius, y), bodyRun(a, b, radius, y)];
  let left = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  for (const run of runs) {
    if (!run) continue;
    left = Math.min(left, run[0]);
    right = Math.max(right, run[1]);
  }
  return left <= right ? [left, right] : undefined;
}

function discRun(centre: Point, radius: number, y: number): Run {
  const dy = y - centre.y;
  if (Math.abs(dy) > radius) return undefined;
  const half = Math.sqrt(radius * radius - dy * dy);
  return [centre.x - half, centre.x + half];
}

/** The rectangle along the segment, as the overlap of two strips: along it (0…length) and across it (±radius). */
function bodyRun(a: Point, b: Point, radius: number, y: number): Run {
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  if (length === 0) return undefined;
  const ux = (b.x - a.x) / length;
  const uy = (b.y - a.y) / length;
  const along = strip(ux, (y - a.y) * uy, 0, length);
  const across = strip(-uy, (y - a.y) * ux, -radius, radius);
  if (!along || !across) return undefined;
  const left = Math.max(along[0], across[0]) + a.x;
  const right = Math.min(along[1], across[1]) + a.x;
  return left <= right ? [left, right] : undefined;
}

/** The x range with low ≤ x·slope + offset ≤ high. */
function strip(slope: number, offset: number, low: number, high: number): Run {
  if (Math.abs(slope) < 1e-12) {
    return offset >= low && offset <= high ? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] : undefined;
  }
  const one = (low - offset) / slope;
  const other = (high - offset) / slope;
  return one <= other ? [one, other] : [other, one];
}

function drawRect(raster: MaskRaster, op: MaskOp, box: Box, sx: number, sy: number): void {
  drawRows(raster, op, box.y * sy, (box.y + box.height) * sy, () => [box.x * sx, (box.x + box.width) * sx]);
}

function drawEllipse(raster: MaskRaster, op: MaskOp, box: Box, sx: number, sy: number): void {
  const rx = (box.width * sx) / 2;
  const ry = (box.height * sy) / 2;
  if (rx <= 0 || ry <= 0) return;
  const cx = box.x * sx + rx;
  const cy = box.y * sy + ry;
  drawRows(raster, op, cy - ry, cy + ry, (centre) => {
    const half = rx * Math.sqrt(Math.max(0, 1 - ((centre - cy) / ry) ** 2));
    return [cx - half, cx + half];
  });
}

/** Fills an outline by the non-zero rule, as the screen does: a lasso that crosses itself has no holes. */
function drawArea(raster: MaskRaster, op: MaskOp, points: readonly Point[]): void {
  if (points.length < 3) return;
  const ys = points.map(({ y }) => y);
  const value = op === 'add' ? 255 : 0;
  const first = Math.max(0, Math.ceil(Math.min(...ys) - 0.5));
  const last = Math.min(raster.height - 1, Math.floor(Math.max(...ys) - 0.5));
  for (let row = first; row <= last; row++) {
    let winding = 0;
    let left = 0;
    for (const crossing of crossings(points, row + 0.5)) {
      if (winding === 0) left = crossing.x;
      winding += crossing.turn;
      if (winding === 0) fillRun(raster, row, [left, crossing.x], value);
    }
  }
}

function crossings(points: readonly Point[], y: number): { x: number; turn: 1 | -1 }[] {
  const found: { x: number; turn: 1 | -1 }[] = [];
  let a = points.at(-1);
  for (const b of points) {
    if (a && a.y <= y !== b.y <= y) {
      found.push({ x: a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x), turn: b.y > a.y ? 1 : -1 });
    }
    a = b;
  }
  return found.sort((one, other) => one.x - other.x);
}

/** Grown and filled masks are shown as pixels. The longer side of a larger picture is scaled down to this. */
const MOST_SHOWN = 2_048;

/** The white of a document as pixels of a colour, the rest transparent. */
export function paintedPixels(document: MaskDocument, colour: string): ImageBitmap {
  const scale = Math.min(1, MOST_SHOWN / Math.max(document.width, document.height));
  const { width, height, data } = rasterise(document, scale);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) return canvas.transferToImageBitmap();
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let index = 0; index < data.length; index++) if (data[index] === 255) pixels[index] = 0xff_ff_ff_ff;
  context.putImageData(image, 0, 0);
  context.globalCompositeOperation = 'source-in';
  context.fillStyle = colour;
  context.fillRect(0, 0, width, height);
  return canvas.transferToImageBitmap();
}
