import type { PictureSize } from '../../../../shared/library/mediaRef.ts';
import { withOpenFile } from './containers.ts';
import { openPng, type Png, type PngHead } from './png.ts';

/** Larger masks are not examined. */
const MAX_MASK_PIXELS = 64_000_000;

export interface MaskFacts {
  pure: boolean;
  whitePixels: number;
}

/**
 * Whether a PNG holds only opaque pure black and pure white (spec 2.6), and how much of it is white. For a mask of another size than its
 * base, only that size is returned and nothing is decompressed. `null` if it cannot be read.
 * Not by a canvas, which converts colours, drops the low bits of 16 and shows missing rows as black.
 */
export const inspectMask = (file: string, base?: PictureSize): Promise<MaskFacts | PictureSize | null> =>
  withOpenFile(file, async (bytes) => {
    const png = await openPng(bytes);
    const { width, height } = png.head;
    if (base && (base.width !== width || base.height !== height)) return { width, height };
    return width * height > MAX_MASK_PIXELS ? null : await factsOf(png);
  }).catch(() => null);

const IMPURE = -1;

async function factsOf({ head, rows }: Png): Promise<MaskFacts> {
  // A transparent color makes the mask impure, whichever color it is.
  if (head.transparent && !head.palette) return { pure: false, whitePixels: 0 };
  const whiteIn = counterFor(head);
  let whitePixels = 0;
  for await (const { samples, pixels } of rows) {
    const white = whiteIn(samples, pixels);
    if (white === IMPURE) return { pure: false, whitePixels };
    whitePixels += white;
  }
  return { pure: true, whitePixels };
}

type WhitePixelCounter = (samples: Uint8Array, pixels: number) => number;

/** Counts the white pixels of a row; `IMPURE` where one is neither white nor black, or not opaque. */
function counterFor(head: PngHead): WhitePixelCounter {
  if (head.depth >= 8 && !head.palette) return countInWholeBytes(head);
  const values = head.palette ? paletteValues(head.palette, head.transparent) : greyLevels(head.depth);
  return (samples, pixels) => {
    let white = 0;
    for (let pixel = 0; pixel < pixels; pixel += 1) {
      const value = values[sampleAt(samples, pixel, head.depth)] ?? IMPURE;
      if (value === IMPURE) return IMPURE;
      white += value;
    }
    return white;
  };
}

/** Samples of less than a byte are packed, the first in the highest bits. */
function sampleAt(samples: Uint8Array, pixel: number, depth: number): number {
  const bit = pixel * depth;
  return ((samples[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
}

/** The value of each grey level: 0 for black, 1 for white. */
const greyLevels = (depth: number): number[] =>
  Array.from({ length: 2 ** depth }, (_, level) => (level === 0 ? 0 : level === 2 ** depth - 1 ? 1 : IMPURE));

/** The same for each entry of a palette. */
function paletteValues(palette: Uint8Array, alphas: Uint8Array = new Uint8Array()): number[] {
  return Array.from({ length: Math.floor(palette.length / 3) }, (_, entry) => {
    const [red, green, blue] = palette.subarray(entry * 3);
    if (red !== green || green !== blue || (alphas[entry] ?? 255) !== 255) return IMPURE;
    return red === 0 ? 0 : red === 255 ? 1 : IMPURE;
  });
}

/** Every byte of a colour is 0 in black and 255 in white, and of its alpha 255. */
function countInWholeBytes({ depth, channels, hasAlpha }: PngHead): WhitePixelCounter {
  const size = depth >> 3;
  const colours = (hasAlpha ? channels - 1 : channels) * size;
  const stride = channels * size;
  const isPure = (samples: Uint8Array, at: number): boolean => {
    const first = samples[at];
    if (first !== 0 && first !== 255) return false;
    for (let byte = 1; byte < stride; byte += 1) {
      if (samples[at + byte] !== (byte < colours ? first : 255)) return false;
    }
    return true;
  };
  return (samples, pixels) => {
    let white = 0;
    for (let at = 0; at < pixels * stride; at += stride) {
      if (!isPure(samples, at)) return IMPURE;
      white += (samples[at] ?? 0) & 1;
    }
    return white;
  };
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
