import { isSvgStart } from '../../../../shared/library/mediaFormats.ts';
import {
  jpegSegments,
  type OpenFile,
  pngChunks,
  readUpTo,
  WINDOW_BYTES,
  windowedReader,
  withOpenFile,
} from './containers.ts';

/**
 * Whether a file is complete. A connection that a proxy cut can look like a proper end, so the length alone does not tell; but every
 * format that Dailies keeps marks its end. Only containers are walked here, nothing is decoded.
 */
export const isComplete = (file: string, mime: string): Promise<boolean> =>
  withOpenFile(file, CHECKS[mime] ?? (async () => true));

type Check = (bytes: OpenFile) => Promise<boolean>;

const isCompleteClip: Check = (bytes) => hasBoxes(bytes, [['moov'], ['mdat', 'moof']]);
const isCompleteHeif: Check = (bytes) => hasBoxes(bytes, [['meta', 'moov'], ['mdat']]);

const CHECKS: Record<string, Check> = {
  'image/png': isCompletePng,
  'image/jpeg': isCompleteJpeg,
  'image/webp': isCompleteRiff,
  'image/gif': isCompleteGif,
  'image/avif': (bytes) => hasBoxes(bytes, [['meta'], ['mdat']]),
  'image/heic': isCompleteHeif,
  'image/heic-sequence': isCompleteHeif,
  'image/heif': isCompleteHeif,
  'image/heif-sequence': isCompleteHeif,
  'image/bmp': isCompleteBmp,
  'image/svg+xml': isCompleteSvg,
  'video/mp4': isCompleteClip,
  'video/quicktime': isCompleteClip,
  'video/3gpp': isCompleteClip,
  'video/3gpp2': isCompleteClip,
  'video/vnd.avi': isCompleteRiff,
  'video/webm': isCompleteMatroska,
  'video/matroska': isCompleteMatroska,
  'audio/wav': isCompleteRiff,
  'audio/mp4': isCompleteClip,
  'audio/quicktime': isCompleteClip,
  'audio/webm': isCompleteMatroska,
  'audio/matroska': isCompleteMatroska,
};

/** Chunks up to IEND (PNG 5.6); bytes after it do not matter. */
async function isCompletePng(bytes: OpenFile): Promise<boolean> {
  for await (const { type } of pngChunks(bytes)) if (type === 'IEND') return true;
  return false;
}

/**
 * Segments up to the first scan, then an end marker anywhere after it: within a scan FF is always followed by 00 or a restart, so FF D9
 * is the end (T.81 B.1.1). A preview in an earlier segment has an end marker of its own, which does not count.
 */
async function isCompleteJpeg(bytes: OpenFile): Promise<boolean> {
  const start = await firstScanOf(bytes);
  if (start === undefined) return false;
  const end = Buffer.from([0xff, 0xd9]);
  for (let to = bytes.size; to > start; to -= WINDOW_BYTES) {
    const from = Math.max(start, to - WINDOW_BYTES);
    // One extra byte, for a marker that spans two windows.
    if ((await readUpTo(bytes, from, to - from + 1)).includes(end)) return true;
  }
  return false;
}

/** The start of the data of a JPEG's first scan; undefined if the segments end before it. */
async function firstScanOf(bytes: OpenFile): Promise<number | undefined> {
  for await (const { marker, end } of jpegSegments(bytes)) if (marker === 0xda) return end;
  return undefined;
}

/**
 * The RIFF header holds the length of everything after its first eight bytes. A program that could not go back to fill it in leaves the
 * largest number there, and so does RF64, which has the length after the header of its first chunk (EBU Tech 3306, 3.5).
 */
async function isCompleteRiff(bytes: OpenFile): Promise<boolean> {
  const head = await readUpTo(bytes, 0, 28);
  if (head.length < 8) return false;
  const length = head.readUInt32LE(4);
  if (length !== 0xffff_ffff) return length + 8 <= bytes.size;
  if (head.toString('latin1', 0, 4) !== 'RF64') return true;
  return head.length === 28 && Number(head.readBigUInt64LE(20)) + 8 <= bytes.size;
}

/** The file length follows the two letters; some programs leave it empty. */
async function isCompleteBmp(bytes: OpenFile): Promise<boolean> {
  const head = await readUpTo(bytes, 0, 6);
  return head.length === 6 && head.readUInt32LE(2) <= bytes.size;
}

async function isCompleteSvg(bytes: OpenFile): Promise<boolean> {
  return (await readUpTo(bytes, Math.max(0, bytes.size - 1024), 1024)).includes('</svg>');
}

/** Blocks up to the trailer 3B (GIF89a 27); bytes after it do not matter. */
async function isCompleteGif(bytes: OpenFile): Promise<boolean> {
  const readAt = windowedReader(bytes);
  const behindBlocks = async (from: number): Promise<number> => {
    let at = from;
    for (let length: number | undefined; length !== 0; at += 1 + length) {
      [length] = await readAt(at, 1);
      if (length === undefined) return bytes.size;
    }
    return at;
  };
  for (let at = 13 + colorTableBytes((await readAt(10, 1))[0]); at < bytes.size; ) {
    const head = await readAt(at, 10);
    if (head[0] === 0x3b) return true;
    if (head[0] === 0x21) at = await behindBlocks(at + 2);
    else if (head[0] === 0x2c) at = await behindBlocks(at + 11 + colorTableBytes(head[9]));
    else return endsInTrailer(bytes);
  }
  return false;
}

/** The packed byte of a screen or an image says whether a table follows it, and how long that is. */
const colorTableBytes = (packed = 0): number => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1));

