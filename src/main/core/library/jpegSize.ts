import { open } from 'node:fs/promises';
import { exifOrientation } from './exifOrientation.ts';
import { type Bytes, jpegSegments, read } from './integrity.ts';

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
