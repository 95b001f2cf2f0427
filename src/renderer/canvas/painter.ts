import { Canvas, type TPointerEvent, type TPointerEventInfo } from 'fabric';
import { emptyHistory, type MaskDocument, type MaskEdit, type MaskOp, type Point, shapesOf } from './document.ts';
import { dressPicture, dressRing, maskColour, placeRing, ShapeFrame } from './dress.ts';
import {
  beginGesture,
  editOf,
  finishGesture,
  type Gesture,
  moveGesture,
  type PaintTool,
  placeCorner,
  takeBackCorner,
} from './gesture.ts';
import { MaskLayer, type PixelsOf } from './maskLayer.ts';
import { cursorOf, dragged, grabbedAt, heldHandle, type Moving, movedDocument, movedShape } from './shapes.ts';
import { centred, fitted, panBy, type Size, toPicture, type Viewport, zoomAt } from './viewport.ts';

export type PainterTool = PaintTool | 'hand' | 'select' | 'fill';

export interface PainterOptions {
  tool: PainterTool;
  op: MaskOp;
  /** Diameter of the brush, in picture pixels. */
  brush: number;
  /** Opacity of the overlay, 0 to 1. */
  overlay: number;
}

interface PainterEvents {
  /** A gesture has ended. The page adds the edit to its document and passes the document back. */
  onEdit(edit: MaskEdit): void;
  /** An area is to be filled or cleared. */
  onFill(at: Point, op: MaskOp): void;
  /** A shape was selected by its index in the list, or none. */
  onSelect(index: number | undefined): void;
  onView(view: { zoom: number; pointer: Point | undefined }): void;
  /** Makes the pixels of a grow, a fill or an import outside the main thread. */
  pixelsOf: PixelsOf;
}

/**
 * The mask painter: a picture, the overlay and the tools. It owns no document: documents come in through {@link show}, finished gestures go
 * out as plain edits.
 */
export class MaskPainter {
  private readonly host: HTMLElement;
  private readonly picture: Size;
  private readonly events: PainterEvents;
  private readonly image = new Image();
  private readonly ring = document.createElement('div');
  private readonly frame = new ShapeFrame();
  private readonly canvas: Canvas;
  private readonly layer: MaskLayer;
  private readonly resized: ResizeObserver;
  private readonly ended = new AbortController();
  private mask: MaskDocument;
  private options: PainterOptions = { tool: 'brush', op: 'add', brush: 64, overlay: 0.5 };
  private viewport: Viewport = { zoom: 1, x: 0, y: 0 };
  private isFitted = true;
  private isPanHeld = false;
  private panning: Point | undefined;
  private gesture: Gesture | undefined;
  private chosen: number | undefined;
  private moving: Moving | undefined;
  /** The end of the last brush stroke, in picture pixels. */
  private lastPoint: Point | undefined;
  private pointer: Point | undefined;

  constructor(host: HTMLElement, picture: Size & { url: string }, events: PainterEvents) {
    this.host = host;
    this.picture = { width: picture.width, height: picture.height };
    this.events = events;
    this.mask = emptyHistory(picture.width, picture.height).document;
    dressPicture(this.image, picture);
    dressRing(this.ring);
    const element = document.createElement('canvas');
    host.append(this.image, element, this.frame.element, this.ring);
    this.canvas = new Canvas(element, {
      enablePointerEvents: true,
      selection: false,
      skipTargetFind: true,
      fireMiddleClick: true,
      renderOnAddRemove: false,
      stopContextMenu: true,
    });
    this.canvas.wrapperEl.style.inset = '0';
    this.canvas.wrapperEl.style.position = 'absolute';
    const redraw = () => !this.ended.signal.aborted && this.redraw();
    this.layer = new MaskLayer(this.mask, maskColour(this.host), events.pixelsOf, redraw);
    this.canvas.add(this.layer);
    this.listen();
    this.resized = new ResizeObserver(() => this.resize());
    this.resized.observe(host);
    this.resize();
  }

