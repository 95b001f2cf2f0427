import type { ShapeEdit } from './document.ts';
import { boundsOf, HANDLES, isResizable, placeOfHandle } from './shapes.ts';
import type { Viewport } from './viewport.ts';

/** The picture under the mask, laid out at its own size and transformed by the viewport's matrix. */
export function dressPicture(
  image: HTMLImageElement,
  { url, width, height }: { url: string; width: number; height: number },
) {
  image.src = url;
  image.alt = '';
  image.draggable = false;
  Object.assign(image.style, {
    position: 'absolute',
    left: '0',
    top: '0',
    maxWidth: 'none',
    width: `${width}px`,
    height: `${height}px`,
    transformOrigin: '0 0',
  });
}

/** Shows the ring around a point of the window, or hides it. */
export function placeRing({ style }: HTMLElement, at: { x: number; y: number } | undefined, size: number): void {
  style.display = at ? 'block' : 'none';
  if (!at) return;
  style.width = `${size}px`;
  style.height = `${size}px`;
  style.transform = `translate(${at.x - size / 2}px, ${at.y - size / 2}px)`;
}

/** The outline of the brush, visible on any picture. */
export function dressRing(ring: HTMLElement): void {
  Object.assign(ring.style, {
    position: 'absolute',
    left: '0',
    top: '0',
    borderRadius: '50%',
    boxShadow: '0 0 0 1px #000, inset 0 0 0 1px #fff',
    pointerEvents: 'none',
    display: 'none',
  });
}

/** The mask colour of the theme around an element. */
export const maskColour = (element: HTMLElement): string =>
  getComputedStyle(element).getPropertyValue('--mask').trim() || '#ff4a5c';

const SIDE = 9;

/** The frame around the selected shape with its eight handles. A layer of its own, so that the strength of the overlay does not fade it. */
export class ShapeFrame {
  readonly element = document.createElement('div');
  private readonly handles = HANDLES.map(() => document.createElement('div'));

  constructor() {
    this.element.className = 'shape-frame';
    dress(this.element, { boxShadow: '0 0 0 1px #fff, 0 0 0 2px #000, inset 0 0 0 1px #000', display: 'none' });
    for (const handle of this.handles)
      dress(handle, { width: `${SIDE}px`, height: `${SIDE}px`, background: '#fff', boxShadow: '0 0 0 1px #000' });
    this.element.append(...this.handles);
  }

  show(shape: ShapeEdit | undefined, { zoom, x, y }: Viewport): void {
    this.element.style.display = shape ? 'block' : 'none';
    if (!shape) return;
    const box = boundsOf(shape);
    Object.assign(this.element.style, {
      width: `${box.width * zoom}px`,
      height: `${box.height * zoom}px`,
      transform: `translate(${box.x * zoom + x}px, ${box.y * zoom + y}px)`,
    });
    for (const [index, place] of HANDLES.entries()) {
      const style = this.handles[index]?.style;
      const at = placeOfHandle(box, place, zoom);
      if (!style) continue;
      style.display = isResizable(shape) ? 'block' : 'none';
      style.transform = `translate(${(at.x - box.x) * zoom - SIDE / 2}px, ${(at.y - box.y) * zoom - SIDE / 2}px)`;
    }
  }
}

function dress({ style }: HTMLElement, more: Partial<CSSStyleDeclaration>): void {
  Object.assign(style, { position: 'absolute', left: '0', top: '0', pointerEvents: 'none' }, more);
}
