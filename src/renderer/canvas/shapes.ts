import {
  type Box,
  distanceToSegment,
  type MaskDocument,
  type PaintEdit,
  type Point,
  type Shape,
  type ShapeEdit,
  shapesOf,
  visibleEdits,
} from './document.ts';

export function boundsOf(edit: ShapeEdit): Box {
  if (!('points' in edit)) return edit;
  const reach = edit.kind === 'stroke' ? edit.radius : 0;
  const [xs, ys] = [edit.points.map(({ x }) => x), edit.points.map(({ y }) => y)];
  const [left, top] = [least(xs) - reach, least(ys) - reach];
  return { x: left, y: top, width: most(xs) + reach - left, height: most(ys) + reach - top };
}

const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);

export function movedBy(edit: ShapeEdit, dx: number, dy: number): ShapeEdit {
  if (!('points' in edit)) return { ...edit, x: edit.x + dx, y: edit.y + dy };
  return { ...edit, points: edit.points.map(({ x, y }) => ({ x: x + dx, y: y + dy })) };
}

/** The topmost shape at a point; `reach` picture pixels around a shape count too. */
export const shapeAt = (document: MaskDocument, at: Point, reach: number): Shape | undefined =>
  shapesOf(document).findLast(({ edit }) => isInside(edit, at, reach));

function isInside(edit: ShapeEdit, at: Point, reach: number): boolean {
  if (edit.kind === 'stroke') return isNear(edit.points, at, edit.radius + reach);
  if (edit.kind === 'area') return turnsAround(edit.points, at) !== 0;
  const [rx, ry] = [edit.width / 2 + reach, edit.height / 2 + reach];
  const [dx, dy] = [Math.abs(at.x - edit.x - edit.width / 2) / rx, Math.abs(at.y - edit.y - edit.height / 2) / ry];
  return edit.kind === 'rect' ? dx <= 1 && dy <= 1 : Math.hypot(dx, dy) <= 1;
}

const isNear = (points: readonly Point[], at: Point, reach: number): boolean =>
  points.some((point, index) => distanceToSegment(at, points[index - 1] ?? point, point) <= reach);

/** How often the outline winds around the point: the non-zero rule, as for painting. */
function turnsAround(points: readonly Point[], { x, y }: Point): number {
  let turns = 0;
  let a = points.at(-1);
  for (const b of points) {
    if (a && a.y <= y !== b.y <= y && x < a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x)) turns += b.y > a.y ? 1 : -1;
    a = b;
  }
  return turns;
}

/** A handle, named by the sides of the box that it moves: -1 left or top, 1 right or bottom, 0 neither. */
export interface Handle {
  x: -1 | 0 | 1;
  y: -1 | 0 | 1;
}

const SIDES = [-1, 0, 1] as const;
/** Row by row, from the top left. */
export const HANDLES: readonly Handle[] = SIDES.flatMap((y) => SIDES.map((x) => ({ x, y }))).filter(
  ({ x, y }) => x !== 0 || y !== 0,
);

/** A press within this many screen pixels of a handle takes it. */
const HANDLE_REACH = 7;
/** Below this size on the screen, handles are placed around the shape, so that it can still be dragged by its middle. */
const LEAST_SIDE = 32;

/** The position of a handle, in picture pixels, at a zoom of `zoom` screen pixels per picture pixel. */
export function placeOfHandle({ x, y, width, height }: Box, handle: Handle, zoom: number): Point {
  const half = (side: number) => Math.max(side, LEAST_SIDE / zoom) / 2;
  return { x: x + width / 2 + handle.x * half(width), y: y + height / 2 + handle.y * half(height) };
}

/** The handle at a point. */
export function handleAt(box: Box, at: Point, zoom: number): Handle | undefined {
  const away = (handle: Handle) => {
    const place = placeOfHandle(box, handle, zoom);
    return Math.max(Math.abs(place.x - at.x), Math.abs(place.y - at.y));
  };
  return HANDLES.find((handle) => away(handle) <= HANDLE_REACH / zoom);
}

/** A stroke is not resizable: its width comes from the brush. */
export const isResizable = ({ kind }: ShapeEdit): boolean => kind !== 'stroke';

/**
 * The box after a handle was moved by `by` pixels. Changed sides are rounded to whole pixels, at least one. With `keepsRatio` a corner
 * scales both sides by one factor.
 */
