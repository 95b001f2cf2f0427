import { randomOf } from '../random.ts';
import { grain } from './colorGrade.ts';
import { layer } from './drawing.ts';
import { moodOf } from './mood.ts';
import { drawScene } from './scene.ts';
import { buildScene, sceneFor } from './scenes/catalogue.ts';
import type { StillSpec } from './specs.ts';
import { paintWatermark } from './watermark.ts';

/** Draws the picture of an imagine task as a PNG. The same words, version, size and seed give the same bytes. */
export function drawStill(spec: StillSpec): Uint8Array {
  const { canvas, pen } = paintStill(spec);
  const watermark = paintWatermark(spec);
  pen.drawImage(watermark.canvas, 0, watermark.y);
  return canvas.toBuffer('image/png');
}

/** The picture without its watermark. */
export function paintStill(spec: Pick<StillSpec, 'width' | 'height' | 'prompt' | 'seed' | 'version'>) {
  const { name } = sceneFor(spec.prompt, spec.seed);
  const mood = moodOf(spec.prompt);
  const random = randomOf(spec.seed ^ 0x5bd1);
  // Another model version uses the same seed differently (spec 9.3).
  const seed = spec.version === '7' ? spec.seed : (spec.seed ^ (Number.parseFloat(spec.version) * 1000)) >>> 0;
  const scene = buildScene(name, spec, seed, mood);
  const sheet = layer(spec.width, spec.height);
  drawScene(sheet.pen, scene, random() * 6, true);
  grain(sheet.canvas, random, 6);
  return sheet;
}