  /** Shows a document: the page's own or another one of the same picture. */
  show(mask: MaskDocument): void {
    this.mask = mask;
    this.redraw();
  }

  select(index: number | undefined): void {
    this.chosen = index;
    this.redraw();
  }

  configure(options: PainterOptions): void {
    if (this.gesture?.tool === 'polygon' && options.tool !== 'polygon') this.cancel();
    this.options = options;
    this.canvas.lowerCanvasEl.style.opacity = String(options.overlay);
    this.dressCursor();
  }

  /** Reads the overlay colour again, after a change of theme. */
  retheme(): void {
    this.layer.paintIn(maskColour(this.host));
    this.redraw();
  }

  fit(): void {
    this.isFitted = true;
    this.look(fitted(this.picture, this.viewSize()));
  }

  /** One picture pixel on one screen pixel. */
  actualSize(): void {
    this.isFitted = false;
    this.look(centred(this.picture, this.viewSize(), 1));
  }

  /** Zooms about the pointer, or the middle without one. */
  zoomBy(factor: number): void {
    const { width, height } = this.viewSize();
    this.zoomAbout(this.pointerOnScreen() ?? { x: width / 2, y: height / 2 }, factor);
  }

  /** While the space bar is down, dragging moves the picture. */
  holdPan(isHeld: boolean): void {
    this.isPanHeld = isHeld;
    this.dressCursor();
  }

  /** Moves the pointer by keys, in screen pixels. A started stroke follows. */
  nudge(dx: number, dy: number): void {
    const { width, height } = this.viewSize();
    const from = this.pointerOnScreen() ?? { x: width / 2, y: height / 2 };
    const at = { x: Math.min(width, Math.max(0, from.x + dx)), y: Math.min(height, Math.max(0, from.y + dy)) };
    this.pointTo(toPicture(this.viewport, at));
    if (this.gesture && this.pointer) this.follow([this.pointer], false);
  }

  /** Puts the tool down at the pointer, or lifts it: painting by keys. */
  press(op: MaskOp = this.options.op): void {
    if (this.gesture?.tool === 'polygon') this.place(this.gesture.points.at(-1));
    else if (this.gesture) this.finish();
    else if (this.options.tool !== 'hand') {
      if (!this.pointer) this.nudge(0, 0);
      if (this.pointer) this.begin(this.pointer, op, false);
      this.drop();
    }
  }

  /** Whether a started gesture would be lost with the painter. */
  get isBusy(): boolean {
    return this.gesture !== undefined || this.moving !== undefined;
  }

  /** Drops the started stroke; false if there is none. */
  cancel(): boolean {
    const had = this.isBusy;
    this.gesture = undefined;
    this.moving = undefined;
    this.redraw();
    return had;
  }

  /** Removes the last corner of a started polygon; false if there is none. */
  takeBack(): boolean {
    if (this.gesture?.tool !== 'polygon') return false;
    this.gesture = takeBackCorner(this.gesture);
    this.redraw();
    return true;
  }

  dispose(): void {
    this.ended.abort();
    this.resized.disconnect();
    void this.canvas.dispose();
    this.host.replaceChildren();
  }

  private listen(): void {
    const { signal } = this.ended;
    this.canvas.on('mouse:down', (info) => this.down(info));
    this.canvas.on('mouse:move', (info) => this.move(info));
    this.canvas.on('mouse:up', () => this.up());
    this.canvas.on('mouse:out', () => this.leave());
    this.canvas.on('mouse:wheel', ({ e }) => this.wheel(e));
    window.addEventListener('pointercancel', () => this.up(), { signal });
    window.addEventListener('blur', () => this.up(), { signal });
  }

