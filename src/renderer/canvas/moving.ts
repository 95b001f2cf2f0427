import { type MaskDocument, type PaintEdit, type Point, type Shape, visibleEdits } from './document.ts';
import { movedBy } from './shapes.ts';

/** A shape under the hand, and how far it was moved so far. */
export interface Moving extends Shape {
  from: Point;
  dx: number;
  dy: number;
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
  const to = movedBy(moving.edit, moving.dx, moving.dy);
  if (visibleEdits(mask).some(({ kind }) => kind === 'grow' || kind === 'pixels')) return { document: mask, live: to };
  return { document: { ...mask, strokes: [...mask.strokes, { kind: 'change', target: moving.index, to }] } };
}
