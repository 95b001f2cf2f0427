import { type Canvas, type CanvasGradient, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { Random } from '../random.ts';
import type { Noise } from './noise.ts';

/** Red, green and blue as in `rgba(…)`. */
export type Rgb = string;
export type Pen = SKRSContext2D;

/** Lights of a harbour at night, without and with signals and screens. */
export const WARM: readonly Rgb[] = ['255,176,92', '255,205,140', '255,146,66', '246,226,190'];
export const MIXED: readonly Rgb[] = [...WARM, '120,200,205', '90,150,190', '230,90,70'];

export function layer(width: number, height: number): { canvas: Canvas; pen: Pen } {
  const canvas = createCanvas(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)));
  return { canvas, pen: canvas.getContext('2d') };
}

export function linear(pen: Pen, line: [number, number, number, number], stops: [number, string][]): CanvasGradient {
  const gradient = pen.createLinearGradient(...line);
  for (const [offset, colour] of stops) gradient.addColorStop(offset, colour);
  return gradient;
}

/** A vertical gradient over the whole canvas, or between two heights. */
export function vertical(pen: Pen, stops: [number, string][], from = 0, to = pen.canvas.height): CanvasGradient {
  return linear(pen, [0, from, 0, to], stops);
}

/** A soft light with a small bright core, added to the picture. */
export function glow(pen: Pen, x: number, y: number, radius: number, rgb: Rgb, alpha: number): void {
  const gradient = pen.createRadialGradient(x, y, 0, x, y, radius);
  gradient.addColorStop(0, `rgba(${rgb},${alpha})`);
  gradient.addColorStop(0.25, `rgba(${rgb},${alpha * 0.42})`);
  gradient.addColorStop(0.6, `rgba(${rgb},${alpha * 0.1})`);
  gradient.addColorStop(1, `rgba(${rgb},0)`);
  const before = pen.globalCompositeOperation;
  pen.globalCompositeOperation = 'screen';
  pen.fillStyle = gradient;
  pen.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
  pen.globalCompositeOperation = before;
}

export interface FogOptions {
  /** The number of noise cells across and down; more is finer. */
  scale: [number, number];
  colour: [number, number, number];
  alpha: number;
  /** Its vertical band as fractions of the height; it thins out towards the edges. */
  band?: [number, number];
}

const FOG_WIDTH = 240;

/** Mist over the whole canvas, drawn small and enlarged, which is enough without detail. */
export function fog(pen: Pen, noise: Noise, { scale, colour, alpha, band = [0, 1] }: FogOptions): void {
  const { width, height } = pen.canvas;
  const rows = Math.max(8, Math.round((FOG_WIDTH * height) / width));
  const small = layer(FOG_WIDTH, rows);
  const image = small.pen.createImageData(FOG_WIDTH, rows);
  const open = band[0] <= 0 ? -1 : band[0];
  const shut = band[1] >= 1 ? 2 : band[1];
  for (let y = 0; y < rows; y += 1) {
    const v = y / rows;
    const edge = clamp01((v - open) / 0.15) * clamp01((shut - v) / 0.15);
    for (let x = 0; x < FOG_WIDTH; x += 1) {
      const density = Math.max(0, noise((x / FOG_WIDTH) * scale[0], v * scale[1], 5) * 1.9 - 0.55);
      image.data.set([...colour, 255 * Math.min(1, alpha * edge * density)], (y * FOG_WIDTH + x) * 4);
    }
  }
  small.pen.putImageData(image, 0, 0);
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(small.canvas, 0, 0, width, height);
}

export interface BokehOptions {
  count: number;
  /** The range of heights, and of radii, of the discs, in pixels. */
  from: number;
  to: number;
  smallest: number;
  largest: number;
  alpha: number;
  colours: readonly Rgb[];
}

