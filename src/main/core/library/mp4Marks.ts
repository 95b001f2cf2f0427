import { type FileHandle, open } from 'node:fs/promises';
import { type Box, boxesIn, isC2pa, isXmp, MAX_BOXES, readBytes, wholeFile, XMP_UUID } from './mp4Boxes.ts';
import { box, indexWithText, type Mp4Text, movePlaces } from './mp4Tags.ts';
import type { Piece } from './piece.ts';

/** What a copy of an MP4 says of itself, written into its boxes while it is copied. */

/** An index of hours has some megabytes; a larger one stays as it came. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024;

/**
 * The pieces of an MP4 with an XMP packet in a box at the end, and a text under an `mdta` key of its index. An older packet and an older text
 * are gone; a C2PA manifest becomes free space: it vouches for the very bytes of the original. Packets stay as they are, byte by byte.
 * Where the index cannot be written anew, the packet alone is. Throws at once if the file does not end with a box that says where it ends.
 */
export async function mp4Pieces(file: string, xmp: string, text?: Mp4Text): Promise<Piece[]> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const top = await boxesIn(handle, wholeFile(size), { left: MAX_BOXES });
    const last = top.at(-1);
    if (last?.end !== size || last.isOpen) throw new Error('no end');
    const index = text && (await newIndex(handle, top, text).catch(() => undefined));
    const pieces: Piece[] = [];
    // What lies behind all packets may go; in between, nothing moves.
    let isTail = true;
    for (const one of top.toReversed()) {
      const isOld = await isXmp(handle, one);
      if (!isOld) isTail = false;
      if (isOld && isTail) continue;
      pieces.unshift(...(await piecesOf(handle, one, { isOld, index })));
    }
    return [...pieces, box('uuid', Buffer.from(XMP_UUID, 'hex'), Buffer.from(xmp, 'utf8'))];
  } finally {
    await handle.close();
  }
}

async function piecesOf(
  handle: FileHandle,
  one: Box,
  { isOld, index }: { isOld: boolean; index: Buffer | undefined },
): Promise<Piece[]> {
  const { head, start, end, type } = one;
  if (type === 'moov' && index) return [index];
  if (!isOld && !(await isC2pa(handle, one))) return [{ from: head, to: end }];
  const header = await readBytes(handle, head, start - head);
  header.write('free', 4, 'latin1');
  // Nothing of an older packet is left to be found.
  if (isOld && end - start > MAX_INDEX_BYTES) throw new Error('too large');
  return [header, isOld ? Buffer.alloc(end - start) : { from: start, to: end }];
}

/** The whole box; undefined where there is none. */
async function newIndex(handle: FileHandle, top: readonly Box[], text: Mp4Text): Promise<Buffer | undefined> {
  const movie = top.find(({ type }) => type === 'moov');
  // Items and fragments name places in the file, too.
  if (!movie || movie.end - movie.start > MAX_INDEX_BYTES || top.some(({ type }) => OTHER_PLACES.has(type)))
    return undefined;
  const index = box('moov', indexWithText(await readBytes(handle, movie.start, movie.end - movie.start), text));
  movePlaces(index.subarray(8), { from: movie.end, delta: index.length - (movie.end - movie.head) });
  return index;
}

const OTHER_PLACES: ReadonlySet<string> = new Set(['meta', 'moof', 'sidx', 'mfra']);
