/** The canvas module: the mask as a document, its painter, its file and proof. Plain classes and functions, without React. */
export type { OutsideChange } from './compare.ts';
export { MAX_GROW } from './distance.ts';
export {
  addEdit,
  type ChangeEdit,
  changeShape,
  emptyHistory,
  type MaskDocument,
  type MaskEdit,
  type MaskHistory,
  redo,
  type Shape,
  type ShapeEdit,
  shapesOf,
  stepTo,
  undo,
} from './document.ts';
export { MAX_BRUSH, MIN_BRUSH, stepBrush } from './gesture.ts';
export type { MaskReading } from './imported.ts';
export { beginsWith, historyOfText, paintedAfter, textOfHistory } from './maskText.ts';
export { maskWorker } from './maskWorker.ts';
export { MaskPainter, type PainterOptions, type PainterTool } from './painter.ts';
export type { MaskProof } from './proof.ts';
export { boundsOf, fittedTo, isResizable, movedBy, resizedBox } from './shapes.ts';
