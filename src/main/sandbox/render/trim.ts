import type { Canvas } from '@napi-rs/canvas';
import { layer } from './drawing.ts';

/** A plane without its empty margins, and its position in the original: empty areas would cost time in every frame. */
export function trimmed(canvas: Canvas, { rows = true } = {}): { canvas: Canvas; x: number; y: number } {
  const { width, height } = canvas;
  const pixels = new Uint32Array(canvas.getContext('2d').getImageData(0, 0, width, height).data.buffer);
  const { left, top, right, bottom } = edgesOf(pixels, width, height);
  if (right < left) return { canvas: layer(1, 1).canvas, x: 0, y: 0 };
  const [from, to] = rows ? [top, bottom + 1] : [0, height];
  const cut = layer(right - left + 1, to - from);
  cut.pen.drawImage(canvas, -left, -from);
  return { canvas: cut.canvas, x: left, y: from };
}

/** The bounds of the visible pixels; if there are none, `right` is less than `left`. */
function edgesOf(pixels: Uint32Array, width: number, height: number) {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      // Alpha is the highest byte; below 2 of 255 nothing is visible.
      if ((pixels[y * width + x] ?? 0) >>> 25 === 0) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  return { left, top, right, bottom };
}
