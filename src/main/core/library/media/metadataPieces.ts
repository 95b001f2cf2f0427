import { type OpenFile, type Piece, readBytes, withOpenFile } from './containers.ts';
import { type Box, boxesIn, isC2pa, isXmp, MAX_BOXES, wholeFile, XMP_UUID } from './mp4Boxes.ts';
import { type PngText, textPieces } from './pngText.ts';
import { xmpPieces } from './xmpPictures.ts';

/** The metadata for a copy of a file. */
export type CopyMetadata =
  | { type: 'texts'; texts: readonly PngText[] }
  | { type: 'xmp'; mime: string; xmp: string }
  | { type: 'mp4'; xmp: string; text: Mp4Text | undefined };

/** The copy, in its order. Throws if the file is not built as it should be. */
export function piecesOf(file: string, metadata: CopyMetadata): Promise<Piece[]> {
  if (metadata.type === 'texts') return textPieces(file, metadata.texts);
  return metadata.type === 'xmp'
    ? xmpPieces(file, metadata.mime, metadata.xmp)
    : mp4Pieces(file, metadata.xmp, metadata.text);
}

/** Adds metadata to a copy of an MP4 by writing its boxes during the copy. */

/** An index of hours has some megabytes; a larger one stays as it came. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024;

/**
 * The pieces of an MP4 with an XMP packet in a box at the end, and a text under an `mdta` key of its index. They replace an older packet
 * and text; a C2PA manifest becomes free space, because it vouches for the exact bytes of the original. Media packets are copied byte by
 * byte. If the index cannot be rewritten, only the XMP packet is added. Throws at once if the last box does not state its end.
 */
const mp4Pieces = (file: string, xmp: string, text?: Mp4Text): Promise<Piece[]> =>
  withOpenFile(file, async (bytes) => {
    const top = await boxesIn(bytes, wholeFile(bytes), { left: MAX_BOXES });
    const last = top.at(-1);
    if (last?.end !== bytes.size || last.isOpen) throw new Error('no end');
    const index = text && (await newIndex(bytes, top, text).catch(() => undefined));
    const pieces: Piece[] = [];
    // Boxes after all media packets may be removed; those between them must keep their position.
    let isTail = true;
    for (const one of top.toReversed()) {
      const isOld = await isXmp(bytes, one);
      if (!isOld) isTail = false;
      if (isOld && isTail) continue;
      pieces.unshift(...(await boxPieces(bytes, one, { isOld, index })));
    }
    return [...pieces, box('uuid', Buffer.from(XMP_UUID, 'hex'), Buffer.from(xmp, 'utf8'))];
  });

async function boxPieces(
  bytes: OpenFile,
  one: Box,
  { isOld, index }: { isOld: boolean; index: Buffer | undefined },
): Promise<Piece[]> {
  const { head, start, end, type } = one;
  if (type === 'moov' && index) return [index];
  if (!isOld && !(await isC2pa(bytes, one))) return [{ from: head, to: end }];
  const header = await readBytes(bytes, head, start - head);
  header.write('free', 4, 'latin1');
  // An older XMP packet is overwritten with zeros, so that nothing of it can be found.
  if (isOld && end - start > MAX_INDEX_BYTES) throw new Error('too large');
  return [header, isOld ? Buffer.alloc(end - start) : { from: start, to: end }];
}

/** The whole box; undefined if there is none. */
async function newIndex(bytes: OpenFile, top: readonly Box[], text: Mp4Text): Promise<Buffer | undefined> {
  const movie = top.find(({ type }) => type === 'moov');
  // Items and fragments contain file offsets too.
  if (!movie || movie.end - movie.start > MAX_INDEX_BYTES || top.some(({ type }) => OTHER_OFFSETS.has(type)))
    return undefined;
  const index = box('moov', indexWithText(await readBytes(bytes, movie.start, movie.end - movie.start), text));
  moveOffsets(index.subarray(8), { from: movie.end, delta: index.length - (movie.end - movie.head) });
  return index;
}

const OTHER_OFFSETS: ReadonlySet<string> = new Set(['meta', 'moof', 'sidx', 'mfra']);

/**
 * Texts under `mdta` keys in the index of an MP4 (QuickTime File Format, "Metadata"), where editing programs and FFmpeg read them. The
 * index is rewritten in memory; nothing else of the file is parsed.
 */

export interface Mp4Text {
  keyword: string;
  text: string;
}

interface Part {
  type: string;
  /** The whole box, and its content. */
  bytes: Buffer;
  body: Buffer;
}

/**
 * The content of an index with this text, which replaces one under the same key, and without an XMP packet of its own, which would repeat
 * the original's metadata. Throws if the index is malformed or has fragments, whose offsets are stored elsewhere too.
 */
function indexWithText(index: Buffer, text: Mp4Text): Buffer {
  const parts = partsOf(index);
  if (parts.some(({ type }) => type === 'mvex')) throw new Error('fragments');
  const rest = parts.map((part) => (part.type === 'meta' ? withoutKey(part, text.keyword) : part.bytes));
  const user = parts.findIndex(({ type }) => type === 'udta');
  const withText = userData(user < 0 ? [] : partsOf(parts[user]?.body ?? Buffer.alloc(0)), text);
  if (user < 0) return Buffer.concat([...rest, withText]);
  return Buffer.concat(rest.map((bytes, at) => (at === user ? withText : bytes)));
}

