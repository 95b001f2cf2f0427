import {
  jpegSegments,
  type OpenFile,
  type Piece,
  readBytes,
  readUpTo,
  webpChunks,
  withOpenFile,
} from './containers.ts';
import { exifComment } from './exif.ts';

/**
 * XMP packets in JPEG and WebP pictures: read as untrusted text, and written into copies. A JPEG has one in an APP1 segment (XMP part 3,
 * "JPEG"), a WebP in a chunk of its own, which a `VP8X` chunk announces (RFC 9649, 2.7).
 */

/** A larger picture stays as it came, and is not read: it is held in memory. */
const MAX_PICTURE_BYTES = 64 * 1024 * 1024;
/** The longest packet that is read. */
const MAX_PACKET_BYTES = 256 * 1024;
const MAX_PARTS = 10_000;

const XMP_HEADER = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1');
const EXTENDED_HEADER = Buffer.from('http://ns.adobe.com/xmp/extension/\0', 'latin1');
const EXIF_HEADER = Buffer.from('Exif\0\0', 'latin1');
/** A segment says its own length in two bytes, which count themselves. */
export const MAX_JPEG_PACKET_BYTES = 65_535 - 2 - XMP_HEADER.length;

interface Part {
  type: string;
  /** Of the whole part. */
  start: number;
  end: number;
  /** Of its content. */
  body: Buffer;
}

/** The XMP packet and the Exif comment of a picture, and whether it has a C2PA manifest. Throws if the picture is malformed. */
export const readXmpPacket = (file: string, mime: string): Promise<{ xmp?: string; comment?: string; c2pa: boolean }> =>
  withOpenFile(file, async (bytes) => {
    const parts = await partsOf(bytes, mime);
    const xmp = parts.find(({ type, body }) => type === 'xmp' && body.length <= MAX_PACKET_BYTES);
    const exif = parts.find(({ type, body }) => type.toLowerCase() === 'exif' && body.length <= MAX_PACKET_BYTES);
    const comment = exif && exifComment(exif.body);
    return {
      ...(xmp ? { xmp: xmp.body.toString('utf8') } : {}),
      ...(comment === undefined ? {} : { comment }),
      c2pa: parts.some(({ type }) => type === 'c2pa'),
    };
  });

function partsOf(bytes: OpenFile, mime: string): Promise<Part[]> {
  if (bytes.size > MAX_PICTURE_BYTES) throw new Error('too large');
  return mime === 'image/jpeg' ? segmentsOf(bytes) : chunksOf(bytes);
}

/**
 * The pieces of a JPEG or WebP with this packet, which replaces an existing one. A C2PA manifest is left out, because it vouches for the
 * exact bytes of the original. Throws if the picture is malformed, or the packet too long for it.
 */
export const xmpPieces = (file: string, mime: string, xmp: string): Promise<Piece[]> =>
  withOpenFile(file, async (bytes) => {
    const parts = await partsOf(bytes, mime);
    const packet = Buffer.from(xmp, 'utf8');
    return mime === 'image/jpeg'
      ? jpegWithXmp(parts, bytes.size, packet)
      : webpWithXmp(parts, await riffEnd(bytes), packet);
  });

const rangeOf = ({ start, end }: Part): Piece => ({ from: start, to: end });

function jpegWithXmp(segments: readonly Part[], size: number, packet: Buffer): Piece[] {
  if (packet.length > MAX_JPEG_PACKET_BYTES) throw new Error('too long');
  const scan = segments.at(-1);
  if (scan?.type !== 'scan') throw new Error('no picture');
  const remaining = segments.filter(({ type }) => !['xmp', 'extended', 'c2pa', 'scan'].includes(type));
  // JFIF and Exif segments must both come first, according to their specifications.
  const leading = remaining.findIndex(({ type }) => type !== 'app0' && type !== 'exif');
  const at = leading < 0 ? remaining.length : leading;
  const head = Buffer.alloc(4);
  head.writeUInt16BE(0xffe1, 0);
  head.writeUInt16BE(2 + XMP_HEADER.length + packet.length, 2);
  return [
    { from: 0, to: 2 },
    ...remaining.slice(0, at).map(rangeOf),
    Buffer.concat([head, XMP_HEADER, packet]),
    ...remaining.slice(at).map(rangeOf),
    { from: scan.start, to: size },
  ];
}

/** The segments before the scan, which holds the pixels and is not read. */
async function segmentsOf(bytes: OpenFile): Promise<Part[]> {
  if ((await readUpTo(bytes, 0, 2)).toString('hex') !== 'ffd8') throw new Error('no JPEG');
  const parts: Part[] = [];
  let behind = 2;
  for await (const { marker, start, end } of jpegSegments(bytes)) {
    if (parts.length === MAX_PARTS) break;
    // Only fill bytes may precede a marker (ITU-T T.81, B.1.1.2); any other skipped bytes may be pixels.
    const between = await readBytes(bytes, behind, start - 4 - behind);
    if (end < start || between.some((byte) => byte !== 0xff)) throw new Error('no marker');
    behind = end;
    parts.push(segment(marker, await readBytes(bytes, start, end - start), { start: start - 4, end }));
  }
  return parts;
}

