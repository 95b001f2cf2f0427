import { readFile } from 'node:fs/promises';
import type { Canvas } from '@napi-rs/canvas';
import { type Bytes, jpegSegments, pngChunks, read, webpChunks, withBytes } from './containers.ts';
import { exifOrientation, hasExifHeader, withoutExifHeader } from './exif.ts';

/** In pixels, as they are stored; an `orientation` says how they are shown (Exif 2.32, 4.6.4). */
export interface StoredSize {
  width: number;
  height: number;
  orientation?: number | undefined;
}

/**
 * Reads a JPEG's size from its frame header, however far behind it lies: a depth map, a second picture or a long history may stand before
 * it. Undefined where its segments do not lead to one.
 */
export const jpegSize = (file: string): Promise<StoredSize | undefined> =>
  withBytes(file, async (bytes) => {
    let orientation: number | undefined;
    for await (const { marker, start, end } of jpegSegments(bytes)) {
      if (marker === 0xe1) orientation ??= orientationIn(await read(bytes, start, end - start));
      if (!isFrame(marker)) continue;
      // A byte of precision, then height and width (T.81 B.2.2).
      const head = await read(bytes, start, 5);
      return head.length < 5 ? undefined : { height: head.readUInt16BE(1), width: head.readUInt16BE(3), orientation };
    }
    return undefined;
  });

/** C0 to CF, but for tables of codes and what is reserved (T.81 B.1). */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Of an Exif segment. */
const orientationIn = (segment: Buffer): number | undefined =>
  hasExifHeader(segment) ? exifOrientation(withoutExifHeader(segment)) : undefined;

/** Before the pixels stand some tens of chunks; behind so many nothing is looked for. */
const MAX_CHUNKS = 10_000;
/** Of an Exif, as much as a JPEG can have of it: the directory is at its beginning. */
const MAX_EXIF_BYTES = 64 * 1024;

/** The orientation of a WebP's `EXIF` chunk (RFC 9649, 2.7.1.5), which browsers pass over and other programs follow. */
export const webpOrientation = (file: string): Promise<number | undefined> =>
  withBytes(file, async (bytes) => {
    const exif = await exifIn(bytes, webpChunks(bytes), 'EXIF');
    return exif && exifOrientation(withoutExifHeader(exif));
  });

/**
 * The orientation of a PNG's `eXIf` chunk (PNG 3rd edition, 11.3.2.3), which Chromium shows it by where the chunk stands before the pixels
 * (`PNGImageDecoder::HeaderAvailable`).
 */
export const pngOrientation = (file: string): Promise<number | undefined> =>
  withBytes(file, async (bytes) => {
    const exif = await exifIn(bytes, pngChunks(bytes), 'eXIf');
    return exif && exifOrientation(exif);
  });

/** The chunk of this name, where it stands before the pixels of a PNG. */
async function exifIn(
  bytes: Bytes,
  chunks: AsyncIterable<{ type: string; start: number; length: number }>,
  name: string,
): Promise<Buffer | undefined> {
  let left = MAX_CHUNKS;
  for await (const { type, start, length } of chunks) {
    if (type === name) return read(bytes, start, Math.min(length, MAX_EXIF_BYTES));
    left -= 1;
    if (type === 'IDAT' || left === 0) return undefined;
  }
  return undefined;
}

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
