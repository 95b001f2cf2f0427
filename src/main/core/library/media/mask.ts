import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { Canvas, Image } from '@napi-rs/canvas';
import { MASK_EDGE } from '../../../../shared/kinds/edit.ts';
import type { PictureSize } from '../../../../shared/library/mediaRef.ts';
import { PNG_SIGNATURE, read, withBytes } from './containers.ts';

/** Larger masks are not examined. */
const MAX_MASK_PIXELS = 64_000_000;

export interface MaskFacts {
  pure: boolean;
  whitePixels: number;
}

/**
 * Whether a PNG holds only opaque pure black and pure white (spec 2.6), and how much of it is white. For a mask of another size than its
 * base, only that size is returned and nothing is decoded. `null` if it cannot be read.
 */
export async function inspectMask(file: string, base?: PictureSize): Promise<MaskFacts | PictureSize | null> {
  const size = await sizeOf(file).catch(() => undefined);
  if (!size || size.width > MASK_EDGE || size.height > MASK_EDGE) return null;
  if (base && (base.width !== size.width || base.height !== size.height)) return size;
  return size.width * size.height > MAX_MASK_PIXELS ? null : factsOf(file).catch(() => null);
}

/** By its header (PNG 11.2.1). */
const sizeOf = (file: string): Promise<PictureSize | undefined> =>
  withBytes(file, async (bytes) => {
    const head = await read(bytes, 0, 24);
    const isPng =
      head.length === 24 && head.subarray(0, 8).equals(PNG_SIGNATURE) && head.toString('latin1', 12, 16) === 'IHDR';
    return isPng ? { width: head.readUInt32BE(16), height: head.readUInt32BE(20) } : undefined;
  });

/** Every chunk up to the end has its checksum (PNG 5.3): what decodes pictures shows a damaged one as far as it goes. */
function isWhole(bytes: Buffer): boolean {
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return false;
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return true;
    at = end + 4;
  }
  return false;
}

const ROWS_AT_ONCE = 256;

async function factsOf(file: string): Promise<MaskFacts | null> {
  const { createCanvas, loadImage } = await import('@napi-rs/canvas');
  const bytes = await readFile(file);
  if (!isWhole(bytes)) return null;
  const image = await loadImage(bytes);
  const { width, height } = image;
  const canvas = createCanvas(width, Math.min(height, ROWS_AT_ONCE));
  let whitePixels = 0;
  for (let top = 0; top < height; top += ROWS_AT_ONCE) {
    const rows = pixelsFrom(image, top, canvas);
    for (let at = 0; at < rows.length; at++) {
      if (rows[at] !== WHITE && rows[at] !== BLACK) return { pure: false, whitePixels: 0 };
      if (rows[at] === WHITE) whitePixels += 1;
    }
  }
  return { pure: true, whitePixels };
}

/** Opaque, in the byte order of the machines that Dailies runs on. */
const WHITE = 0xffff_ffff;
const BLACK = 0xff00_0000;

function pixelsFrom(image: Image, top: number, canvas: Canvas): Uint32Array {
  const { width, height } = canvas;
  const pen = canvas.getContext('2d');
  pen.clearRect(0, 0, width, height);
  pen.drawImage(image, 0, -top);
  const { data } = pen.getImageData(0, 0, width, Math.min(height, image.height - top));
  return new Uint32Array(data.buffer, data.byteOffset, data.length / 4);
}
/** The mask as other services take it: white becomes transparent, which they repaint, and black stays opaque. As a PNG, in base64. */
export async function alphaMask(file: string): Promise<string> {
  const { createCanvas, loadImage } = await import('@napi-rs/canvas');
  const image = await loadImage(file);
  const canvas = createCanvas(image.width, image.height);
  const pen = canvas.getContext('2d');
  pen.drawImage(image, 0, 0);
  const pixels = pen.getImageData(0, 0, image.width, image.height);
  for (let at = 0; at < pixels.data.length; at += 4) if (pixels.data[at] === 255) pixels.data[at + 3] = 0;
  pen.putImageData(pixels, 0, 0);
  return (await canvas.encode('png')).toString('base64');
}