function segment(marker: number, body: Buffer, range: { start: number; end: number }): Part {
  const starts = (header: Buffer) => body.subarray(0, header.length).equals(header);
  if (marker === 0xda) return { ...range, body, type: 'scan' };
  if (marker === 0xe0) return { ...range, body, type: 'app0' };
  if (marker === 0xe1 && starts(XMP_HEADER)) return { ...range, body: body.subarray(XMP_HEADER.length), type: 'xmp' };
  if (marker === 0xe1 && starts(EXTENDED_HEADER)) return { ...range, body, type: 'extended' };
  if (marker === 0xe1 && starts(EXIF_HEADER)) return { ...range, body, type: 'exif' };
  // JUMBF boxes (ISO 19566-5, D.2), in which a C2PA manifest is kept (C2PA Technical Specification 1.3, 12.3.1.1).
  if (marker === 0xeb && starts(Buffer.from('JP', 'latin1'))) return { ...range, body, type: 'c2pa' };
  return { ...range, body, type: 'other' };
}

const HAS_XMP = 0x04;

function webpWithXmp(chunks: readonly Part[], end: number, packet: Buffer): Piece[] {
  const remaining = chunks.filter(({ type }) => type !== 'xmp' && type !== 'c2pa');
  const [first, ...rest] = remaining;
  // Data after the last readable chunk would be lost, for example if a chunk lacks its padding.
  if (!first || chunks.at(-1)?.end !== end) throw new Error('cut off');
  const isExtended = first.type === 'VP8X';
  const header = isExtended ? Buffer.from(first.body.subarray(0, 10)) : headerOf(first);
  if (header.length < 10) throw new Error('no header');
  header.writeUInt8((header[0] ?? 0) | HAS_XMP, 0);
  const pixels = isExtended ? rest : remaining;
  const [announced, last] = [chunk('VP8X', header), chunk('XMP ', packet)];
  const length = pixels.reduce((sum, { start, end }) => sum + end - start, 4 + announced.length + last.length);
  const begin = Buffer.concat([sized('RIFF', length), Buffer.from('WEBP', 'latin1'), announced]);
  return [begin, ...pixels.map(rangeOf), last];
}

/** The header that a simple picture lacks: no flags but those of its pixels, and its size (RFC 9649, 2.5 and 2.6). */
function headerOf({ type, body }: Part): Buffer {
  const header = Buffer.alloc(10);
  if (type === 'VP8 ' && body.length >= 10) {
    header.writeUIntLE((body.readUInt16LE(6) & 0x3fff) - 1, 4, 3);
    header.writeUIntLE((body.readUInt16LE(8) & 0x3fff) - 1, 7, 3);
    return header;
  }
  if (type !== 'VP8L' || body.length < 5 || body[0] !== 0x2f) throw new Error('no picture');
  const bits = body.readUInt32LE(1);
  header.writeUInt8((bits >>> 28) & 1 ? 0x10 : 0, 0);
  header.writeUIntLE(bits & 0x3fff, 4, 3);
  header.writeUIntLE((bits >>> 14) & 0x3fff, 7, 3);
  return header;
}

function sized(name: string, length: number): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 0, 'latin1');
  head.writeUInt32LE(length, 4);
  return head;
}

/** A chunk of odd length is followed by a zero that it does not count. */
const chunk = (name: string, body: Buffer): Buffer =>
  Buffer.concat([sized(name, body.length), body, Buffer.alloc(body.length % 2)]);

/** As the header states it. */
const riffEnd = async (bytes: OpenFile): Promise<number> => 8 + (await readBytes(bytes, 4, 4)).readUInt32LE(0);

async function chunksOf(bytes: OpenFile): Promise<Part[]> {
  const head = await readBytes(bytes, 0, 12);
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8) !== 'WEBP') throw new Error('no WebP');
  const parts: Part[] = [];
  const last = Math.min(bytes.size, await riffEnd(bytes));
  for await (const { type: name, start, length } of webpChunks(bytes)) {
    const end = start + length + (length % 2);
    if (end > last || parts.length === MAX_PARTS) break;
    // C2PA's chunk has its name (`C2PA_CHUNK_ID` in `riff_io.rs` of c2pa-rs, the reference implementation).
    const type = name === 'XMP ' ? 'xmp' : name === 'C2PA' ? 'c2pa' : name;
    const body = await readBytes(bytes, start, length);
    parts.push({ type, start: start - 8, end, body });
  }
  return parts;
}
