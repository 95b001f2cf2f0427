import { type Canvas, FabricObject } from 'fabric';
import { type MaskDocument, type PaintEdit, type Point, visibleEdits } from './document.ts';

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;
/** An edit drawn as an outline. */
type OutlinedEdit = Exclude<PaintEdit, { kind: 'grow' | 'pixels' }>;
const isOutlined = (edit: PaintEdit): edit is OutlinedEdit => edit.kind !== 'grow' && edit.kind !== 'pixels';

interface Asked {
  edits: readonly PaintEdit[];
  colour: string;
}

/** Draws the white of a document in a colour, the rest transparent. */
export type PixelsOf = (document: MaskDocument, colour: string) => Promise<ImageBitmap>;

/**
 * The mask overlay on the screen: one Fabric object that draws the whole document and, on top, the current stroke. Finished edits are
 * cached as a bitmap of the window's size, so that a frame of a gesture costs one stroke and not all of them. The pixels of a grow or a
 * fill are made elsewhere; until they are ready, the previous state stays on the screen.
 */
export class MaskLayer extends FabricObject {
  private document: MaskDocument;
  private live: PaintEdit | undefined;
  private colour: string;
  /** The edits up to the last one that needs pixels, such as a grow, with their bitmap. */
  private grown: (Asked & { bitmap: ImageBitmap }) | undefined;
  /** The pixels that are needed now and have been requested. */
  private asked: Asked | undefined;
  /** The edits on the screen. */
  private shown: readonly PaintEdit[] = [];
  private readonly pixelsOf: PixelsOf;
  private readonly onPixels: () => void;
  private baked:
    | {
        canvas: OffscreenCanvas;
        edits: readonly PaintEdit[];
        transform: string;
        colour: string;
        pixels: ImageBitmap | undefined;
      }
    | undefined;

  constructor(document: MaskDocument, colour: string, pixelsOf: PixelsOf, onPixels: () => void) {
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
    this.pixelsOf = pixelsOf;
    this.onPixels = onPixels;
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

  /** Adds new edits to the bitmap; redraws everything if the view or an earlier edit changed. */
  private bake(transform: DOMMatrix, { width, height }: HTMLCanvasElement): OffscreenCanvas {
    const edits = this.showable();
    const key = `${transform}`;
    const old = this.baked;
    const isSameView =
      old?.transform === key &&
      old.colour === this.colour &&
      old.canvas.width === width &&
      old.canvas.height === height;
    const grownTo = endOfPixels(edits);
    const pixels = grownTo > 0 ? this.grown?.bitmap : undefined;
    const continues =
      isSameView && old.pixels === pixels && old.edits.length >= grownTo && startsWith(edits, old.edits);
    const canvas = isSameView ? old.canvas : new OffscreenCanvas(Math.max(1, width), Math.max(1, height));
    const context = canvas.getContext('2d');
    if (context) {
      context.resetTransform();
      if (!continues) context.clearRect(0, 0, width, height);
      context.setTransform(transform);
      clipped(context, this.document, () => {
        if (!continues && pixels) context.drawImage(pixels, 0, 0, this.document.width, this.document.height);
        for (const edit of edits.slice(continues ? old.edits.length : grownTo))
          if (isOutlined(edit)) drawEdit(context, edit, this.document, this.colour);
      });
    }
    this.baked = { canvas, edits, transform: key, colour: this.colour, pixels };
    return canvas;
  }

  /** The edits of the document if their pixels are ready. Otherwise requests the pixels and returns the edits on the screen. */
  private showable(): readonly PaintEdit[] {
    const edits = visibleEdits(this.document);
    const wanted: Asked = { edits: edits.slice(0, endOfPixels(edits)), colour: this.colour };
    if (wanted.edits.length > 0 && !isSame(this.grown, wanted)) {
      this.ask(wanted);
      return this.shown;
    }
    this.asked = undefined;
    this.shown = edits;
    return edits;
  }

  private ask(wanted: Asked): void {
    if (isSame(this.asked, wanted)) return;
    this.asked = wanted;
    const come = (bitmap: ImageBitmap) => {
      if (this.asked !== wanted) return bitmap.close();
      this.grown?.bitmap.close();
      this.grown = { ...wanted, bitmap };
      this.shown = wanted.edits;
      this.onPixels();
    };
    // On failure the previous state stays on the screen; the proof reports the reason.
    this.pixelsOf({ ...this.document, strokes: wanted.edits }, wanted.colour).then(come, () => {});
  }
}

/** The index after the last edit that needs pixels. */
const endOfPixels = (edits: readonly PaintEdit[]): number => edits.findLastIndex((edit) => !isOutlined(edit)) + 1;

const isSame = (known: Asked | undefined, { edits, colour }: Asked): boolean =>
  known?.colour === colour && known.edits.length === edits.length && startsWith(edits, known.edits);

const startsWith = (edits: readonly PaintEdit[], first: readonly PaintEdit[]): boolean =>
  first.length <= edits.length && first.every((edit, index) => edit === edits[index]);

/** Paint beyond the picture's edge is neither shown nor sent. */
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

/** `xor` clears painted pixels that are painted again, which inverts the mask. */
function compositeOf(edit: Exclude<OutlinedEdit, { kind: 'clear' }>): GlobalCompositeOperation {
  if (edit.kind === 'invert') return 'xor';
  return edit.op === 'add' ? 'source-over' : 'destination-out';
}

function drawStroke(context: Context, points: readonly Point[], radius: number): void {
  const [first] = points;
  if (!first) return;
  // A canvas does not draw a line of length 0, even with round ends.
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
