import { type Canvas, createCanvas, loadImage } from '@napi-rs/canvas';

/** Pictures and films as WebP: small text stays sharp at a tenth of the size of a PNG. */

const QUALITY = 90;
/** For a film, each frame of which is seen for a moment. */
const FILM_QUALITY = 78;

/** A PNG drawn at this size, by default its own. */
export async function drawn(png: Buffer, width?: number, height?: number): Promise<Canvas> {
  const image = await loadImage(png);
  const canvas = createCanvas(width ?? image.width, height ?? image.height);
  const pen = canvas.getContext('2d');
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

export const toWebp = (canvas: Canvas): Buffer => canvas.toBuffer('image/webp', QUALITY);

export interface Frame {
  canvas: Canvas;
  /** How long it is seen. */
  ms: number;
}

/** A looping film: of each frame only the rectangle that differs from the one before is stored. */
export function toAnimatedWebp(frames: readonly Frame[]): Buffer {
  const [first] = frames;
  if (!first) throw new Error('A film needs a frame.');
  const { width, height } = first.canvas;
  const shown: { part: Part; canvas: Canvas; ms: number }[] = [];
  let before: Canvas | undefined;
  for (const { canvas, ms } of frames) {
    const part = before ? differing(before, canvas) : { x: 0, y: 0, width, height };
    const last = shown.at(-1);
    if (part) shown.push({ part, canvas, ms });
    else if (last) last.ms += ms;
    before = canvas;
  }
  const ANIMATED = 2;
  const header = [Buffer.from([ANIMATED, 0, 0, 0]), number24(width - 1), number24(height - 1)];
  // Black, for ever.
  const loop = Buffer.from([0, 0, 0, 255, 0, 0]);
  const chunks = [chunk('VP8X', ...header), chunk('ANIM', loop), ...shown.map(frameChunk)];
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
  return Buffer.concat([Buffer.from('RIFF'), number32(body.length), body]);
}

interface Part {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The smallest rectangle at even coordinates with every differing pixel. */
function differing(before: Canvas, now: Canvas): Part | undefined {
  const { width, height } = now;
  const [old, fresh] = [before, now].map((canvas) => new Uint32Array(canvas.data().buffer.slice(0)));
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (old?.[y * width + x] === fresh?.[y * width + x]) continue;
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    }
  if (right < 0) return undefined;
  const [x, y] = [left - (left % 2), top - (top % 2)];
  return { x, y, width: right + 1 - x, height: bottom + 1 - y };
}

function frameChunk({ part: { x, y, width, height }, canvas, ms }: { part: Part; canvas: Canvas; ms: number }): Buffer {
  const cut = createCanvas(width, height);
  cut.getContext('2d').drawImage(canvas, x, y, width, height, 0, 0, width, height);
  const places = [x / 2, y / 2, width - 1, height - 1, ms].map(number24);
  // Placed over the frame before, without blending.
  const OVER = Buffer.from([2]);
  return chunk('ANMF', ...places, OVER, chunk('VP8 ', picturePart(cut.toBuffer('image/webp', FILM_QUALITY))));
}

/** The lossy picture in a WebP file, without what surrounds it. */
function picturePart(file: Buffer): Buffer {
  for (let at = 12; at < file.length; ) {
    const length = file.readUInt32LE(at + 4);
    if (file.toString('latin1', at, at + 4) === 'VP8 ') return file.subarray(at + 8, at + 8 + length);
    at += 8 + length + (length % 2);
  }
  throw new Error('The file holds no lossy picture.');
}

function chunk(name: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(name, 'latin1'), number32(body.length), body, Buffer.alloc(body.length % 2)]);
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

const number24 = (value: number): Buffer => number32(value).subarray(0, 3);
