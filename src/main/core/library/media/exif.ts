import { readFile } from 'node:fs/promises';
import type { Canvas } from '@napi-rs/canvas';
import { jpegSegments, type OpenFile, pngChunks, readUpTo, webpChunks, withOpenFile } from './containers.ts';

/** Reads the Exif data of pictures (Exif 2.32). Every file is untrusted. */

const HEADER = 'Exif\0\0';
/** The byte order and the number 42 (TIFF 6.0, section 2). */
const ORDERS = ['II*\0', 'MM\0*'];
const ORIENTATION = 0x0112;
const SHORT = 3;
const EXIF_DIRECTORY = 0x8769;
const USER_COMMENT = 0x9286;
/** The name of its character code, in eight bytes. */
const CODE_BYTES = 8;

const hasExifHeader = (bytes: Buffer): boolean => bytes.toString('latin1', 0, HEADER.length) === HEADER;

/** JPEG puts a header before Exif; some programs write it in other formats too. */
const withoutExifHeader = (exif: Buffer): Buffer => (hasExifHeader(exif) ? exif.subarray(HEADER.length) : exif);

interface Exif {
  tiff: Buffer;
  isLittle: boolean;
  /** 0 if the entry does not exist. */
  number(at: number, bytes: 2 | 4): number;
  /** The position of this tag's entry in a directory. */
  entryIn(directory: number, tag: number): number | undefined;
}

function openExif(tiff: Buffer): Exif | undefined {
  const order = tiff.toString('latin1', 0, 4);
  if (!ORDERS.includes(order)) return undefined;
  const isLittle = order.startsWith('II');
  const number = (at: number, bytes: 2 | 4): number =>
    at + bytes > tiff.length ? 0 : isLittle ? tiff.readUIntLE(at, bytes) : tiff.readUIntBE(at, bytes);
  const entryIn = (directory: number, tag: number): number | undefined => {
    if (directory === 0) return undefined;
    for (let entry = 0, entries = number(directory, 2); entry < entries; entry++) {
      const at = directory + 2 + entry * 12;
      if (number(at, 2) === tag) return at;
    }
    return undefined;
  };
  return { tiff, isLittle, number, entryIn };
}

/** The orientation in the first directory (4.6.4), if any. */
function exifOrientation(tiff: Buffer): number | undefined {
  const exif = openExif(tiff);
  const at = exif?.entryIn(exif.number(4, 4), ORIENTATION);
  return exif && at !== undefined && exif.number(at + 2, 2) === SHORT ? exif.number(at + 8, 2) : undefined;
}

/** The user comment (4.6.5), in which image programs keep prompt and settings; undefined if it is malformed. */
export function exifComment(bytes: Buffer): string | undefined {
  const exif = openExif(withoutExifHeader(bytes));
  if (!exif) return undefined;
  const { tiff, isLittle, number, entryIn } = exif;
  const inner = entryIn(number(4, 4), EXIF_DIRECTORY);
  const comment = inner === undefined ? undefined : entryIn(number(inner + 8, 4), USER_COMMENT);
  if (comment === undefined) return undefined;
  const [length, from] = [number(comment + 4, 4), number(comment + 8, 4)];
  const text = tiff.subarray(from, from + length);
  if (length <= CODE_BYTES || text.length < length) return undefined;
  return decoded(text.toString('latin1', 0, CODE_BYTES), text.subarray(CODE_BYTES), isLittle);
}

function decoded(code: string, bytes: Buffer, isLittle: boolean): string {
  const text = code.startsWith('UNICODE') ? wide(bytes, isLittle) : utf8OrLatin(bytes);
  // Padded with zeros.
  return text.split('\0', 1)[0] ?? '';
}