/** Adds `delta` to media packet offsets beyond a position. Throws if there may be offsets in places that are not known here. */
function moveOffsets(index: Buffer, { from, delta }: { from: number; delta: number }): void {
  for (const { body } of partsOf(index).filter(({ type }) => type === 'trak')) {
    const table = ['mdia', 'minf', 'stbl'].reduce<Buffer | undefined>(
      (inside, name) => inside && partsOf(inside).find(({ type }) => type === name)?.body,
      body,
    );
    for (const part of table ? partsOf(table) : []) {
      if (part.type === 'saio') throw new Error('places of encryption');
      if (part.type === 'stco' || part.type === 'co64') moveAll(part, { from, delta });
    }
  }
}

function moveAll({ type, body }: Part, { from, delta }: { from: number; delta: number }): void {
  const count = body.readUInt32BE(4);
  const size = type === 'stco' ? 4 : 8;
  if (8 + count * size > body.length) throw new Error('cut off');
  for (let at = 8; at < 8 + count * size; at += size) {
    const offset = size === 4 ? body.readUInt32BE(at) : Number(body.readBigUInt64BE(at));
    if (offset < from) continue;
    if (size === 4) body.writeUInt32BE(offset + delta, at);
    else body.writeBigUInt64BE(BigInt(offset + delta), at);
  }
}

/** A `meta` box of the `mdta` form with the entries of the others and the new one. */
function userData(parts: readonly Part[], { keyword, text }: Mp4Text): Buffer {
  const known = parts.flatMap((part) => (part.type === 'meta' ? (entriesIn(part) ?? []) : []));
  const rest = parts.filter((part) => part.type !== 'XMP_' && (part.type !== 'meta' || !entriesIn(part)));
  const others = known.filter(({ key }) => key !== keyword);
  return box('udta', ...rest.map(({ bytes }) => bytes), metadata([...others, { key: keyword, item: textItem(text) }]));
}

interface Entry {
  key: string;
  /** The content of its item. */
  item: Buffer;
}

/** Metadata of the `mdta` form without this key, or no box at all if there was no other key. Other forms stay unchanged. */
function withoutKey(part: Part, keyword: string): Buffer {
  const entries = entriesIn(part);
  if (!entries?.some(({ key }) => key === keyword)) return part.bytes;
  const others = entries.filter(({ key }) => key !== keyword);
  return others.length === 0 ? Buffer.alloc(0) : metadata(others, hasVersion(part));
}

/** With a version before its boxes (ISO/IEC 14496-12, 8.11.1) or without one (QuickTime). */
const hasVersion = ({ body }: Part): boolean => body.toString('latin1', 4, 8) !== 'hdlr';

function entriesIn(part: Part): Entry[] | undefined {
  const parts = partsOf(hasVersion(part) ? part.body.subarray(4) : part.body);
  const found = (name: string) => parts.find(({ type }) => type === name)?.body;
  const [handler, keys, items] = [found('hdlr'), found('keys'), found('ilst')];
  if (!keys || !items || handler?.toString('latin1', 8, 12) !== 'mdta') return undefined;
  const names = partsOf(keys.subarray(8)).map(({ body: name }) => name.toString('utf8'));
  return partsOf(items).flatMap(({ bytes, body: item }) => {
    const key = names[bytes.readUInt32BE(4) - 1];
    return key === undefined ? [] : [{ key, item }];
  });
}

/** In user data with a version: ExifTool and MediaInfo read it there in no other form. */
function metadata(entries: readonly Entry[], isVersioned = true): Buffer {
  const handler = Buffer.concat([Buffer.alloc(8), Buffer.from('mdta', 'latin1'), Buffer.alloc(13)]);
  const keys = entries.map(({ key }) => box('mdta', Buffer.from(key, 'utf8')));
  const items = entries.map(({ item }, index) => box(number(index + 1), item));
  const count = Buffer.concat([Buffer.alloc(4), number(entries.length)]);
  const version = Buffer.alloc(isVersioned ? 4 : 0);
  return box('meta', version, box('hdlr', handler), box('keys', count, ...keys), box('ilst', ...items));
}

/** UTF-8, of no language. */
const textItem = (text: string): Buffer => box('data', number(1), number(0), Buffer.from(text, 'utf8'));

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function box(type: string | Buffer, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([number(body.length + 8), typeof type === 'string' ? Buffer.from(type, 'latin1') : type, body]);
}

const MAX_PARTS = 10_000;

/** User data may end with a zero that is no box (QuickTime File Format, "User Data Atoms"). */
function partsOf(bytes: Buffer): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    if (size < 8 || at + size > bytes.length || parts.length === MAX_PARTS)
      throw new Error('not built as it should be');
    const whole = bytes.subarray(at, at + size);
    parts.push({ type: whole.toString('latin1', 4, 8), bytes: whole, body: whole.subarray(8) });
    at += size;
  }
  return parts;
}