export function resizedBox(box: Box, handle: Handle, by: { dx: number; dy: number }, keepsRatio = false): Box {
  let width = handle.x === 0 ? box.width : wholeSide(box.width + handle.x * by.dx);
  let height = handle.y === 0 ? box.height : wholeSide(box.height + handle.y * by.dy);
  if (keepsRatio && handle.x !== 0 && handle.y !== 0 && box.width > 0 && box.height > 0) {
    const factor = Math.max(width / box.width, height / box.height);
    [width, height] = [wholeSide(box.width * factor), wholeSide(box.height * factor)];
  }
  return {
    x: handle.x < 0 ? hundredth(box.x + box.width - width) : box.x,
    y: handle.y < 0 ? hundredth(box.y + box.height - height) : box.y,
    width,
    height,
  };
}

const wholeSide = (side: number): number => Math.max(1, Math.round(side));

/** The shape scaled to fill a box; an outline with all its corners. */
export function fittedTo(edit: ShapeEdit, to: Box): ShapeEdit {
  if (edit.kind === 'stroke') return edit;
  if (edit.kind !== 'area') return { ...edit, ...to };
  const from = boundsOf(edit);
  const [sx, sy] = [from.width > 0 ? to.width / from.width : 1, from.height > 0 ? to.height / from.height : 1];
  const points = edit.points.map(({ x, y }) => ({
    x: hundredth(to.x + (x - from.x) * sx),
    y: hundredth(to.y + (y - from.y) * sy),
  }));
  return { ...edit, points };
}

export function cursorOf({ x, y }: Handle): string {
  if (x === 0) return 'ns-resize';
  if (y === 0) return 'ew-resize';
  return x === y ? 'nwse-resize' : 'nesw-resize';
}

const hundredth = (value: number): number => Math.round(value * 100) / 100;

/** A shape that is being dragged, as a whole or by a handle, and by how far. */
export interface Moving extends Shape {
  from: Point;
  dx: number;
  dy: number;
  handle?: Handle | undefined;
  keepsRatio: boolean;
}

/** A press within this many screen pixels of a shape takes it. */
const SHAPE_REACH = 6;

/** The target of a press: a handle of the selected shape, otherwise the topmost shape there. */
export function grabbedAt(mask: MaskDocument, chosen: number | undefined, at: Point, zoom: number): Moving | undefined {
  const begun = { from: at, dx: 0, dy: 0, keepsRatio: false };
  const held = heldHandle(mask, chosen, at, zoom);
  if (held) return { ...held, ...begun };
  const shape = shapeAt(mask, at, SHAPE_REACH / zoom);
  return shape && { ...shape, ...begun };
}

/** The selected shape and its handle at a point. */
export function heldHandle(mask: MaskDocument, chosen: number | undefined, at: Point, zoom: number) {
  const shape = shapesOf(mask).find(({ index }) => index === chosen);
  const handle = shape && isResizable(shape.edit) ? handleAt(boundsOf(shape.edit), at, zoom) : undefined;
  return shape && handle && { ...shape, handle };
}

/** The drag continued to the pointer, in whole pixels from where it started. */
export const dragged = (moving: Moving, to: Point, keepsRatio: boolean): Moving => ({
  ...moving,
  dx: Math.round(to.x - moving.from.x),
  dy: Math.round(to.y - moving.from.y),
  keepsRatio,
});

/** The shape at the current point of the drag. */
export function movedShape({ edit, dx, dy, handle, keepsRatio }: Moving): ShapeEdit {
  if (dx === 0 && dy === 0) return edit;
  return handle ? fittedTo(edit, resizedBox(boundsOf(edit), handle, { dx, dy }, keepsRatio)) : movedBy(edit, dx, dy);
}

/**
 * The document during a drag. If later steps work on all pixels, computing them for each frame would be too slow: the shape is then drawn
 * over the mask, and those steps follow on release.
 */
export function movedDocument(
  mask: MaskDocument,
  moving: Moving | undefined,
): { document: MaskDocument; live?: PaintEdit } {
  if (!moving) return { document: mask };
  const to = movedShape(moving);
  if (visibleEdits(mask).some(({ kind }) => kind === 'grow' || kind === 'pixels')) return { document: mask, live: to };
  return { document: { ...mask, strokes: [...mask.strokes, { kind: 'change', target: moving.index, to }] } };
}
