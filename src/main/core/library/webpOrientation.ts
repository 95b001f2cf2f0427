import { open } from 'node:fs/promises';
import { exifOrientation, withoutExifHeader } from './exifOrientation.ts';
import { read } from './integrity.ts';

/** Behind so many chunks nothing is looked for. */
const MAX_CHUNKS = 10_000;
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
