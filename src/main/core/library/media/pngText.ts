import { crc32, inflateSync } from 'node:zlib';
import { COMMENT_KEY } from '../../../../shared/library/foreignPrompt.ts';
import {
  type Chunk,
  type OpenFile,
  type Piece,
  PNG_SIGNATURE,
  pngChunks,
  readBytes,
  readUpTo,
  windowedReader,
  withOpenFile,
} from './containers.ts';
import { exifComment, utf8OrLatin } from './exif.ts';

/** Text chunks of a PNG (PNG 3rd edition, 11.3.3): read as untrusted text, and written into copies. */

export interface PngText {
  keyword: string;
  text: string;
}

/** The manifest of a C2PA signature is a chunk of its own (C2PA Technical Specification 1.3, 12.3.1.2 "Embedding manifests into PNG"). */
const C2PA_CHUNK = 'caBX';
/** Exif (PNG 3rd edition, 11.3.3.6). */
const EXIF_CHUNK = 'eXIf';
const TEXT_CHUNKS: ReadonlySet<string> = new Set(['tEXt', 'iTXt', 'zTXt']);
/** The keyword of an XMP packet (XMP part 3). */
export const XMP_KEYWORD = 'XML:com.adobe.xmp';

const MAX_CHUNKS = 200_000;
/** Limit for all texts that are read, for each of them, and for the content of a compressed one. */
const MAX_TEXT_BYTES = 256 * 1024;

interface PngTexts {
  texts: PngText[];
  /** It carries a C2PA manifest. It is not verified. */
  c2pa: boolean;
}

/** Throws if the file is no PNG. */
export const readPngTexts = (file: string): Promise<PngTexts> =>
  withOpenFile(file, async (bytes) => {
    const chunks = await chunksOf(bytes);
    const texts: PngText[] = [];
    let left = MAX_TEXT_BYTES;
    for (const { type, start, length } of chunks) {
      if (!(TEXT_CHUNKS.has(type) || type === EXIF_CHUNK) || length > left) continue;
      const found = textOf(type, await readBytes(bytes, start, length), left);
      left -= Math.max(length, found?.text.length ?? 0);
      if (found) texts.push(found);
    }
    return { texts, c2pa: chunks.some(({ type }) => type === C2PA_CHUNK) };
  });

/**
 * The pieces of a PNG with these texts in place of those of the same keywords. A C2PA manifest is left out: it vouches for the very bytes of
 * the original. Throws at once if the file is no PNG.
 */
export async function textPieces(file: string, texts: readonly PngText[]): Promise<Piece[]> {
  const replaced = new Set(texts.map(({ keyword }) => keyword));
  const [head, ...rest] = await withOpenFile(file, async (bytes) => {
    const readAt = windowedReader(bytes);
    const remaining: Chunk[] = [];
    for (const chunk of await chunksOf(bytes)) {
      if (chunk.type === C2PA_CHUNK) continue;
      if (TEXT_CHUNKS.has(chunk.type) && replaced.has(await keywordOf(readAt, chunk))) continue;
      remaining.push(chunk);
    }
    return remaining;
  });
  if (head?.type !== 'IHDR') throw new Error('no header');
  return [{ from: 0, to: endOf(head) }, ...texts.map(chunkOf), ...rangesOf(rest)];
}

/** The end of a chunk, including its checksum. */
const endOf = ({ start, length }: Chunk): number => start + length + 4;

/** Joins adjacent chunks into one range. */
function rangesOf(chunks: readonly Chunk[]): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  for (const chunk of chunks) {
    const [last, from] = [ranges.at(-1), chunk.start - 8];
    if (last?.to === from) last.to = endOf(chunk);
    else ranges.push({ from, to: endOf(chunk) });
  }
  return ranges;
}

/** Latin-1 text as `tEXt`, which every reader supports. Other text, and text that could be mistaken for UTF-8, as uncompressed `iTXt`. */
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
  // Many programs write UTF-8 although the format requires Latin-1.
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

/** Undefined if the data is damaged or longer: a few bytes may expand to gigabytes. */
function unpacked(bytes: Buffer, most: number): Buffer | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength: most });
  } catch {
    return undefined;
  }
}

async function keywordOf(readAt: ReturnType<typeof windowedReader>, { start, length }: Chunk): Promise<string> {
  const begin = await readAt(start, Math.min(80, length));
  return begin.toString('latin1', 0, Math.max(0, begin.indexOf(0)));
}

async function chunksOf(bytes: OpenFile): Promise<Chunk[]> {
  if (!(await readUpTo(bytes, 0, 8)).equals(PNG_SIGNATURE)) throw new Error('no PNG');
  const chunks: Chunk[] = [];
  for await (const chunk of pngChunks(bytes)) {
    if (endOf(chunk) > bytes.size) throw new Error('cut off');
    chunks.push(chunk);
    if (chunk.type === 'IEND') return chunks;
    if (chunks.length === MAX_CHUNKS) break;
  }
  throw new Error('no end');
}
