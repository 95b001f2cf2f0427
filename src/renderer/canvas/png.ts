import type { MaskRaster } from './rasterise.ts';

/**
 * The mask as a file: a PNG with one bit a pixel (colour type 0, depth 1), which every decoder widens to exactly 0 and 255.
 * A canvas would write eight bits times four channels, with the grey edges of its smoothing (spec 2.6 forbids them).
 */

export const PNG_SIGNATURE: Uint8Array<ArrayBuffer> = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

export async function encodeMaskPng(raster: MaskRaster): Promise<Uint8Array<ArrayBuffer>> {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, raster.width);
  view.setUint32(4, raster.height);
  header.set([1, 0, 0, 0, 0], 8);
  const body = await deflate(packRows(raster));
  return joined([PNG_SIGNATURE, chunk('IHDR', header), chunk('IDAT', body), chunk('IEND', new Uint8Array(0))]);
}

/** Rows of one bit a pixel, white = 1, each after its filter byte (0: none). */
function packRows({ width, height, data }: MaskRaster): Uint8Array<ArrayBuffer> {
  const stride = 1 + Math.ceil(width / 8);
  const rows = new Uint8Array(stride * height);
  const fours = inFours(data, width);
  for (let y = 0; y < height; y++) {
    let at = y * stride + 1;
    for (let x = 0; x < width; x += 8, at++) {
      const eight = fours && eightAlike(fours, (y * width + x) >> 2);
      if (eight !== undefined) {
        rows[at] = eight;
        continue;
      }
      const end = Math.min(8, width - x);
      let byte = 0;
      for (let bit = 0; bit < end; bit++) if (data[y * width + x + bit] === 255) byte |= 0x80 >> bit;
      rows[at] = byte;
    }
  }
  return rows;
}

/** The same bytes, four at a time, where every row begins at a multiple of eight; most of a mask is all black or all white. */
export function inFours(data: Uint8Array<ArrayBuffer>, width: number): Uint32Array | undefined {
  if (width % 8 !== 0 || data.byteOffset % 4 !== 0) return undefined;
  return new Uint32Array(data.buffer, data.byteOffset, data.length / 4);
}

/** The byte that eight pixels make which are all black, 0, or all white, 255; undefined for others. */
export function eightAlike(fours: Uint32Array, at: number): 0 | 255 | undefined {
  const [one, other] = [fours[at] ?? 0, fours[at + 1] ?? 0];
  if ((one | other) === 0) return 0;
  return (one & other) === -1 ? 255 : undefined;
}

/** zlib's format, which is what an IDAT holds. */
export async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export function chunk(type: string, body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(body.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, body.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(body, 8);
  view.setUint32(body.length + 8, crc32(bytes.subarray(4, body.length + 8)));
  return bytes;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return ~crc >>> 0;
}

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The studio examines no larger mask before it sends one. */
const MAX_MASK_PIXELS = 64_000_000;

/** The pixels of a mask file, one bit each: rows as they stand in the file, each after its filter byte. */
export interface MaskBits {
  width: number;
  height: number;
  /** Bytes of a row, its filter byte included. */
  stride: number;
  rows: Uint8Array<ArrayBuffer>;
}

/**
 * Reads a mask file back, inflated by the platform's zlib to the size that its header promises and not a byte further. Undefined where it
 * is no PNG of one bit a pixel, is damaged, or has filtered rows, which `encodeMaskPng` never writes.
 */
export async function readMaskPng(bytes: Uint8Array<ArrayBuffer>): Promise<MaskBits | undefined> {
  const header = readPngHeader(bytes);
  if (header?.bitDepth !== 1 || header.colourType !== 0) return undefined;
  const { width, height } = header;
  if (width * height > MAX_MASK_PIXELS) return undefined;
  const stride = 1 + Math.ceil(width / 8);
  const packed = imageData(bytes);
  const rows = packed && (await inflate(new Blob(packed), stride * height).catch(() => undefined));
  if (!rows) return undefined;
  for (let at = 0; at < rows.length; at += stride) if (rows[at] !== 0) return undefined;
  return { width, height, stride, rows };
}

/** The bodies of the chunks that hold pixels; undefined where one ends beyond the file. */
function imageData(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const bodies: Uint8Array<ArrayBuffer>[] = [];
  let at = PNG_SIGNATURE.length;
  while (at + 12 <= bytes.length) {
    const length = view.getUint32(at);
    if (at + length + 12 > bytes.length) return undefined;
    if (view.getUint32(at + 4) === IDAT) bodies.push(bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return bodies;
}

/** `IDAT` as the number that its four letters are in a file. */
const IDAT = 0x49444154;

/** Undefined unless exactly so many bytes come out. */
async function inflate(packed: Blob, length: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const whole = new Uint8Array(length);
  let at = 0;
  const reader = packed.stream().pipeThrough(new DecompressionStream('deflate')).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (at + part.value.length > length) {
      await reader.cancel();
      return undefined;
    }
    whole.set(part.value, at);
    at += part.value.length;
  }
  return at === length ? whole : undefined;
}

/** What a PNG's header says; undefined where the bytes are no PNG. */
export function readPngHeader(bytes: Uint8Array<ArrayBuffer>) {
  if (bytes.length < 33 || PNG_SIGNATURE.some((value, index) => bytes[index] !== value)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    width: view.getUint32(16),
    height: view.getUint32(20),
    bitDepth: view.getUint8(24),
    colourType: view.getUint8(25),
  };
}
