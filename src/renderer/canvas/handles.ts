import type { Box, Point, ShapeEdit } from './document.ts';
import { boundsOf } from './shapes.ts';

/** A handle by the sides of the box that it moves: -1 the left or the upper one, 1 the right or the lower one, 0 neither. */
export interface Handle {
  x: -1 | 0 | 1;
  y: -1 | 0 | 1;
}

const SIDES = [-1, 0, 1] as const;
/** Row by row, from the upper left one. */
export const HANDLES: readonly Handle[] = SIDES.flatMap((y) => SIDES.map((x) => ({ x, y }))).filter(
  ({ x, y }) => x !== 0 || y !== 0,
);

/** As near to a handle, in pixels of the screen, a press means it. */
const REACH = 7;
/** The handles of a shape that is smaller on the screen stand around it, so that it can still be dragged by its middle. */
const LEAST_SIDE = 32;

/** Where a handle is, in picture pixels, while one of them is `zoom` pixels of the screen. */
export function placeOfHandle({ x, y, width, height }: Box, handle: Handle, zoom: number): Point {
  const half = (side: number) => Math.max(side, LEAST_SIDE / zoom) / 2;
  return { x: x + width / 2 + handle.x * half(width), y: y + height / 2 + handle.y * half(height) };
}

/** The handle that a press at a place means. */
export function handleAt(box: Box, at: Point, zoom: number): Handle | undefined {
  const away = (handle: Handle) => {
    const place = placeOfHandle(box, handle, zoom);
    return Math.max(Math.abs(place.x - at.x), Math.abs(place.y - at.y));
  };
  return HANDLES.find((handle) => away(handle) <= REACH / zoom);
}

/** A stroke has the size that its brush gave it. */
export const isResizable = ({ kind }: ShapeEdit): boolean => kind !== 'stroke';

/**
 * The box with a handle moved by so many pixels. What it changes is a whole number of pixels, one at least; with `keepsRatio` a corner changes
 * both sides by one factor.
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

/** The shape as it fills a box: an outline with all its corners. */
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

/** The pointer over a handle. */
export function cursorOf({ x, y }: Handle): string {
  if (x === 0) return 'ns-resize';
  if (y === 0) return 'ew-resize';
  return x === y ? 'nwse-resize' : 'nesw-resize';
}

const hundredth = (value: number): number => Math.round(value * 100) / 100;
