import { type FileHandle, open } from 'node:fs/promises';

/** The structure of pictures and clips: only the headers of their parts are read, nothing is decoded. Every file is untrusted. */

export interface OpenFile {
  handle: FileHandle;
  size: number;
}

/** Opens a file for this work alone. */
export async function withOpenFile<Found>(file: string, work: (bytes: OpenFile) => Promise<Found>): Promise<Found> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    return await work({ handle, size });
  } finally {
    await handle.close();
  }
}

/** Up to `length` bytes from `at`. */
export async function readUpTo({ handle, size }: OpenFile, at: number, length: number): Promise<Buffer> {
  const wanted = Math.max(0, Math.min(length, size - at));
  const buffer = Buffer.allocUnsafe(wanted);
  let done = 0;
  while (done < wanted) {
    const { bytesRead } = await handle.read(buffer, done, wanted - done, at + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return buffer.subarray(0, done);
}

/** Throws if there are fewer bytes. */
export async function readBytes(bytes: OpenFile, at: number, length: number): Promise<Buffer> {
  const found = await readUpTo(bytes, at, length);
  if (found.length < length) throw new Error('cut off');
  return found;
}

export const WINDOW_BYTES = 64 * 1024;

/** Reads a window at a time, since small frames lie next to each other. */
export function windowedReader(bytes: OpenFile): (at: number, length: number) => Promise<Buffer> {
  let start = 0;
  let held: Buffer = Buffer.alloc(0);
  return async (at, length) => {
    if (at < start || at + length > start + held.length) {
      start = at;
      held = await readUpTo(bytes, at, Math.max(length, WINDOW_BYTES));
    }
    return held.subarray(at - start, at - start + length);
  };
}

export const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** A chunk of a PNG or a WebP, and where its content begins. */
export interface Chunk {
  type: string;
  start: number;
  length: number;
}

/** The chunks of a PNG, one after the other: a head of eight bytes, the content, and four bytes of a checksum (PNG 5.3). */
export async function* pngChunks(bytes: OpenFile): AsyncGenerator<Chunk> {
  const readAt = windowedReader(bytes);
  for (let at = 8; at + 12 <= bytes.size; ) {
    const head = await readAt(at, 8);
    const length = head.readUInt32BE(0);
    yield { type: head.toString('latin1', 4, 8), start: at + 8, length };
    at += 12 + length;
  }
}

/** A marker of a JPEG, and from where to where its content lies. */
interface JpegSegment {
  marker: number;
  start: number;
  end: number;
}

/** Decoders skip bytes between segments; a file with more of them is not taken for a JPEG. */
const MAX_STRAY_BYTES = 65_536;

/** The segments of a JPEG up to the header of its first scan, that one included (T.81 B.1.1.4). */
export async function* jpegSegments(bytes: OpenFile): AsyncGenerator<JpegSegment> {
  const readAt = windowedReader(bytes);
  for (let at = 2, strays = 0; strays <= MAX_STRAY_BYTES; ) {
    const head = await readAt(at, 4);
    if (head.length < 4) return;
    const { marker, length } = markerIn(head);
    if (marker === 0xd9) return;
    if (length === 1) strays += 1;
    if (length > 2) yield { marker, start: at + 4, end: at + length };
    if (marker === 0xda) return;
    at += length;
  }
}

/** The marker in these bytes, and the distance to the next one: 1 for a fill byte and for bytes that are no marker. */
function markerIn(head: Buffer): { marker: number; length: number } {
  const marker = head.readUInt8(1);
  if (head[0] !== 0xff || marker === 0 || marker === 0xff) return { marker: 0, length: 1 };
  return { marker, length: marker === 0xd8 || marker === 0x01 ? 2 : 2 + head.readUInt16BE(2) };
}

/** The chunks of a WebP: a head of eight bytes, and the content, filled up to an even length (RFC 9649, 2.3). */
export async function* webpChunks(bytes: OpenFile): AsyncGenerator<Chunk> {
  const readAt = windowedReader(bytes);
  for (let at = 12; at + 8 <= bytes.size; ) {
    const head = await readAt(at, 8);
    if (head.length < 8) return;
    const length = head.readUInt32LE(4);
    yield { type: head.toString('latin1', 0, 4), start: at + 8, length };
    at += 8 + length + (length % 2);
  }
}

/** A range of a file, or bytes in its place. */
export type Piece = { from: number; to: number } | Uint8Array;