/** Programs ignore the byte order of the directory: the zero bytes of Latin letters show which one they used. */
function wide(bytes: Buffer, isLittle: boolean): string {
  const zeros = [0, 0];
  for (const [at, byte] of bytes.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const isLittleText = even === odd ? isLittle : odd > even;
  return new TextDecoder(isLittleText ? 'utf-16le' : 'utf-16be').decode(bytes);
}

/** Most texts that claim Latin-1 or ASCII are UTF-8. */
export function utf8OrLatin(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

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
  withOpenFile(file, async (bytes) => {
    let orientation: number | undefined;
    for await (const { marker, start, end } of jpegSegments(bytes)) {
      if (marker === 0xe1) orientation ??= orientationIn(await readUpTo(bytes, start, end - start));
      if (!isFrame(marker)) continue;
      // A byte of precision, then height and width (T.81 B.2.2).
      const head = await readUpTo(bytes, start, 5);
      return head.length < 5 ? undefined : { height: head.readUInt16BE(1), width: head.readUInt16BE(3), orientation };
    }
    return undefined;
  });

/** C0 to CF, without code tables and reserved markers (T.81 B.1). */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** The orientation in an Exif segment. */
const orientationIn = (segment: Buffer): number | undefined =>
  hasExifHeader(segment) ? exifOrientation(withoutExifHeader(segment)) : undefined;

/** Real files have some tens of chunks before the pixels. */
const MAX_CHUNKS = 10_000;
/** The most a JPEG segment can hold; the directory is at the beginning. */
const MAX_EXIF_BYTES = 64 * 1024;

/** Where formats of chunks keep Exif. */
const EXIF_CHUNKS = {
  // RFC 9649, 2.7.1.5: browsers pass over it, and other programs follow it.
  'image/webp': { chunksOf: webpChunks, name: 'EXIF' },
  // PNG 3rd edition, 11.3.2.3: Chromium applies it if it comes before the pixels (`PNGImageDecoder::HeaderAvailable`).
  'image/png': { chunksOf: pngChunks, name: 'eXIf' },
} as const;

/** The orientation of a picture; undefined if none is stated or readable. */
export async function orientationOf(file: string, mime: string): Promise<number | undefined> {
  if (mime === 'image/jpeg') return (await jpegSize(file).catch(() => undefined))?.orientation;
  if (mime !== 'image/webp' && mime !== 'image/png') return undefined;
  const { chunksOf, name } = EXIF_CHUNKS[mime];
  const exif = await withOpenFile(file, (bytes) => exifIn(bytes, chunksOf(bytes), name)).catch(() => undefined);
  // Browsers ignore Exif in a PNG that has a header before its TIFF.
  return exif && exifOrientation(mime === 'image/png' ? exif : withoutExifHeader(exif));
}

/** The chunk of this name, if a PNG has it before its pixels. */
async function exifIn(
  bytes: OpenFile,
  chunks: AsyncIterable<{ type: string; start: number; length: number }>,
  name: string,
): Promise<Buffer | undefined> {
  let left = MAX_CHUNKS;
  for await (const { type, start, length } of chunks) {
    if (type === name) return readUpTo(bytes, start, Math.min(length, MAX_EXIF_BYTES));
    left -= 1;
    if (type === 'IDAT' || left === 0) return undefined;
  }
  return undefined;
}

/** For pictures that are encoded again, in percent. */
const QUALITY = 95;

/** The canvas transformation a, b, c, d, e, f for an upright picture, `width` × `height` as stored (Exif 2.32, 4.6.4). */
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

/**
 * The picture with upright pixels and no orientation tag, as base64 in its own format; `upright: null` if its pixels already are upright.
 */
export async function uprightPicture(file: string, mime: string): Promise<{ upright: string | null }> {
  const turn = TURNS[(await orientationOf(file, mime)) ?? 1];
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

/** Skia applies the Exif of a JPEG and a WebP by itself, but not that of a PNG, so Exif is removed here. */
function withoutExif(bytes: Buffer, mime: string): Buffer {
  const name = EXIF_NAMES[mime];
  if (name === undefined) return bytes;
  for (let at = bytes.indexOf(name, 0, 'latin1'); at >= 0; at = bytes.indexOf(name, at + 1, 'latin1')) bytes[at] = 0;
  return bytes;
}

const EXIF_NAMES: Readonly<Record<string, string>> = { 'image/jpeg': HEADER, 'image/webp': 'EXIF' };
