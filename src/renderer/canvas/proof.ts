import { readPngHeader } from './png.ts';
import type { MaskRaster } from './runs.ts';

/** A picture as the browser decoded it: red, green, blue, alpha of every pixel. */
export interface DecodedPicture {
  width: number;
  height: number;
  rgba: Uint8ClampedArray;
}

/**
 * Facts about the exact file that would be sent, found by reading it again (spec 2.6: same size as the picture, only pure black and white).
 * The browser's decoder is independent of our encoder.
 */
export interface MaskProof {
  width: number;
  height: number;
  /** The picture the mask belongs to. */
  source: { width: number; height: number };
  bytes: number;
  bitDepth: number;
  white: number;
  black: number;
  /** Pixels that are neither black nor white, or not opaque. */
  other: number;
  /** White pixels as a share of all, 0 to 1. */
  coverage: number;
  checks: {
    size: boolean;
    values: boolean;
    notEmpty: boolean;
    /** The file is a one-bit greyscale PNG with exactly the painted pixels. */
    file: boolean;
  };
  ok: boolean;
}

interface ProofInput {
  png: Uint8Array<ArrayBuffer>;
  /** The decoded file. */
  decoded: DecodedPicture;
  painted: MaskRaster;
  source: { width: number; height: number };
}

export function proveMask({ png, decoded, painted, source }: ProofInput): MaskProof {
  const header = readPngHeader(png);
  const { width, height } = decoded;
  const { white, black, other, differing } = countPixels(decoded, painted);
  const total = width * height;
  const checks = {
    size: width === source.width && height === source.height,
    values: other === 0,
    notEmpty: white > 0,
    file: header?.bitDepth === 1 && header.colourType === 0 && total > 0 && differing === 0,
  };
  return {
    width,
    height,
    source,
    bytes: png.length,
    bitDepth: header?.bitDepth ?? 0,
    white,
    black,
    other,
    coverage: total === 0 ? 0 : white / total,
    checks,
    ok: checks.size && checks.values && checks.notEmpty && checks.file,
  };
}

interface PixelCount {
  white: number;
  black: number;
  other: number;
  /** Pixels that differ from the painted mask. */
  differing: number;
}

function countPixels(decoded: DecodedPicture, painted: MaskRaster): PixelCount {
  const sameSize = decoded.width === painted.width && decoded.height === painted.height;
  const pixels = new Uint32Array(decoded.rgba.buffer, decoded.rgba.byteOffset, decoded.rgba.length / 4);
  let white = 0;
  let black = 0;
  let differing = sameSize ? 0 : pixels.length;
  for (let index = 0; index < pixels.length; index++) {
    const pixel = pixels[index];
    if (pixel === OPAQUE_WHITE) white++;
    else if (pixel === OPAQUE_BLACK) black++;
    if (sameSize && (pixel === OPAQUE_WHITE) !== (painted.data[index] === 255)) differing++;
  }
  return { white, black, other: pixels.length - white - black, differing };
}

/** As 32-bit words in this machine's byte order, so that a pixel is one comparison. */
const word = (...bytes: number[]): number => new Uint32Array(Uint8Array.from(bytes).buffer)[0] ?? 0;
const OPAQUE_WHITE = word(255, 255, 255, 255);
const OPAQUE_BLACK = word(0, 0, 0, 255);
