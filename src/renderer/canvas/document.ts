/**
 * The mask as a plain document: the size of the picture and the list of edits, in picture pixels (spec 2.6). Both the screen and the file
 * that is sent are drawn from this document; nothing is ever read back from the screen.
 */

export interface Point {
  x: number;
  y: number;
}

/** `add` paints white (repaint), `subtract` paints black (keep). */
export type MaskOp = 'add' | 'subtract';

/** A rectangle along the axes, in picture pixels. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type PaintEdit =
  /** A round brush of `radius` along the points; one point is a dab. */
  | { kind: 'stroke'; op: MaskOp; radius: number; points: readonly Point[] }
  /** The inside of a closed outline. */
  | { kind: 'area'; op: MaskOp; points: readonly Point[] }
  | ({ kind: 'rect' | 'ellipse'; op: MaskOp } & Box)
  /** Fixed pixels: a filled area or an imported mask. `replace` discards everything else. */
  | { kind: 'pixels'; op: MaskOp | 'replace'; made: 'fill' | 'import'; runs: Int32Array }
  /** Grows the whole mask by a number of picture pixels; a negative number shrinks it. */
  | { kind: 'grow'; by: number }
  | { kind: 'invert' }
  | { kind: 'clear' };

/** A shape that can be selected, moved and removed. */
export type ShapeEdit = Extract<PaintEdit, { kind: 'stroke' | 'area' | 'rect' | 'ellipse' }>;

/**
 * Changes or removes (`null`) an earlier shape; `target` is its index in the list. Consecutive `typed` changes of one shape are one step.
 */
export interface ChangeEdit {
  kind: 'change';
  target: number;
  to: ShapeEdit | null;
  typed?: boolean;
}

export type MaskEdit = PaintEdit | ChangeEdit;

export interface MaskDocument {
  readonly width: number;
  readonly height: number;
  readonly strokes: readonly MaskEdit[];
}

/** A document with its undone edits. One gesture is one edit, so undo is one step of the list. */
export interface MaskHistory {
  readonly document: MaskDocument;
  readonly undone: readonly MaskEdit[];
}

export function emptyHistory(width: number, height: number): MaskHistory {
  return { document: { width, height, strokes: [] }, undone: [] };
}

export function addEdit({ document }: MaskHistory, edit: MaskEdit): MaskHistory {
  return { document: { ...document, strokes: [...document.strokes, edit] }, undone: [] };
}

export const undo = (history: MaskHistory): MaskHistory => stepTo(history, history.document.strokes.length - 1);
export const redo = (history: MaskHistory): MaskHistory => stepTo(history, history.document.strokes.length + 1);

/** The history with the first `count` edits done and the others undone. */
export function stepTo(history: MaskHistory, count: number): MaskHistory {
  const all = [...history.document.strokes, ...history.undone.toReversed()];
  const kept = Math.min(all.length, Math.max(0, count));
  if (kept === history.document.strokes.length) return history;
  return { document: { ...history.document, strokes: all.slice(0, kept) }, undone: all.slice(kept).toReversed() };
}

/** The history with a shape changed, or removed. */
export function changeShape(history: MaskHistory, target: number, to: ShapeEdit | null, typed = false): MaskHistory {
  const { document } = history;
  const last = document.strokes.at(-1);
  const goesOn = typed && to !== null && last?.kind === 'change' && last.typed && last.target === target && last.to;
  const kept = goesOn ? document.strokes.slice(0, -1) : document.strokes;
  return addEdit({ document: { ...document, strokes: kept }, undone: [] }, { kind: 'change', target, to, typed });
}

/** Each edit at its index, in its current form. Edits before the last clear are invisible and left out. */
function placed({ strokes }: MaskDocument): { index: number; edit: PaintEdit }[] {
  const changed = new Map<number, PaintEdit | null>();
  for (const edit of strokes) if (edit.kind === 'change') changed.set(edit.target, edit.to);
  const first = strokes.findLastIndex((edit) => edit.kind === 'clear') + 1;
  return strokes.slice(first).flatMap((edit, at) => {
    const index = first + at;
    const now = edit.kind === 'change' ? null : changed.has(index) ? changed.get(index) : edit;
    return now ? [{ index, edit: now }] : [];
  });
}

/** The edits that paint the mask, in order. */
export const visibleEdits = (document: MaskDocument): readonly PaintEdit[] => placed(document).map(({ edit }) => edit);

export interface Shape {
  index: number;
  edit: ShapeEdit;
}

/** The shapes that can be chosen, oldest first. */
export const shapesOf = (document: MaskDocument): Shape[] =>
  placed(document).filter((one): one is Shape => ['stroke', 'area', 'rect', 'ellipse'].includes(one.edit.kind));

/** The box between two corners. With `square`, the larger side is used for both. */
export function boxBetween(from: Point, to: Point, square = false): Box {
  const side = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y));
  const width = square ? side : Math.abs(to.x - from.x);
  const height = square ? side : Math.abs(to.y - from.y);
  return {
    x: round(to.x < from.x ? from.x - width : from.x),
    y: round(to.y < from.y ? from.y - height : from.y),
    width: round(width),
    height: round(height),
  };
}

/**
 * Drops points without a visible effect: within `tolerance` pixels of the line drawn without them (Ramer, Douglas, Peucker). Rounds to a
 * hundredth of a pixel.
 */
export function simplify(points: readonly Point[], tolerance: number): Point[] {
  const keep = new Uint8Array(points.length);
  const spans: [number, number][] = [[0, points.length - 1]];
  keep[0] = 1;
  keep[points.length - 1] = 1;
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [from, to] = span;
    const far = farthest(points, from, to);
    if (far.distance <= tolerance) continue;
    keep[far.index] = 1;
    spans.push([from, far.index], [far.index, to]);
  }
  return points.filter((_, index) => keep[index] === 1).map(({ x, y }) => ({ x: round(x), y: round(y) }));
}

function farthest(points: readonly Point[], from: number, to: number): { index: number; distance: number } {
  const a = points[from];
  const b = points[to];
  let worst = { index: from, distance: -1 };
  if (!a || !b) return worst;
  for (let index = from + 1; index < to; index++) {
    const point = points[index];
    const distance = point ? distanceToSegment(point, a, b) : 0;
    if (distance > worst.distance) worst = { index, distance };
  }
  return worst;
}

export function distanceToSegment(point: Point, a: Point, b: Point): number {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const length2 = dx * dx + dy * dy;
  const along = length2 === 0 ? 0 : ((point.x - a.x) * dx + (point.y - a.y) * dy) / length2;
  const t = Math.min(1, Math.max(0, along));
  return Math.hypot(point.x - a.x - t * dx, point.y - a.y - t * dy);
}

const round = (value: number): number => Math.round(value * 100) / 100;
