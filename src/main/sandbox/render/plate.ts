import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Canvas, GlobalFonts } from '@napi-rs/canvas';
import { layer, type Pen } from './brush.ts';

const FAMILY = 'Dailies Sandbox';
let isReady = false;

/** The bundled face, looked for from here upwards: the source tree, the built program and a package hold it at different depths. */
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

export interface PlateLook {
  width: number;
  height: number;
  label: string;
  /** Covers what may be written there already: the plate of a picture that a clip starts from. */
  covering?: boolean;
}

/** The plate every picture and clip carries: the word "sandbox", then what it was drawn from. Laid at `y`, as wide as the frame. */
export function paintPlate({ width, height, label, covering = false }: PlateLook): { canvas: Canvas; y: number } {
  readyFont();
  const size = Math.max(11, Math.round(Math.min(width, height) * 0.0215));
  const { canvas, pen } = layer(width, size * 4.2);
  const [left, middle] = [Math.round(size * 1.3), size * 2.1];
  pen.lang = 'en';
  pen.textBaseline = 'alphabetic';
  if (covering) {
    pen.fillStyle = 'rgba(10,11,12,.94)';
    pen.beginPath();
    pen.roundRect(left - 2, middle - size * 0.98, Math.min(width - 2 * left, size * 36), size * 1.96, size * 0.24);
    pen.fill();
  }
  const right = paintWord(pen, left, middle, size);
  pen.font = `400 ${size * 0.92}px '${FAMILY}', sans-serif`;
  pen.letterSpacing = '0px';
  pen.shadowColor = 'rgba(0,0,0,.85)';
  pen.shadowBlur = size * 0.45;
  pen.fillStyle = 'rgba(255,255,255,.82)';
  const room = Math.min(width - right, size * 36 + left - right) - size * 2.4;
  pen.fillText(fitted(pen, label, room), right + size * 0.8, middle + size * 0.34);
  return { canvas, y: height - canvas.height };
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

function fitted(pen: Pen, text: string, width: number): string {
  const seed = text.lastIndexOf('·');
  let words = text.slice(0, seed).trimEnd();
  const tail = text.slice(seed);
  while (words.length > 0 && pen.measureText(`${words}…  ${tail}`).width > width) words = words.slice(0, -1).trimEnd();
  return words === text.slice(0, seed).trimEnd() ? text : `${words}…  ${tail}`;
}