  private down({ e, scenePoint, viewportPoint }: TPointerEventInfo): void {
    this.host.focus({ preventScroll: true });
    const button = 'button' in e ? e.button : 0;
    if (button === 1 || this.isPanHeld || this.options.tool === 'hand') {
      this.panning = { x: viewportPoint.x, y: viewportPoint.y };
      this.dressCursor();
      return;
    }
    if (button === 0 && this.gesture?.tool === 'polygon') return this.place({ x: scenePoint.x, y: scenePoint.y });
    if (button !== 0 || this.gesture) return;
    const isOther = e.ctrlKey || e.metaKey;
    const op: MaskOp = isOther === (this.options.op === 'add') ? 'subtract' : 'add';
    this.begin({ x: scenePoint.x, y: scenePoint.y }, op, e.shiftKey);
  }

  private move({ e, scenePoint, viewportPoint }: TPointerEventInfo): void {
    if (this.panning) {
      this.isFitted = false;
      const { x, y } = this.panning;
      this.panning = { x: viewportPoint.x, y: viewportPoint.y };
      this.look(panBy(this.viewport, viewportPoint.x - x, viewportPoint.y - y, this.picture, this.viewSize()));
      return;
    }
    this.pointTo({ x: scenePoint.x, y: scenePoint.y });
    if (this.moving) this.drag({ x: scenePoint.x, y: scenePoint.y }, e.shiftKey);
    if (this.gesture) this.follow(this.pointsOf(e, scenePoint), e.shiftKey);
  }

  /** All positions of the pen since the last frame. Fabric gives the position of one event only, so coalesced events are converted here. */
  private pointsOf(e: TPointerEvent, { x, y }: Point): Point[] {
    const between = e instanceof PointerEvent ? e.getCoalescedEvents() : [];
    const { left, top } = this.canvas.upperCanvasEl.getBoundingClientRect();
    const places = between.map((one) => toPicture(this.viewport, { x: one.clientX - left, y: one.clientY - top }));
    return places.length > 0 ? places : [{ x, y }];
  }

  private up(): void {
    if (this.panning) {
      this.panning = undefined;
      this.dressCursor();
    } else if (this.moving) this.drop();
    else if (this.gesture && this.gesture.tool !== 'polygon') this.finish();
  }

  /** Places a corner of the started polygon. A click on its first or last corner closes it. */
  private place(at: Point | undefined): void {
    const { gesture } = this;
    if (!gesture || !at) return;
    const placed = placeCorner(gesture, at, CLOSE_REACH / this.viewport.zoom);
    if (!placed) return this.finish();
    this.gesture = placed;
    this.redraw();
  }

  private leave(): void {
    if (this.gesture) return;
    this.pointer = undefined;
    this.tell();
  }

  private wheel(e: WheelEvent): void {
    e.preventDefault();
    if (e.ctrlKey || e.metaKey) {
      const { x, y } = this.canvas.getViewportPoint(e);
      this.zoomAbout({ x, y }, Math.exp(-e.deltaY / 300));
    } else {
      this.isFitted = false;
      const [dx, dy] = e.shiftKey ? [e.deltaY, e.deltaX] : [e.deltaX, e.deltaY];
      this.look(panBy(this.viewport, -dx, -dy, this.picture, this.viewSize()));
    }
  }

  private begin(at: Point, op: MaskOp, isLine: boolean): void {
    const { tool, brush } = this.options;
    if (tool === 'hand') return;
    if (tool === 'fill') return this.events.onFill(at, op);
    if (tool === 'select') return this.grab(at);
    this.gesture = beginGesture({ tool, op, radius: brush / 2, at, lineFrom: isLine ? this.lastPoint : undefined });
    this.redraw();
  }

  /** Selects the shape at a point, to be dragged, or takes a handle of the selected shape. */
  private grab(at: Point): void {
    this.moving = grabbedAt(this.mask, this.chosen, at, this.viewport.zoom);
    this.events.onSelect(this.moving?.index);
  }