/** Out-of-focus lights: discs with a slightly brighter rim. */
export function bokeh(pen: Pen, random: Random, look: BokehOptions): void {
  for (let index = 0; index < look.count; index += 1) {
    const x = random() * pen.canvas.width;
    const y = look.from + (look.to - look.from) * random();
    const radius = look.smallest + (look.largest - look.smallest) * random() ** 2;
    const rgb = look.colours[Math.floor(random() * look.colours.length)] ?? '255,200,140';
    disc(pen, x, y, radius, rgb, look.alpha * (0.35 + 0.65 * random()));
  }
}

export function disc(pen: Pen, x: number, y: number, radius: number, rgb: Rgb, alpha: number): void {
  const gradient = pen.createRadialGradient(x, y, 0, x, y, radius);
  gradient.addColorStop(0, `rgba(${rgb},${alpha * 0.75})`);
  gradient.addColorStop(0.82, `rgba(${rgb},${alpha})`);
  gradient.addColorStop(0.95, `rgba(${rgb},${alpha * 0.5})`);
  gradient.addColorStop(1, `rgba(${rgb},0)`);
  const before = pen.globalCompositeOperation;
  pen.globalCompositeOperation = 'screen';
  pen.fillStyle = gradient;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
  pen.globalCompositeOperation = before;
}

/** Drops on a pane: each shows the picture behind it small and upside down, dark at the top and bright at the bottom. */
export function drops(pen: Pen, random: Random, count: number, behind: Canvas): void {
  const { width, height } = behind;
  const unit = Math.min(width, height * 1.78) / 1280;
  for (let index = 0; index < count; index += 1) {
    const [x, y] = [random() * width, random() * height];
    const size = (1 + random() ** 3 * 12) * unit;
    drop(pen, x, y, size, behind);
    if (size > 8 * unit && random() > 0.4) trail(pen, random, x, y - size, size, unit);
  }
}

export function drop(pen: Pen, x: number, y: number, size: number, behind: Canvas): void {
  const view = size * 14;
  const left = Math.max(0, Math.min(behind.width - view, x - view / 2));
  const top = Math.max(0, Math.min(behind.height - view, y - view / 2));
  pen.save();
  pen.beginPath();
  pen.ellipse(x, y, size * 0.8, size, 0, 0, 2 * Math.PI);
  pen.clip();
  pen.translate(x, y);
  pen.scale(-1, -1);
  pen.drawImage(behind, left, top, view, view, -size, -size, 2 * size, 2 * size);
  pen.scale(-1, -1);
  pen.fillStyle = linear(
    pen,
    [0, -size, 0, size],
    [
      [0, 'rgba(0,0,0,.5)'],
      [0.6, 'rgba(0,0,0,.05)'],
      [1, 'rgba(255,255,255,.28)'],
    ],
  );
  pen.fillRect(-size, -size, 2 * size, 2 * size);
  pen.restore();
}

function trail(pen: Pen, random: Random, x: number, top: number, size: number, unit: number): void {
  pen.strokeStyle = 'rgba(190,210,215,.10)';
  pen.lineWidth = size * 0.7;
  pen.beginPath();
  pen.moveTo(x, top);
  let y = top;
  for (let step = 0; step < 6; step += 1) {
    y -= (18 + random() * 20) * unit;
    pen.lineTo(x + (random() - 0.5) * 5 * unit, y);
  }
  pen.stroke();
}

export function polygon(pen: Pen, points: [number, number][], fill: string | CanvasGradient): void {
  pen.fillStyle = fill;
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
  pen.closePath();
  pen.fill();
}

/** A skyline or shore, filled from the bottom edge to `height(x)` above `base`. */
export function ridge(
  pen: Pen,
  base: number,
  from: number,
  to: number,
  height: (x: number) => number,
  fill: string | CanvasGradient,
): void {
  pen.fillStyle = fill;
  pen.beginPath();
  pen.moveTo(from, base + 2);
  for (let x = from; x <= to; x += 5) pen.lineTo(x, base - height(x));
  pen.lineTo(to, base + 2);
  pen.fill();
}

export function clamp01(value: number): number {
  return Math.max(0, Math.min(1, value));
}

export function smoothstep(from: number, to: number, value: number): number {
  const part = clamp01((value - from) / (to - from));
  return part * part * (3 - 2 * part);
}
