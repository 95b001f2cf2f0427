import { type Canvas, FabricObject } from 'fabric';
import { type MaskDocument, type PaintEdit, type Point, visibleEdits } from './document.ts';
import { rasterise } from './rasterise.ts';

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;
/** An edit that is drawn by an outline. */
type OutlinedEdit = Exclude<PaintEdit, { kind: 'grow' | 'pixels' }>;
const isOutlined = (edit: PaintEdit): edit is OutlinedEdit => edit.kind !== 'grow' && edit.kind !== 'pixels';

/** What was grown or filled is shown from pixels: of a larger picture from so many along its longer side. */
const MOST_SHOWN = 2_048;

/**
 * The rubylith on the screen: one Fabric object that draws the whole document, and on top the stroke under the hand. What is
 * committed is kept as a bitmap of the window's size, so that a frame of a gesture costs one stroke and not all of them.
 */
export class MaskLayer extends FabricObject {
  private document: MaskDocument;
  private live: PaintEdit | undefined;
  private colour: string;
  /** The edits up to the last one that is drawn by pixels, such as one that grew the mask. */
  private grown: { canvas: OffscreenCanvas; edits: readonly PaintEdit[]; colour: string } | undefined;
  private baked:
    | { canvas: OffscreenCanvas; edits: readonly PaintEdit[]; transform: string; colour: string }
    | undefined;

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

  show(document: MaskDocument, live: PaintEdit | undefined): void {
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
    const { live } = this;
    if (live && isOutlined(live))
      clipped(context, this.document, () => drawEdit(context, live, this.document, this.colour));
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
    const grownTo = edits.findLastIndex((edit) => !isOutlined(edit)) + 1;
    const continues = isSameView && old.edits.length >= grownTo && startsWith(edits, old.edits);
    const canvas = isSameView ? old.canvas : new OffscreenCanvas(Math.max(1, width), Math.max(1, height));
    const context = canvas.getContext('2d');
    if (context) {
      context.resetTransform();
      if (!continues) context.clearRect(0, 0, width, height);
      context.setTransform(transform);
      clipped(context, this.document, () => {
        if (!continues && grownTo > 0) this.drawGrown(context, edits.slice(0, grownTo));
        for (const edit of edits.slice(continues ? old.edits.length : grownTo))
          if (isOutlined(edit)) drawEdit(context, edit, this.document, this.colour);
      });
    }
    this.baked = { canvas, edits, transform: key, colour: this.colour };
    return canvas;
  }

  private drawGrown(context: Context, edits: readonly PaintEdit[]): void {
    const { document, colour, grown } = this;
    const isKnown = grown?.colour === colour && grown.edits.length === edits.length && startsWith(edits, grown.edits);
    const canvas = isKnown ? grown.canvas : painted({ ...document, strokes: edits }, colour);
    this.grown = { canvas, edits, colour };
    context.drawImage(canvas, 0, 0, document.width, document.height);
  }
}

const startsWith = (edits: readonly PaintEdit[], first: readonly PaintEdit[]): boolean =>
  first.length <= edits.length && first.every((edit, index) => edit === edits[index]);

/** The white of a document as pixels of a colour, the rest bare. */
function painted(document: MaskDocument, colour: string): OffscreenCanvas {
  const scale = Math.min(1, MOST_SHOWN / Math.max(document.width, document.height));
  const { width, height, data } = rasterise(document, scale);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) return canvas;
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let index = 0; index < data.length; index++) if (data[index] === 255) pixels[index] = 0xff_ff_ff_ff;
  context.putImageData(image, 0, 0);
  context.globalCompositeOperation = 'source-in';
  context.fillStyle = colour;
  context.fillRect(0, 0, width, height);
  return canvas;
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

function drawEdit(context: Context, edit: OutlinedEdit, { width, height }: MaskDocument, colour: string): void {
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
function compositeOf(edit: Exclude<OutlinedEdit, { kind: 'clear' }>): GlobalCompositeOperation {
  if (edit.kind === 'invert') return 'xor';
  return edit.op === 'add' ? 'source-over' : 'destination-out';
}

function drawStroke(context: Context, points: readonly Point[], radius: number): void {
  const [first] = points;
  if (!first) return;
  // A line without length is not drawn, round ends or not.
  if (points.every(({ x, y }) => x === first.x && y === first.y)) {
    context.arc(first.x, first.y, radius, 0, Math.PI * 2);
    context.fill();
    return;
  }
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.lineWidth = radius * 2;
  context.moveTo(first.x, first.y);
  for (const { x, y } of points.slice(1)) context.lineTo(x, y);
  context.stroke();
}

function outline(context: Context, points: readonly Point[]): void {
  for (const [index, { x, y }] of points.entries()) {
    if (index === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
  context.closePath();
}
