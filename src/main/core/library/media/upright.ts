import { readFile } from 'node:fs/promises';
import type { Canvas } from '@napi-rs/canvas';
import { jpegSize, pngOrientation, webpOrientation } from './orientation.ts';

/** Of the formats whose Exif may say that the picture is not to be shown as its pixels are stored. */
const ORIENTATIONS: Readonly<Record<string, (file: string) => Promise<number | undefined>>> = {
  'image/jpeg': async (file) => (await jpegSize(file))?.orientation,
  'image/png': pngOrientation,
  'image/webp': webpOrientation,
};
/** Of what was decoded and is encoded once more, in percent. */
const QUALITY = 95;

/** What an upright picture is drawn with, `width` × `height` as stored: a, b, c, d, e, f of a canvas's transformation (Exif 2.32, 4.6.4). */
const TURNS: Readonly<
  Record<number, (width: number, height: number) => [number, number, number, number, number, number]>
> = {
  2: (width) => [-1, 0, 0, 1, width, 0],
  3: (width, height) => [-1, 0, 0, -1, width, height],
  4: (_, height) => [1, 0, 0, -1, 0, height],
  5: () => [0, 1, 1, 0, 0, 0],
  6: (_, height) => [0, 1, -1, 0, height, 0],
  7: (width, height) => [0, -1, -1, 0, height, width],
  8: (width) => [0, -1, 1, 0, 0, width],
};

/** The picture with its pixels upright and no tag, as base64 in its own format; `upright: null` where its pixels stand as they are shown. */
export async function uprightPicture(file: string, mime: string): Promise<{ upright: string | null }> {
  const turn = TURNS[(await ORIENTATIONS[mime]?.(file).catch(() => undefined)) ?? 1];
  if (!turn) return { upright: null };
  const { createCanvas, loadImage } = await import('@napi-rs/canvas');
  const image = await loadImage(withoutExif(await readFile(file), mime));
  const { width, height } = image;
  const matrix = turn(width, height);
  const canvas = matrix[0] === 0 ? createCanvas(height, width) : createCanvas(width, height);
  const pen = canvas.getContext('2d');
  pen.setTransform(...matrix);
  pen.drawImage(image, 0, 0);
  return { upright: (await encode(canvas, mime)).toString('base64') };
}

function encode(canvas: Canvas, mime: string): Promise<Buffer> {
  if (mime === 'image/png') return canvas.encode('png');
  return canvas.encode(mime === 'image/webp' ? 'webp' : 'jpeg', QUALITY);
}

/** Skia follows the Exif of a JPEG and a WebP by itself, and not that of a PNG: here it finds none. */
function withoutExif(bytes: Buffer, mime: string): Buffer {
  const name = EXIF_NAMES[mime];
  if (name === undefined) return bytes;
  for (let at = bytes.indexOf(name, 0, 'latin1'); at >= 0; at = bytes.indexOf(name, at + 1, 'latin1')) bytes[at] = 0;
  return bytes;
}

const EXIF_NAMES: Readonly<Record<string, string>> = { 'image/jpeg': 'Exif\0\0', 'image/webp': 'EXIF' };
