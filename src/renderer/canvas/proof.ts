import { eightAlike, inFours, type MaskBits, readPngHeader } from './png.ts';
import type { MaskRaster } from './rasterise.ts';

/** What the browser's decoder made of a picture: red, green, blue, alpha of every pixel. */
export interface DecodedPicture {
  width: number;
  height: number;
  rgba: Uint8ClampedArray;
}

/**
 * What is known of the very file that would be sent, found by reading it again (spec 2.6: same size as the picture, only pure black and
 * white). While a mask is painted its own bits are read; before an edit goes out the browser's decoder has to find the same.
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
  /** Pixels that are neither, or not opaque. */
  other: number;
  /** White pixels as a share of all, 0 to 1. */
  coverage: number;
  checks: {
    size: boolean;
    values: boolean;
    notEmpty: boolean;
    /** A one-bit greyscale PNG, whose pixels are those that were painted. */
    file: boolean;
  };
  ok: boolean;
}

interface ProofInput {
  png: Uint8Array<ArrayBuffer>;
  /** What was read in the file: its own bits, or what the browser shows; undefined where it could not be read. */
  decoded: MaskBits | DecodedPicture | undefined;
  painted: MaskRaster;
  source: { width: number; height: number };
}

export function proveMask({ png, decoded, painted, source }: ProofInput): MaskProof {
  const header = readPngHeader(png);
  const { width, height } = decoded ?? { width: 0, height: 0 };
  const { white, black, other, differing } = countOf(decoded, painted);
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
  /** Pixels that are not what was painted. */
  differing: number;
}

function countOf(decoded: MaskBits | DecodedPicture | undefined, painted: MaskRaster): PixelCount {
  if (!decoded) return { white: 0, black: 0, other: 0, differing: 0 };
  return 'rows' in decoded ? countBits(decoded, painted) : countPixels(decoded, painted);
}

function countBits(read: MaskBits, painted: MaskRaster): PixelCount {
  const { width, height, stride, rows } = read;
  const total = width * height;
  const sameSize = width === painted.width && height === painted.height;
  const fours = sameSize ? inFours(painted.data, width) : undefined;
  let white = 0;
  let differing = sameSize ? 0 : total;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x += 8) {
      const byte = rows[y * stride + 1 + (x >> 3)] ?? 0;
      const length = Math.min(8, width - x);
      white += WHITE_BITS[byte & (0xff00 >> length)] ?? 0;
      const at = y * width + x;
      if (!sameSize || (fours && byte === eightAlike(fours, at >> 2))) continue;
      differing += differingBits(byte, painted.data, at, length);
    }
  }
  return { white, black: total - white, other: 0, differing };
}

/** How many bits of each byte are set. */
const WHITE_BITS = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

function differingBits(byte: number, painted: Uint8Array, at: number, length: number): number {
  let differing = 0;
  for (let bit = 0; bit < length; bit++) if (painted[at + bit] !== 255 * ((byte >> (7 - bit)) & 1)) differing++;
  return differing;
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