/** For a file with bytes that are no block: it must end with the trailer, followed at most by padding. */
async function endsInTrailer(bytes: OpenFile): Promise<boolean> {
  const tail = await readUpTo(bytes, Math.max(0, bytes.size - 1024), 1024);
  const last = tail.findLastIndex((byte) => byte !== 0);
  return tail[last] === 0x3b;
}

/** Boxes that may be at the top level of a file that Dailies keeps (ISO 14496-12, 6.2.3; QuickTime). */
const TOP_BOXES = new Set(
  'ftyp styp moov moof mdat free skip wide uuid meta mfra sidx ssix emsg prft udta pdin pnot'.split(' '),
);

/**
 * Whether top-level boxes cover the file, with at least one of each group (ISO 14496-12, 4.2). Trailing bytes that are no box do not
 * matter, but a cut box does.
 */
async function hasBoxes(bytes: OpenFile, groups: string[][]): Promise<boolean> {
  const readAt = windowedReader(bytes);
  const seen = new Set<string>();
  const hasAll = (): boolean => groups.every((group) => group.some((type) => seen.has(type)));
  let at = 0;
  while (at < bytes.size) {
    const head = await readAt(at, 16);
    if (head.every((byte) => byte === 0) && seen.size > 0) break;
    const size = boxSize(head, bytes.size - at);
    if (size < 8 || at + size > bytes.size) return hasAll() && !mayBeginBox(head);
    seen.add(head.toString('latin1', 4, 8));
    at += size;
  }
  return hasAll();
}

/**
 * Whether these bytes may begin a cut box. Unless the box is large, the first byte of its size is zero, even if the header itself is cut.
 */
const mayBeginBox = (head: Buffer): boolean =>
  head.length < 8 ? head[0] === 0 : TOP_BOXES.has(head.toString('latin1', 4, 8));

/** 0 means up to the end of the file; 1 means that the size follows the type. */
function boxSize(head: Buffer, left: number): number {
  if (head.length < 8) return 0;
  const short = head.readUInt32BE(0);
  if (short === 0) return left;
  if (short !== 1) return short;
  return head.length < 16 ? 0 : Number(head.readBigUInt64BE(8));
}

/** The segment states its length, unless it was written live. */
async function isCompleteMatroska(bytes: OpenFile): Promise<boolean> {
  const head = await readUpTo(bytes, 0, 4096);
  const ebml = elementAt(head, 0);
  if (!ebml || ebml.length === undefined) return false;
  const segment = elementAt(head, ebml.body + ebml.length);
  if (!segment) return false;
  return segment.length === undefined || segment.body + segment.length <= bytes.size;
}

/** Start and length of an EBML element's body; without a length where it is unknown (RFC 8794 6.2). */
function elementAt(head: Buffer, at: number): { body: number; length?: number } | undefined {
  const idWidth = vintWidth(head[at]);
  const sizeWidth = vintWidth(head[at + idWidth]);
  const body = at + idWidth + sizeWidth;
  if (idWidth === 0 || sizeWidth === 0 || body > head.length) return undefined;
  const field = head.subarray(at + idWidth, body);
  let length = BigInt(field[0] ?? 0) & ((1n << BigInt(8 - sizeWidth)) - 1n);
  for (const byte of field.subarray(1)) length = (length << 8n) | BigInt(byte);
  const unknown = (1n << BigInt(7 * sizeWidth)) - 1n;
  return length === unknown ? { body } : { body, length: Number(length) };
}

const vintWidth = (first: number | undefined): number =>
  first === undefined || first === 0 ? 0 : Math.clz32(first) - 23;

/** The first bytes of pictures, clips and sounds. */
const STARTS = [
  ['\x89PNG\r\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a', 'BM', 'II*\0', 'MM\0*', 'II+\0', 'MM\0+', '8BPS', '\0\0\x01\0'],
  ['\0\0\0\x0cjP  ', '\0\0\0\x0cJXL ', '\xff\x0a'],
  ['\x1a\x45\xdf\xa3', 'FLV\x01', '\x30\x26\xb2\x75\x8e\x66\xcf\x11', '\0\0\x01\xba', '\0\0\x01\xb3'],
  ['ID3', 'OggS', 'fLaC', '#!AMR', '\x0b\x77'],
  ['\xff\xfb', '\xff\xf3', '\xff\xf2', '\xff\xfa', '\xff\xf1', '\xff\xf9'],
].flat();
const RIFF_FORMS = ['WEBP', 'WAVE', 'AVI '];
const FIRST_BOXES = ['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot', 'styp'];

/** Whether a file may be a picture, a clip or a sound by its first bytes; enough to stop downloading anything else. */
export function isMediaStart(start: Uint8Array): boolean {
  const text = Buffer.from(start.buffer, start.byteOffset, Math.min(start.byteLength, SNIFF_BYTES)).toString('latin1');
  const form = text.slice(8, 12);
  if (['RIFF', 'RIFX', 'RF64'].includes(text.slice(0, 4))) return RIFF_FORMS.includes(form);
  if (text.startsWith('FORM')) return form === 'AIFF' || form === 'AIFC';
  if (FIRST_BOXES.includes(text.slice(4, 8)) || STARTS.some((mark) => text.startsWith(mark))) return true;
  return isTransportStream(text, 188, 0) || isTransportStream(text, 192, 4) || isSvgStart(text);
}

/** Every packet begins with the same letter; cameras put a time code before it (ISO 13818-1, 2.4.3.2). */
const isTransportStream = (text: string, packet: number, at: number): boolean =>
  text[at] === 'G' && (text[at + packet] ?? 'G') === 'G';

/** Number of bytes that {@link isMediaStart} looks at. */
export const SNIFF_BYTES = 512;
