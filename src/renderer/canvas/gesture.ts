import { boxBetween, type MaskOp, type Point, type ShapeEdit, simplify } from './document.ts';

export type PaintTool = 'brush' | 'eraser' | 'lasso' | 'polygon' | 'rect' | 'ellipse';

/**
 * One gesture, in picture pixels: from pointer down to pointer up, or from the first to the last corner of a polygon. It becomes one edit
 * of the document.
 */
export interface Gesture {
  tool: PaintTool;
  op: MaskOp;
  radius: number;
  /** Keeps a box square and an ellipse round. */
  square: boolean;
  /** For a polygon: the placed corners, followed by the position of the pointer. */
  points: Point[];
}

interface Start {
  tool: PaintTool;
  op: MaskOp;
  radius: number;
  at: Point;
  /** The end of the last brush stroke, where a straight line starts. */
  lineFrom?: Point | undefined;
}

export function beginGesture({ tool, op, radius, at, lineFrom }: Start): Gesture {
  const points = lineFrom && isBrush(tool) ? [lineFrom, at] : tool === 'polygon' ? [at, at] : [at];
  return { tool, op: tool === 'eraser' ? 'subtract' : op, radius, square: false, points };
}

/** Follows the pointer. A box keeps only its two corners, a polygon only the placed ones. */
export function moveGesture(gesture: Gesture, to: readonly Point[], square: boolean): Gesture {
  const last = to.at(-1);
  if (!last) return gesture;
  const [start] = gesture.points;
  if (gesture.tool === 'polygon') return { ...gesture, points: [...cornersOf(gesture), last] };
  const isBox = gesture.tool === 'rect' || gesture.tool === 'ellipse';
  const points = isBox && start ? [start, last] : [...gesture.points, ...to];
  return { ...gesture, square, points };
}

/** The corners of a polygon that were placed. */
const cornersOf = ({ points }: Gesture): Point[] => points.slice(0, -1);

/** Places a corner of a polygon. A point within `reach` picture pixels of the first or the last corner closes the polygon: undefined. */
export function placeCorner(gesture: Gesture, at: Point, reach: number): Gesture | undefined {
  const corners = cornersOf(gesture);
  const isThere = (corner: Point | undefined) => corner && Math.hypot(corner.x - at.x, corner.y - at.y) <= reach;
  if (isThere(corners[0]) || isThere(corners.at(-1))) return undefined;
  return { ...gesture, points: [...corners, at, at] };
}

/** Removes the last corner; undefined if it was the only one. */
export function takeBackCorner(gesture: Gesture): Gesture | undefined {
  const corners = cornersOf(gesture);
  const pointer = gesture.points.at(-1);
  return corners.length < 2 || !pointer ? undefined : { ...gesture, points: [...corners.slice(0, -1), pointer] };
}

/** The edit that the gesture would make so far; undefined while it encloses nothing. */
export function editOf({ tool, op, radius, square, points }: Gesture): ShapeEdit | undefined {
  const [start] = points;
  const end = points.at(-1);
  if (!start || !end) return undefined;
  if (isBrush(tool)) return { kind: 'stroke', op, radius, points };
  if (tool === 'lasso' || tool === 'polygon') return points.length < 3 ? undefined : { kind: 'area', op, points };
  const box = boxBetween(start, end, square);
  if (box.width < 1 || box.height < 1) return undefined;
  return { kind: tool === 'rect' ? 'rect' : 'ellipse', op, ...box };
}

/** The final edit, without the points that change less than a quarter of a screen pixel. */
export function finishGesture(gesture: Gesture, zoom: number): ShapeEdit | undefined {
  if (gesture.tool === 'polygon') return editOf({ ...gesture, points: simplify(cornersOf(gesture), 0) });
  const edit = editOf(gesture);
  if (edit?.kind !== 'stroke' && edit?.kind !== 'area') return edit;
  const points = simplify(edit.points, Math.min(0.25 / zoom, Math.max(0.25, gesture.radius / 20)));
  return edit.kind === 'area' && points.length < 3 ? undefined : { ...edit, points };
}

const isBrush = (tool: PaintTool): boolean => tool === 'brush' || tool === 'eraser';

export const MIN_BRUSH = 1;
export const MAX_BRUSH = 1024;

/** `[` and `]`: a step of about a tenth, at least one pixel of diameter. */
export function stepBrush(diameter: number, direction: 1 | -1): number {
  const step = Math.max(1, Math.round(diameter / 10));
  return Math.min(MAX_BRUSH, Math.max(MIN_BRUSH, diameter + direction * step));
}
