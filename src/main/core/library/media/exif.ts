/** What an Exif says of a picture (Exif 2.32): it is untrusted. */

const HEADER = 'Exif\0\0';
/** The byte order, and 42 in it (TIFF 6.0, section 2). */
const ORDERS = ['II*\0', 'MM\0*'];
const ORIENTATION = 0x0112;
const SHORT = 3;
const EXIF_DIRECTORY = 0x8769;
const USER_COMMENT = 0x9286;
/** The name of its character code, in eight bytes. */
const CODE_BYTES = 8;

export const hasExifHeader = (bytes: Buffer): boolean => bytes.toString('latin1', 0, HEADER.length) === HEADER;

/** A JPEG's has a header, and some programs write that into other formats too. */
export const withoutExifHeader = (exif: Buffer): Buffer => (hasExifHeader(exif) ? exif.subarray(HEADER.length) : exif);

interface Exif {
  tiff: Buffer;
  isLittle: boolean;
  /** 0 where there is none. */
  number(at: number, bytes: 2 | 4): number;
  /** Where the entry of this tag stands in a directory. */
  entryIn(directory: number, tag: number): number | undefined;
}

function openExif(tiff: Buffer): Exif | undefined {
  const order = tiff.toString('latin1', 0, 4);
  if (!ORDERS.includes(order)) return undefined;
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
  return { tiff, isLittle, number, entryIn };
}

/** How a picture is to be shown, by the first directory (4.6.4); undefined where that says nothing. */
export function exifOrientation(tiff: Buffer): number | undefined {
  const exif = openExif(tiff);
  const at = exif?.entryIn(exif.number(4, 4), ORIENTATION);
  return exif && at !== undefined && exif.number(at + 2, 2) === SHORT ? exif.number(at + 8, 2) : undefined;
}

/** The comment (4.6.5 "UserComment"), where programs for pictures keep prompt and settings; undefined if it is not built as it should be. */
export function exifComment(bytes: Buffer): string | undefined {
  const exif = openExif(withoutExifHeader(bytes));
  if (!exif) return undefined;
  const { tiff, isLittle, number, entryIn } = exif;
  const inner = entryIn(number(4, 4), EXIF_DIRECTORY);
  const comment = inner === undefined ? undefined : entryIn(number(inner + 8, 4), USER_COMMENT);
  if (comment === undefined) return undefined;
  const [length, from] = [number(comment + 4, 4), number(comment + 8, 4)];
  const text = tiff.subarray(from, from + length);
  if (length <= CODE_BYTES || text.length < length) return undefined;
  return decoded(text.toString('latin1', 0, CODE_BYTES), text.subarray(CODE_BYTES), isLittle);
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
export function utf8OrLatin(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}
