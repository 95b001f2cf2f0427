import { type Canvas, loadImage } from '@napi-rs/canvas';
import { randomOf } from '../random.ts';
import { asStored } from './asStored.ts';
import { layer, type Pen, smoothstep } from './drawing.ts';
import { addObject, namesObject } from './objects.ts';
import type { EditSpec } from './specs.ts';
import { paintStill } from './still.ts';
import { paintWatermark } from './watermark.ts';

/**
 * Repaints exactly the white pixels of the mask (spec 2.6). A thing named in the prompt is painted over the picture; a scene replaces it;
 * without a prompt, the surroundings fill the pixels. Black pixels stay bit for bit, since PNG is lossless.
 */
export async function drawEdit(spec: EditSpec): Promise<Uint8Array> {
  const { width, height } = spec;
  const base = await decoded(spec.base, width, height);
  const mask = await decoded(spec.mask, width, height);
  const isWhite = mask.pen.getImageData(0, 0, width, height).data;
  const fill = namesObject(spec.prompt) ? copyOf(base.canvas) : filled(base.canvas, mask.canvas);
  paintAsked(spec, fill, boundsOf(isWhite, width, height));
  const watermark = paintWatermark(spec);
  fill.pen.drawImage(watermark.canvas, 0, watermark.y);
  const kept = base.pen.getImageData(0, 0, width, height);
  const fresh = fill.pen.getImageData(0, 0, width, height).data;
  const random = randomOf(spec.seed);
  for (let at = 0; at < kept.data.length; at += 4) {
    if (isWhite[at] !== 255) continue;
    const speck = (random() + random() - 1) * 6;
    let changed = false;
    for (let channel = at; channel < at + 3; channel += 1) {
      const value = Math.max(0, Math.min(255, Math.round((fresh[channel] ?? 0) + speck)));
      changed ||= value !== kept.data[channel];
      kept.data[channel] = value;
    }
    // A white pixel must change even if it got its old value by chance.
    if (!changed) kept.data[at + 2] = (kept.data[at + 2] ?? 0) ^ 1;
  }
  base.pen.putImageData(kept, 0, 0);
  return base.canvas.toBuffer('image/png');
}

async function decoded(bytes: Uint8Array, width: number, height: number) {
  const sheet = layer(width, height);
  sheet.pen.drawImage(await loadImage(asStored(bytes)), 0, 0);
  return sheet;
}

function copyOf(canvas: Canvas) {
  const sheet = layer(canvas.width, canvas.height);
  sheet.pen.drawImage(canvas, 0, 0);
  return sheet;
}

/** The base with its white areas filled from their surroundings, by shrinking and enlarging until nothing is empty. */
function filled(base: Canvas, mask: Canvas): { canvas: Canvas; pen: Pen } {
  const { width, height } = base;
  const holed = layer(width, height);
  holed.pen.drawImage(alphaOf(mask), 0, 0);
  holed.pen.globalCompositeOperation = 'source-out';
  holed.pen.drawImage(base, 0, 0);
  const levels: Canvas[] = [holed.canvas];
  for (let size = 2; size < Math.max(width, height); size *= 2) {
    const above = levels.at(-1) ?? holed.canvas;
    const { canvas, pen } = layer(Math.ceil(width / size), Math.ceil(height / size));
    pen.imageSmoothingQuality = 'high';
    pen.drawImage(above, 0, 0, canvas.width, canvas.height);
    levels.push(canvas);
  }
  const result = layer(width, height);
  result.pen.imageSmoothingQuality = 'high';
  for (const level of levels.reverse()) {
    // Stacking makes partly covered pixels opaque.
    for (let time = 0; time < 3; time += 1) result.pen.drawImage(level, 0, 0, width, height);
  }
  return result;
}

/** White becomes opaque, black transparent. */
function alphaOf(mask: Canvas): Canvas {
  const { canvas, pen } = layer(mask.width, mask.height);
  pen.drawImage(mask, 0, 0);
  const image = pen.getImageData(0, 0, mask.width, mask.height);
  for (let at = 0; at < image.data.length; at += 4) image.data[at + 3] = image.data[at] ?? 0;
  pen.clearRect(0, 0, mask.width, mask.height);
  pen.putImageData(image, 0, 0);
  return canvas;
}

/** Paints what the prompt names: a thing, or a scene, of which a larger area shows more. */
function paintAsked(spec: EditSpec, fill: { canvas: Canvas; pen: Pen }, box: Box | null): void {
  if (!box || !spec.prompt.trim()) return;
  if (namesObject(spec.prompt)) return addObject(fill.pen, spec.prompt, box, randomOf(spec.seed));
  const scene = paintStill({ ...spec, version: '7' });
  const share = smoothstep(0.02, 0.5, (box.width * box.height) / (spec.width * spec.height));
  fill.pen.globalAlpha = 0.6 + 0.4 * share;
  fill.pen.drawImage(scene.canvas, 0, 0);
  fill.pen.globalAlpha = 1;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

function boundsOf(mask: Uint8ClampedArray, width: number, height: number): Box | null {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (mask[(y * width + x) * 4] !== 255) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  }
  return right < 0 ? null : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}
