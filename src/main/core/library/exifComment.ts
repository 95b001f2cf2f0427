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
export function utf8OrLatin(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}
