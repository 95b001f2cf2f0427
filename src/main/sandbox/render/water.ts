import type { Canvas } from '@napi-rs/canvas';
import { layer, type Pen } from './drawing.ts';
import type { Noise } from './noise.ts';

/** Still water from `top` down: mirrored layers, drawn in strips that sway more towards the viewer. */
export interface Water {
  top: number;
  sheets: { canvas: Canvas; x: number; drift?: (second: number) => [number, number] }[];
  /** Sway at the bottom edge, in pixels. */
  sway: number;
  speed: number;
}

const STRIPS = 110;
let surface: { canvas: Canvas; pen: Pen } | null = null;

/** Draws the strips on whole rows of their own canvas, so that no line shows between them when the camera scales it. */
export function drawWater(pen: Pen, water: Water, second: number): void {
  const { width, height } = water.sheets[0]?.canvas ?? pen.canvas;
  if (surface?.canvas.width !== width || surface.canvas.height !== height) surface = layer(width, height);
  // Still water lies under the swaying strips, whose edges would otherwise show an earlier frame.
  const [base] = water.sheets;
  if (base) surface.pen.drawImage(base.canvas, base.x, 0);
  for (const sheet of water.sheets) drawStrips(surface.pen, sheet, water, second);
  pen.drawImage(surface.canvas, 0, water.top);
}

function drawStrips(
  pen: Pen,
  { canvas, x, drift }: Water['sheets'][number],
  { sway, speed }: Water,
  second: number,
): void {
  const [dx] = drift?.(second) ?? [0, 0];
  const step = Math.max(2, Math.round(canvas.height / STRIPS));
  for (let y = 0; y < canvas.height; y += step) {
    const near = y / canvas.height;
    const row = near * STRIPS;
    const wave =
      Math.sin(row * (0.9 - near * 0.5) + second * 1.9 * speed) +
      0.7 * Math.sin(row * 2.71 - second * 2.7 * speed) +
      0.8 * Math.sin(row * 0.31 - second * 1.1 * speed);
    const shift = x + sway * (0.1 + near) * wave * 0.4 + dx;
    const high = Math.min(step, canvas.height - y);
    pen.drawImage(canvas, 0, y, canvas.width, high, shift, y, canvas.width, high);
  }
}

export interface MirrorOptions {
  noise: Noise;
  /** How much the surface distorts the picture. */
  roughness: number;
  stretch?: number;
}

/**
 * The reflection of everything above `top`: mirrored row by row with a wobble, smeared downwards like light on water, then distorted by
 * ripples. Transparent where the source is.
 */
export function mirror(
  source: Canvas,
  top: number,
  depth: number,
  { noise, roughness, stretch = 1 }: MirrorOptions,
): Canvas {
  const { width } = source;
  const rows = layer(width, depth);
  for (let row = 0; row < depth; row += 1) {
    const near = row / depth;
    const from = top - 1 - ((row * stretch) % top);
    const sway = (noise((row * 0.11) / (0.25 + near), 3, 3) - 0.5) * roughness * (0.15 + near) * width * 0.016;
    const wobble = (noise((row * 0.6) / (0.3 + near), 40, 2) - 0.5) * 14 * near;
    rows.pen.drawImage(source, 0, Math.max(0, from + wobble), width, 1.6, sway, row, width, 1.6);
  }
  const smeared = layer(width, Math.ceil(depth / 14));
  smeared.pen.imageSmoothingQuality = 'high';
  smeared.pen.drawImage(rows.canvas, 0, 0, width, depth, 0, 0, width, smeared.canvas.height);
  const mixed = layer(width, depth);
  mixed.pen.drawImage(rows.canvas, 0, 0);
  mixed.pen.globalAlpha = 0.86;
  mixed.pen.imageSmoothingQuality = 'high';
  mixed.pen.filter = 'blur(1.5px)';
  mixed.pen.drawImage(smeared.canvas, 0, 0, width, smeared.canvas.height, 0, 0, width, depth);
  return broken(mixed.canvas, noise);
}

function broken(source: Canvas, noise: Noise): Canvas {
  const { width, height } = source;
  const { canvas, pen } = layer(width, height);
  for (let row = 0; row < height; row += 2) {
    const near = row / height;
    const sway = (noise((row * 0.13) / (0.35 + near), 77, 3) - 0.5) * 30 * near * (width / 1280);
    pen.drawImage(source, 0, row, width, 2.4, sway, row, width, 2.4);
  }
  return canvas;
}

/** Darkens water towards the viewer and adds glints. */
export function finishWater(canvas: Canvas, noise: Noise, dark: number, glint = '150,180,185'): void {
  const { width, height } = canvas;
  const pen = canvas.getContext('2d');
  // Ripples pull the edges inwards, so a slightly wider copy lies behind them.
  pen.globalCompositeOperation = 'destination-over';
  pen.drawImage(canvas, -width * 0.02, 0, width * 1.04, height);
  pen.globalCompositeOperation = 'source-over';
  const shade = pen.createLinearGradient(0, 0, 0, height);
  shade.addColorStop(0, `rgba(4,9,12,${dark * 0.5})`);
  shade.addColorStop(1, `rgba(3,6,8,${dark})`);
  pen.fillStyle = shade;
  pen.fillRect(0, 0, width, height);
  for (let index = 0; index < 260; index += 1) {
    const near = noise(index * 3.1, 8, 1) ** 0.8;
    const long = (10 + noise(index, 2, 1) * 90) * (0.2 + near) * (width / 1280);
    pen.fillStyle = `rgba(${glint},${0.03 + 0.05 * noise(index, 5, 1)})`;
    pen.fillRect(noise(index * 7.7, 1, 1) * width * 1.4 - width * 0.2, near * height, long, 1 + near * 1.6);
  }
}
