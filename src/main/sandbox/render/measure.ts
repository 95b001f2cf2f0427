import { imageSize } from 'image-size';
import { asStored } from './asStored.ts';

/** Skia is loaded with the first picture, not when the program starts. */
const skia = () => import('@napi-rs/canvas');

/** A picture of a few bytes may claim to be larger than memory, so its stated size is checked before decoding. */
const MAX_PIXELS = 64_000_000;

/** The size in the header; null if it is no picture or too large to decode. */
export function statedSize(bytes: Uint8Array): { width: number; height: number } | null {
  try {
    const { width, height } = imageSize(bytes);
    return width > 0 && height > 0 && width * height <= MAX_PIXELS ? { width, height } : null;
  } catch {
    return null;
  }
}

/** Width and height of an encoded picture, or null if it is not one. */
export async function measureImage(bytes: Uint8Array): Promise<{ width: number; height: number } | null> {
  if (!isPicture(bytes) || !statedSize(bytes)) return null;
  try {
    const { loadImage } = await skia();
    const { width, height } = await loadImage(asStored(bytes));
    return width > 0 && height > 0 ? { width, height } : null;
  } catch {
    return null;
  }
}

/**
 * Reads a mask for a picture of this size: the mask's own size, and whether every pixel is opaque pure black or pure white (spec 2.6). A
 * mask of another size is not decoded. Null if it is no PNG.
 */
export async function inspectMask(
  bytes: Uint8Array,
  picture: { width: number; height: number },
): Promise<{ width: number; height: number; isPure: boolean } | null> {
  if (!startsWith(bytes, [0x89, 0x50, 0x4e, 0x47])) return null;
  const stated = statedSize(bytes);
  if (stated && (stated.width !== picture.width || stated.height !== picture.height))
    return { ...stated, isPure: false };
  const size = await measureImage(bytes);
  if (!size) return null;
  const { width, height } = size;
  const { createCanvas, loadImage } = await skia();
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.drawImage(await loadImage(asStored(bytes)), 0, 0);
  const words = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
  // Little-endian RGBA: opaque black and opaque white.
  return { width, height, isPure: words.every((word) => word === 0xff000000 || word === 0xffffffff) };
}

function isPicture(bytes: Uint8Array): boolean {
  const isWebp = startsWith(bytes, [0x52, 0x49, 0x46, 0x46]) && startsWith(bytes.subarray(8), [0x57, 0x45, 0x42, 0x50]);
  return startsWith(bytes, [0x89, 0x50, 0x4e, 0x47]) || startsWith(bytes, [0xff, 0xd8, 0xff]) || isWebp;
}

function startsWith(bytes: Uint8Array, magic: number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}
