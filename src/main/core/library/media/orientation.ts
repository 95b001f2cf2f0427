import { open } from 'node:fs/promises';
import { type Bytes, jpegSegments, pngChunks, read } from './integrity.ts';

const ORIENTATION = 0x0112;
const SHORT = 3;
/** The byte order, and 42 in it (TIFF 6.0, section 2). */
const ORDERS = ['II*\0', 'MM\0*'];
const HEADER = 'Exif\0\0';

/** What an Exif holds: a JPEG's has a header, and some programs write that into other formats too. */
const withoutExifHeader = (exif: Buffer): Buffer =>
  exif.toString('latin1', 0, HEADER.length) === HEADER ? exif.subarray(HEADER.length) : exif;

/** How a picture is to be shown, by the first directory of its Exif (Exif 2.32, 4.6.4); undefined where that says nothing. */
function exifOrientation(tiff: Buffer): number | undefined {
  const order = tiff.toString('latin1', 0, 4);
  if (!ORDERS.includes(order)) return undefined;
  const number = (at: number, bytes: 2 | 4): number =>
    at + bytes > tiff.length ? 0 : order.startsWith('II') ? tiff.readUIntLE(at, bytes) : tiff.readUIntBE(at, bytes);
  const directory = number(4, 4);
  for (let entry = 0, entries = number(directory, 2); entry < entries; entry++) {
    const at = directory + 2 + entry * 12;
    if (number(at, 2) === ORIENTATION) return number(at + 2, 2) === SHORT ? number(at + 8, 2) : undefined;
  }
  return undefined;
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
export async function jpegSize(file: string): Promise<StoredSize | undefined> {
  const handle = await open(file, 'r');
  try {
    return await sizeIn({ handle, size: (await handle.stat()).size });
  } finally {
    await handle.close();
  }
}

async function sizeIn(bytes: Bytes): Promise<StoredSize | undefined> {
  let orientation: number | undefined;
  for await (const { marker, start, end } of jpegSegments(bytes)) {
    if (marker === 0xe1) orientation ??= orientationIn(await read(bytes, start, end - start));
    if (!isFrame(marker)) continue;
    // A byte of precision, then height and width (T.81 B.2.2).
    const head = await read(bytes, start, 5);
    return head.length < 5 ? undefined : { height: head.readUInt16BE(1), width: head.readUInt16BE(3), orientation };
  }
  return undefined;
}

/** C0 to CF, but for tables of codes and what is reserved (T.81 B.1). */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

const EXIF = 'Exif\0\0';

/** Of an Exif segment. */
const orientationIn = (segment: Buffer): number | undefined =>
  segment.toString('latin1', 0, EXIF.length) === EXIF ? exifOrientation(segment.subarray(EXIF.length)) : undefined;

/** Before the pixels stand some tens of chunks; behind so many nothing is looked for. */
const MAX_CHUNKS = 10_000;
/** Of an Exif, as much as a JPEG can have of it: the directory is at its beginning. */
const MAX_EXIF_BYTES = 64 * 1024;

/** The orientation of a WebP's `EXIF` chunk (RFC 9649, 2.7.1.5), which browsers pass over and other programs follow. */
export async function webpOrientation(file: string): Promise<number | undefined> {
  const handle = await open(file, 'r');
  try {
    const bytes = { handle, size: (await handle.stat()).size };
    for (let at = 12, left = MAX_CHUNKS; at + 8 <= bytes.size && left > 0; left--) {
      const head = await read(bytes, at, 8);
      if (head.length < 8) return undefined;
      const length = head.readUInt32LE(4);
      if (head.toString('latin1', 0, 4) === 'EXIF')
        return exifOrientation(withoutExifHeader(await read(bytes, at + 8, Math.min(length, MAX_EXIF_BYTES))));
      at += 8 + length + (length % 2);
    }
    return undefined;
  } finally {
    await handle.close();
  }
}

/**
 * The orientation of a PNG's `eXIf` chunk (PNG 3rd edition, 11.3.2.3), which Chromium shows it by where the chunk stands before the pixels
 * (`PNGImageDecoder::HeaderAvailable`).
 */
export async function pngOrientation(file: string): Promise<number | undefined> {
  const handle = await open(file, 'r');
  try {
    const bytes = { handle, size: (await handle.stat()).size };
    let left = MAX_CHUNKS;
    for await (const { type, start, length } of pngChunks(bytes)) {
      if (type === 'eXIf') return exifOrientation(await read(bytes, start, Math.min(length, MAX_EXIF_BYTES)));
      left -= 1;
      if (type === 'IDAT' || left === 0) return undefined;
    }
    return undefined;
  } finally {
    await handle.close();
  }
}
