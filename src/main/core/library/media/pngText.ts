import { type FileHandle, open } from 'node:fs/promises';
import { crc32, inflateSync } from 'node:zlib';
import { COMMENT_KEY } from '../../../../shared/library/foreignPrompt.ts';
import type { Piece } from './integrity.ts';

/** Text chunks of a PNG (PNG 3rd edition, 11.3.3): read as untrusted text, and written into copies. */

export interface PngText {
  keyword: string;
  text: string;
}

interface Chunk {
  type: string;
  /** Of the whole chunk, from its length to its checksum. */
  start: number;
  end: number;
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** The manifest of a C2PA signature is a chunk of its own (C2PA Technical Specification 1.3, 12.3.1.2 "Embedding manifests into PNG"). */
const C2PA_CHUNK = 'caBX';
/** Exif (PNG 3rd edition, 11.3.3.6). */
const EXIF_CHUNK = 'eXIf';
const TEXT_CHUNKS: ReadonlySet<string> = new Set(['tEXt', 'iTXt', 'zTXt']);
/** The keyword of an XMP packet (XMP part 3). */
export const XMP_KEYWORD = 'XML:com.adobe.xmp';

const MAX_CHUNKS = 200_000;
/** Of the texts that are read, each and together, and of what compressed ones hold. */
const MAX_TEXT_BYTES = 256 * 1024;

interface PngTexts {
  texts: PngText[];
  /** It carries a C2PA manifest. It is not verified. */
  c2pa: boolean;
}

/** Throws if the file is no PNG. */
export async function readPngTexts(file: string): Promise<PngTexts> {
  const handle = await open(file, 'r');
  try {
    const chunks = await chunksOf(handle);
    const texts: PngText[] = [];
    let left = MAX_TEXT_BYTES;
    for (const { type, start, end } of chunks) {
      const length = end - start - 12;
      if (!(TEXT_CHUNKS.has(type) || type === EXIF_CHUNK) || length > left) continue;
      const found = textOf(type, await readBytes(handle, start + 8, length), left);
      left -= Math.max(length, found?.text.length ?? 0);
      if (found) texts.push(found);
    }
    return { texts, c2pa: chunks.some(({ type }) => type === C2PA_CHUNK) };
  } finally {
    await handle.close();
  }
}

/**
 * The pieces of a PNG with these texts in place of those of the same keywords. A C2PA manifest is left out: it vouches for the very bytes of
 * the original. Throws at once if the file is no PNG.
 */
export async function textPieces(file: string, texts: readonly PngText[]): Promise<Piece[]> {
  const handle = await open(file, 'r');
  const replaced = new Set(texts.map(({ keyword }) => keyword));
  const kept: Chunk[] = [];
  try {
    const bytes = windowOf(handle);
    for (const chunk of await chunksOf(handle)) {
      if (chunk.type === C2PA_CHUNK) continue;
      if (TEXT_CHUNKS.has(chunk.type) && replaced.has(await keywordOf(bytes, chunk))) continue;
      kept.push(chunk);
    }
  } finally {
    await handle.close();
  }
  const [head, ...rest] = kept;
  if (head?.type !== 'IHDR') throw new Error('no header');
  return [{ from: 0, to: head.end }, ...texts.map(chunkOf), ...rangesOf(rest)];
}

/** Neighbours are read as one. */
function rangesOf(chunks: readonly Chunk[]): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  for (const { start, end } of chunks) {
    const last = ranges.at(-1);
    if (last?.to === start) last.to = end;
    else ranges.push({ from: start, to: end });
  }
  return ranges;
}

/** Latin-1 as `tEXt`, which every reader knows; any other text, and what could be taken for UTF-8, as `iTXt`, without compression. */
function chunkOf({ keyword, text }: PngText): Buffer {
  const plain = text.replaceAll('\0', '');
  const isLatin =
    keyword !== XMP_KEYWORD &&
    /^[\n\x20-\x7e\xa0-\xff]*$/.test(plain) &&
    utf8OrLatin(Buffer.from(plain, 'latin1')) === plain;
  const body = isLatin
    ? Buffer.from(`${keyword}\0${plain}`, 'latin1')
    : Buffer.concat([Buffer.from(`${keyword}\0\0\0\0\0`, 'latin1'), Buffer.from(plain, 'utf8')]);
  const chunk = Buffer.alloc(body.length + 12);
  chunk.writeUInt32BE(body.length, 0);
  chunk.write(isLatin ? 'tEXt' : 'iTXt', 4, 'latin1');
  body.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, body.length + 8)), body.length + 8);
  return chunk;
}

/** `most`: the bytes that a compressed text may have. */
function textOf(type: string, body: Buffer, most: number): PngText | undefined {
  if (type === EXIF_CHUNK) {
    const comment = exifComment(body);
    return comment === undefined ? undefined : { keyword: COMMENT_KEY, text: comment };
  }
  const end = body.indexOf(0);
  if (end < 1 || end > 79) return undefined;
  const keyword = body.toString('latin1', 0, end);
  const rest = body.subarray(end + 1);
  // Many programs write UTF-8 where the format has Latin-1.
  const text =
    type === 'iTXt' ? internationalText(rest, most) : type === 'zTXt' ? unpacked(rest.subarray(1), most) : rest;
  if (text === undefined) return undefined;
  return { keyword, text: type === 'iTXt' ? text.toString('utf8') : utf8OrLatin(text) };
}