  private drag(to: Point, keepsRatio: boolean): void {
    this.moving &&= dragged(this.moving, to, keepsRatio);
    this.redraw();
  }

  private drop(): void {
    const { moving } = this;
    this.moving = undefined;
    const to = moving && movedShape(moving);
    if (to && to !== moving.edit) this.events.onEdit({ kind: 'change', target: moving.index, to });
    this.redraw();
  }

  private follow(to: readonly Point[], square: boolean): void {
    if (!this.gesture) return;
    this.gesture = moveGesture(this.gesture, to, square);
    this.redraw();
  }

  private finish(): void {
    const { gesture } = this;
    if (!gesture) return;
    const edit = finishGesture(gesture, this.viewport.zoom);
    this.gesture = undefined;
    this.lastPoint = gesture.points.at(-1);
    if (edit) this.events.onEdit(edit);
    this.redraw();
  }

  private zoomAbout(at: Point, factor: number): void {
    this.isFitted = false;
    this.look(zoomAt(this.viewport, at, factor, this.picture, this.viewSize()));
  }

  private look(viewport: Viewport): void {
    this.viewport = viewport;
    const { zoom, x, y } = viewport;
    this.image.style.transform = `matrix(${zoom}, 0, 0, ${zoom}, ${x}, ${y})`;
    this.image.style.imageRendering = zoom >= 4 ? 'pixelated' : 'auto';
    this.canvas.setViewportTransform([zoom, 0, 0, zoom, x, y]);
    this.redraw();
    this.tell();
  }

  private redraw(): void {
    const { moving, mask } = this;
    const chosen = moving ? movedShape(moving) : shapesOf(mask).find(({ index }) => index === this.chosen)?.edit;
    this.frame.show(chosen, this.viewport);
    const { document, live } = movedDocument(mask, moving);
    this.layer.show(document, this.gesture ? editOf(this.gesture) : live);
    this.canvas.requestRenderAll();
  }

  private resize(): void {
    const size = this.viewSize();
    if (size.width === 0 || size.height === 0) return;
    this.canvas.setDimensions(size);
    this.canvas.calcOffset();
    if (this.isFitted) this.fit();
    else this.look(panBy(this.viewport, 0, 0, this.picture, size));
  }

  private viewSize(): Size {
    return { width: this.host.clientWidth, height: this.host.clientHeight };
  }

  private pointerOnScreen(): Point | undefined {
    const { zoom, x, y } = this.viewport;
    return this.pointer && { x: this.pointer.x * zoom + x, y: this.pointer.y * zoom + y };
  }

  private pointTo(at: Point): void {
    this.pointer = at;
    this.tell();
  }

  private tell(): void {
    this.dressCursor();
    this.events.onView({ zoom: this.viewport.zoom, pointer: this.pointer });
  }

  private dressCursor(): void {
    const isPan = this.isPanHeld || this.panning !== undefined || this.options.tool === 'hand';
    const isBrush = this.options.tool === 'brush' || this.options.tool === 'eraser';
    const cursor = isPan ? (this.panning ? 'grabbing' : 'grab') : this.plainCursor();
    const at = this.pointerOnScreen();
    const isRing = !isPan && at !== undefined && this.options.tool !== 'select';
    const size = isBrush ? Math.max(3, this.options.brush * this.viewport.zoom) : 5;
    this.canvas.defaultCursor = isRing && isBrush ? 'none' : cursor;
    this.canvas.setCursor(this.canvas.defaultCursor);
    placeRing(this.ring, isRing ? at : undefined, size);
  }

  private plainCursor(): string {
    if (this.options.tool !== 'select') return 'crosshair';
    const { pointer, moving } = this;
    const held = moving ?? (pointer && heldHandle(this.mask, this.chosen, pointer, this.viewport.zoom));
    return held?.handle ? cursorOf(held.handle) : 'default';
  }
}

/** A click within this many screen pixels of a corner is a click on it. */
const CLOSE_REACH = 6;
