import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { MaskEdit } from './document.ts';
import { MaskPainter } from './painter.ts';

/** A context that draws nothing: this DOM has none. */
const noContext = (): unknown =>
  new Proxy({} as Record<PropertyKey, unknown>, {
    get: (held, name) => (name in held ? held[name] : () => ({ width: 0, addColorStop() {} })),
  });

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe(): void {}
      disconnect(): void {}
    },
  );
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      getContext = noContext;
    },
  );
  HTMLCanvasElement.prototype.getContext = noContext as never;
  // The page draws no frame: what the painter hands out does not wait for one.
  vi.stubGlobal('requestAnimationFrame', () => 0);
});
afterEach(() => vi.unstubAllGlobals());

const at = (x: number, y: number) => ({
  clientX: x,
  clientY: y,
  button: 0,
  buttons: 1,
  bubbles: true,
  isPrimary: true,
});

/** One frame's event, with all the places that the pen has been since the frame before. */
function moved(...places: (readonly [number, number])[]): PointerEvent {
  const [x, y] = places.at(-1) ?? [0, 0];
  const event = new PointerEvent('pointermove', at(x, y));
  event.getCoalescedEvents = () => places.map(([left, top]) => new PointerEvent('pointermove', at(left, top)));
  return event;
}

it('a stroke goes through all the places where the pen has been between two frames', () => {
  const host = document.createElement('div');
  Object.defineProperties(host, { clientWidth: { value: 900 }, clientHeight: { value: 600 } });
  document.body.append(host);
  const edits: MaskEdit[] = [];
  const painter = new MaskPainter(
    host,
    { width: 400, height: 300, url: 'about:blank' },
    {
      onEdit: (edit) => void edits.push(edit),
      onFill() {},
      onSelect() {},
      onView() {},
      pixelsOf: () => new Promise(() => {}),
    },
  );
  // It lies in the middle of the window, pixel for pixel.
  const canvas = host.querySelector('.upper-canvas') ?? host;
  canvas.dispatchEvent(new PointerEvent('pointerdown', at(300, 200)));
  document.dispatchEvent(moved([350, 200], [400, 250], [400, 300]));
  document.dispatchEvent(new PointerEvent('pointerup', { ...at(400, 300), buttons: 0 }));
  const places = edits.flatMap((edit) => (edit.kind === 'stroke' ? edit.points : []));
  expect(places).toEqual([
    { x: 50, y: 50 },
    { x: 100, y: 50 },
    { x: 150, y: 100 },
    { x: 150, y: 150 },
  ]);
  painter.dispose();
});
