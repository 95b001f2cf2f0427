import { type Canvas, FabricObject } from 'fabric';
import { type MaskDocument, type MaskEdit, type Point, visibleEdits } from './document.ts';

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/**
 * The rubylith on the screen: one Fabric object that draws the whole document, and on top the stroke under the hand. What is
 * committed is kept as a bitmap of the window's size, so that a frame of a gesture costs one stroke and not all of them.
 */
export class MaskLayer extends FabricObject {
  private document: MaskDocument;
  private live: MaskEdit | undefined;
  private colour: string;
  private baked: { canvas: OffscreenCanvas; edits: readonly MaskEdit[]; transform: string; colour: string } | undefined;

  constructor(document: MaskDocument, colour: string) {
    super({
      width: document.width,
      height: document.height,
      left: document.width / 2,
      top: document.height / 2,
      originX: 'center',
      originY: 'center',
      strokeWidth: 0,
      objectCaching: false,
      selectable: false,
      evented: false,
    });
    this.document = document;
    this.colour = colour;
  }

  show(document: MaskDocument, live: MaskEdit | undefined): void {
    this.document = document;
    this.live = live;
  }

  paintIn(colour: string): void {
    this.colour = colour;
  }

  override isOnScreen(): boolean {
    return true;
  }

  override _render(context: CanvasRenderingContext2D): void {
    const canvas = this.canvas as Canvas | undefined;
    if (!canvas) return;
    context.translate(-this.document.width / 2, -this.document.height / 2);
    const transform = context.getTransform();
    const baked = this.bake(transform, canvas.lowerCanvasEl);
    context.resetTransform();
    context.drawImage(baked, 0, 0);
    context.setTransform(transform);
    if (this.live)
      clipped(context, this.document, () => this.live && drawEdit(context, this.live, this.document, this.colour));
  }

  /** Draws what is new onto the bitmap; all of it where the view or an earlier edit has changed. */
  private bake(transform: DOMMatrix, { width, height }: HTMLCanvasElement): OffscreenCanvas {
    const edits = visibleEdits(this.document);
    const key = `${transform}`;
    const old = this.baked;
    const isSameView =
      old?.transform === key &&
      old.colour === this.colour &&
      old.canvas.width === width &&
      old.canvas.height === height;
    const continues = isSameView && old.edits.length <= edits.length && old.edits.every((edit, i) => edit === edits[i]);
    const canvas = isSameView ? old.canvas : new OffscreenCanvas(Math.max(1, width), Math.max(1, height));
    const context = canvas.getContext('2d');
    if (context) {
      context.resetTransform();
      if (!continues) context.clearRect(0, 0, width, height);
      context.setTransform(transform);
      clipped(context, this.document, () => {
        for (const edit of continues ? edits.slice(old.edits.length) : edits)
          drawEdit(context, edit, this.document, this.colour);
      });
    }
    this.baked = { canvas, edits, transform: key, colour: this.colour };
    return canvas;
  }
}

/** Paint that runs over the picture's edge is neither shown nor sent. */
function clipped(context: Context, { width, height }: MaskDocument, draw: () => void): void {
  context.save();
  context.beginPath();
  context.rect(0, 0, width, height);
  context.clip();
  draw();
  context.restore();
}

function drawEdit(context: Context, edit: MaskEdit, { width, height }: MaskDocument, colour: string): void {
  context.fillStyle = colour;
  context.strokeStyle = colour;
  if (edit.kind === 'clear') {
    context.clearRect(0, 0, width, height);
    return;
  }
  context.globalCompositeOperation = compositeOf(edit);
  context.beginPath();
  if (edit.kind === 'stroke') drawStroke(context, edit.points, edit.radius);
  else {
    if (edit.kind === 'area') outline(context, edit.points);
    else if (edit.kind === 'ellipse') {
      const { x, y, width: w, height: h } = edit;
      context.ellipse(x + w / 2, y + h / 2, w / 2, h / 2, 0, 0, Math.PI * 2);
    } else if (edit.kind === 'rect') context.rect(edit.x, edit.y, edit.width, edit.height);
    else context.rect(0, 0, width, height);
    context.fill();
  }
  context.globalCompositeOperation = 'source-over';
}

/** Painted over painted with `xor` is bare again: that turns the mask over. */
function compositeOf(edit: Exclude<MaskEdit, { kind: 'clear' }>): GlobalCompositeOperation {
  if (edit.kind === 'invert') return 'xor';
  return edit.op === 'add' ? 'source-over' : 'destination-out';
}

function drawStroke(context: Context, points: readonly Point[], radius: number): void {
  const [first] = points;
  if (!first) return;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.lineWidth = radius * 2;
  context.moveTo(first.x, first.y);
  if (points.length === 1) context.lineTo(first.x, first.y);
  else for (const { x, y } of points.slice(1)) context.lineTo(x, y);
  context.stroke();
}

function outline(context: Context, points: readonly Point[]): void {
  for (const [index, { x, y }] of points.entries()) {
    if (index === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
  context.closePath();
}
