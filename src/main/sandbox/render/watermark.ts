import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Canvas, GlobalFonts } from '@napi-rs/canvas';
import { fitLabel } from '../watermarkLabel.ts';
import { layer, type Pen } from './drawing.ts';

const FAMILY = 'Dailies Sandbox';
let isReady = false;

/** Finds the bundled font in the folders above: the source tree, the built program and a package have it at different depths. */
function readyFont(): void {
  if (isReady) return;
  isReady = true;
  for (let up = '..'; up.length < 24; up = `../${up}`) {
    const path = fileURLToPath(new URL(`${up}/resources/fonts/inter-latin-opsz.woff2`, import.meta.url));
    if (!existsSync(path)) continue;
    GlobalFonts.register(readFileSync(path), FAMILY);
    return;
  }
}

export interface WatermarkOptions {
  width: number;
  height: number;
  label: string;
}

/** The watermark's font size, by which everything in it is measured. */
const typeSize = (width: number, height: number) => Math.max(11, Math.round(Math.min(width, height) * 0.0215));

/** Paints the watermark of every picture and clip at `y`, as wide as the frame: the word "sandbox", then the label. */
export function paintWatermark({ width, height, label }: WatermarkOptions): { canvas: Canvas; y: number } {
  readyFont();
  const size = typeSize(width, height);
  const { canvas, pen } = layer(width, size * 4.2);
  const [left, middle] = [Math.round(size * 1.3), size * 2.1];
  pen.lang = 'en';
  pen.textBaseline = 'alphabetic';
  const right = paintWord(pen, left, middle, size);
  pen.font = `400 ${size * 0.92}px '${FAMILY}', sans-serif`;
  pen.letterSpacing = '0px';
  pen.shadowColor = 'rgba(0,0,0,.85)';
  pen.shadowBlur = size * 0.45;
  pen.fillStyle = 'rgba(255,255,255,.82)';
  const room = Math.min(width - right, size * 36 + left - right) - size * 2.4;
  const text = fitLabel(label, (each) => pen.measureText(each).width <= room);
  pen.fillText(text, right + size * 0.8, middle + size * 0.34);
  return { canvas, y: height - canvas.height };
}

/**
 * The strip that contains our watermark, or null. A clip that starts from such a picture must not move the old watermark. The word is found
 * by similarity, since another program may have changed the picture.
 */
export function findWatermark(picture: Canvas): { x: number; y: number; width: number; height: number } | null {
  const { width, height } = picture;
  const size = typeSize(width, height);
  const watermark = paintWatermark({ width, height, label: '' });
  const ground = layer(width, watermark.canvas.height);
  ground.pen.fillStyle = '#444';
  ground.pen.fillRect(0, 0, width, height);
  ground.pen.drawImage(watermark.canvas, 0, 0);
  const word = [size * 1.3, size * 1.1, size * 5.6, size * 2] as const;
  const expected = lumaOf(ground.canvas, ...word);
  const found = lumaOf(picture, word[0], watermark.y + word[1], word[2], word[3]);
  if (likeness(expected, found) < 0.7) return null;
  return { x: 0, y: watermark.y, width: Math.min(width, size * 37), height: height - watermark.y };
}

const GRID = [96, 34] as const;

/** A region's brightness as a small grid. */
function lumaOf(source: Canvas, x: number, y: number, width: number, height: number): number[] {
  const { canvas, pen } = layer(...GRID);
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(source, x, y, width, height, 0, 0, ...GRID);
  const data = canvas.data();
  return Array.from(
    { length: GRID[0] * GRID[1] },
    (_, at) => (data[at * 4] ?? 0) + (data[at * 4 + 1] ?? 0) + (data[at * 4 + 2] ?? 0),
  );
}

/** Pearson's correlation. */
function likeness(left: number[], right: number[]): number {
  const mean = (list: number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const [leftMean, rightMean] = [mean(left), mean(right)];
  let [both, ofLeft, ofRight] = [0, 0, 0];
  left.forEach((value, at) => {
    const [a, b] = [value - leftMean, (right[at] ?? 0) - rightMean];
    both += a * b;
    ofLeft += a * a;
    ofRight += b * b;
  });
  return both / Math.sqrt(ofLeft * ofRight || 1);
}

function paintWord(pen: Pen, left: number, middle: number, size: number): number {
  pen.font = `600 ${size}px '${FAMILY}', sans-serif`;
  pen.letterSpacing = `${size * 0.06}px`;
  const word = 'sandbox';
  const wide = pen.measureText(word).width + size * 1.1;
  pen.fillStyle = 'rgba(8,9,10,.72)';
  pen.beginPath();
  pen.roundRect(left, middle - size * 0.92, wide, size * 1.84, size * 0.2);
  pen.fill();
  pen.strokeStyle = 'rgba(255,255,255,.2)';
  pen.lineWidth = 1;
  pen.stroke();
  pen.fillStyle = 'rgba(255,255,255,.95)';
  pen.fillText(word, left + size * 0.58, middle + size * 0.34);
  return left + wide;
}
