import {
  type MaskDocument,
  type PaintEdit,
  type Point,
  type Shape,
  type ShapeEdit,
  shapesOf,
  visibleEdits,
} from './document.ts';
import { fittedTo, type Handle, handleAt, isResizable, resizedBox } from './handles.ts';
import { boundsOf, movedBy, shapeAt } from './shapes.ts';

/** A shape under the hand, and how far it was moved so far: all of it, or one of its handles. */
export interface Moving extends Shape {
  from: Point;
  dx: number;
  dy: number;
  handle?: Handle | undefined;
  keepsRatio: boolean;
}

/** As near to a shape, in pixels of the screen, a press means it. */
const REACH = 6;

/** What a press takes hold of: a handle of the chosen shape, or else the uppermost shape there. */
export function grabbedAt(mask: MaskDocument, chosen: number | undefined, at: Point, zoom: number): Moving | undefined {
  const begun = { from: at, dx: 0, dy: 0, keepsRatio: false };
  const held = heldHandle(mask, chosen, at, zoom);
  if (held) return { ...held, ...begun };
  const shape = shapeAt(mask, at, REACH / zoom);
  return shape && { ...shape, ...begun };
}

/** The chosen shape with the handle of it that is at a place. */
export function heldHandle(mask: MaskDocument, chosen: number | undefined, at: Point, zoom: number) {
  const shape = shapesOf(mask).find(({ index }) => index === chosen);
  const handle = shape && isResizable(shape.edit) ? handleAt(boundsOf(shape.edit), at, zoom) : undefined;
  return shape && handle && { ...shape, handle };
}

/** Further by whole pixels, as far as the pointer is from where it took hold. */
export const dragged = (moving: Moving, to: Point, keepsRatio: boolean): Moving => ({
  ...moving,
  dx: Math.round(to.x - moving.from.x),
  dy: Math.round(to.y - moving.from.y),
  keepsRatio,
});

/** The shape as it is under the hand. */
export function movedShape({ edit, dx, dy, handle, keepsRatio }: Moving): ShapeEdit {
  if (dx === 0 && dy === 0) return edit;
  return handle ? fittedTo(edit, resizedBox(boundsOf(edit), handle, { dx, dy }, keepsRatio)) : movedBy(edit, dx, dy);
}

/**
 * The document while a shape is moved. Where later steps work on all pixels, computing them for each frame would hold up the hand: there the
 * shape is drawn over the mask, and the steps follow when it is let go.
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
