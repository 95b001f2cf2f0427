import type { MaskRaster } from './runs.ts';

/**
 * The mask as a file: a 1-bit PNG (colour type 0, depth 1), which every decoder widens to exactly 0 and 255. A canvas would write four
 * channels of eight bits, with the grey edges of its smoothing (spec 2.6 forbids them).
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
  for (let y = 0; y < height; y++) {
    let at = y * stride + 1;
    for (let x = 0; x < width; x += 8, at++) {
      const end = Math.min(8, width - x);
      let byte = 0;
      for (let bit = 0; bit < end; bit++) if (data[y * width + x + bit] === 255) byte |= 0x80 >> bit;
      rows[at] = byte;
    }
  }
  return rows;
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

/** The header of a PNG; undefined if the bytes are not a PNG. */
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
