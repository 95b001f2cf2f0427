import { open } from 'node:fs/promises';
import { exifOrientation } from './exifOrientation.ts';
import { pngChunks, read } from './integrity.ts';

/** Before the pixels stand some tens of chunks; behind so many nothing is looked for. */
const MAX_CHUNKS = 10_000;
/** Of an Exif, as much as a JPEG can have of it: the directory is at its beginning. */
const MAX_EXIF_BYTES = 64 * 1024;

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