/** Behind compression flag and method, then language and translated keyword, each ended by a zero. */
function internationalText(body: Buffer, most: number): Buffer | undefined {
  const language = body.indexOf(0, 2);
  const translated = language < 0 ? -1 : body.indexOf(0, language + 1);
  if (translated < 0 || (body[0] ?? 2) > 1) return undefined;
  const text = body.subarray(translated + 1);
  return body[0] === 0 ? text : unpacked(text, most);
}

/** Undefined where it is damaged or longer: a few bytes may stand for gigabytes. */
function unpacked(bytes: Buffer, most: number): Buffer | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength: most });
  } catch {
    return undefined;
  }
}

async function keywordOf(bytes: Window, { start, end }: Chunk): Promise<string> {
  const begin = await bytes.read(start + 8, Math.min(80, end - start - 12));
  return begin.toString('latin1', 0, Math.max(0, begin.indexOf(0)));
}

async function chunksOf(handle: FileHandle): Promise<Chunk[]> {
  const { size } = await handle.stat();
  const bytes = windowOf(handle);
  if (!(await bytes.read(0, 8)).equals(SIGNATURE)) throw new Error('no PNG');
  const chunks: Chunk[] = [];
  for (let start = 8; start + 12 <= size && chunks.length < MAX_CHUNKS; ) {
    const head = await bytes.read(start, 8);
    const type = head.toString('latin1', 4);
    const end = start + head.readUInt32BE(0) + 12;
    if (end > size) throw new Error('cut off');
    chunks.push({ type, start, end });
    start = end;
    if (type === 'IEND') return chunks;
  }
  throw new Error('no end');
}

interface Window {
  /** So few bytes that they fit into it. */
  read(at: number, length: number): Promise<Buffer>;
}

const WINDOW_BYTES = 16 * 1024;

/** A picture may have a hundred thousand chunks of a few bytes: what stands together is read at once. */
function windowOf(handle: FileHandle): Window {
  const held = Buffer.alloc(WINDOW_BYTES);
  let [from, to] = [0, 0];
  return {
    async read(at, length) {
      if (at < from || at + length > to) {
        const { bytesRead } = await handle.read(held, 0, WINDOW_BYTES, at);
        [from, to] = [at, at + bytesRead];
      }
      if (at + length > to) throw new Error('cut off');
      return Buffer.from(held.subarray(at - from, at - from + length));
    },
  };
}

async function readBytes(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
  if (bytesRead < length) throw new Error('cut off');
  return buffer;
}

/** The comment in an Exif (Exif 2.32, 4.6.5 "UserComment"), where programs for pictures keep prompt and settings. It is untrusted text. */

const EXIF_DIRECTORY = 0x8769;
const USER_COMMENT = 0x9286;
/** The name of its character code, in eight bytes. */
const CODE_BYTES = 8;
const EXIF_HEADER = 'Exif\0\0';

/** Undefined where there is none, or it is not built as it should be. */
export function exifComment(exif: Buffer): string | undefined {
  const hasHeader = exif.toString('latin1', 0, EXIF_HEADER.length) === EXIF_HEADER;
  const tiff = hasHeader ? exif.subarray(EXIF_HEADER.length) : exif;
  const order = tiff.toString('latin1', 0, 4);
  if (order !== 'II*\0' && order !== 'MM\0*') return undefined;
  const isLittle = order.startsWith('II');
  const number = (at: number, bytes: 2 | 4): number =>
    at + bytes > tiff.length ? 0 : isLittle ? tiff.readUIntLE(at, bytes) : tiff.readUIntBE(at, bytes);
  const entryIn = (directory: number, tag: number): number | undefined => {
    if (directory === 0) return undefined;
    for (let entry = 0, entries = number(directory, 2); entry < entries; entry++) {
      const at = directory + 2 + entry * 12;
      if (number(at, 2) === tag) return at;
    }
    return undefined;
  };
  const inner = entryIn(number(4, 4), EXIF_DIRECTORY);
  const comment = inner === undefined ? undefined : entryIn(number(inner + 8, 4), USER_COMMENT);
  if (comment === undefined) return undefined;
  const [length, from] = [number(comment + 4, 4), number(comment + 8, 4)];
  const bytes = tiff.subarray(from, from + length);
  if (length <= CODE_BYTES || bytes.length < length) return undefined;
  return decoded(bytes.toString('latin1', 0, CODE_BYTES), bytes.subarray(CODE_BYTES), isLittle);
}

function decoded(code: string, bytes: Buffer, isLittle: boolean): string {
  const text = code.startsWith('UNICODE') ? wide(bytes, isLittle) : utf8OrLatin(bytes);
  // It may be filled up with zeros.
  return text.split('\0', 1)[0] ?? '';
}

/** Programs write the order of their machine, whatever that of the directory is: Latin letters show which. */
function wide(bytes: Buffer, isLittle: boolean): string {
  const zeros = [0, 0];
  for (const [at, byte] of bytes.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const isLittleText = even === odd ? isLittle : odd > even;
  return new TextDecoder(isLittleText ? 'utf-16le' : 'utf-16be').decode(bytes);
}

/** What is said to be Latin-1 or ASCII is UTF-8 in most files, if it can be. */
function utf8OrLatin(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}
