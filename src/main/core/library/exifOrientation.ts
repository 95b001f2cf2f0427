const ORIENTATION = 0x0112;
const SHORT = 3;
/** The byte order, and 42 in it (TIFF 6.0, section 2). */
const ORDERS = ['II*\0', 'MM\0*'];
const HEADER = 'Exif\0\0';

/** What an Exif holds: a JPEG's has a header, and some programs write that into other formats too. */
export const withoutExifHeader = (exif: Buffer): Buffer =>
  exif.toString('latin1', 0, HEADER.length) === HEADER ? exif.subarray(HEADER.length) : exif;

/** How a picture is to be shown, by the first directory of its Exif (Exif 2.32, 4.6.4); undefined where that says nothing. */
export function exifOrientation(tiff: Buffer): number | undefined {
  const order = tiff.toString('latin1', 0, 4);
  if (!ORDERS.includes(order)) return undefined;
  const number = (at: number, bytes: 2 | 4): number =>
    at + bytes > tiff.length ? 0 : order.startsWith('II') ? tiff.readUIntLE(at, bytes) : tiff.readUIntBE(at, bytes);
  const directory = number(4, 4);
  for (let entry = 0, entries = number(directory, 2); entry < entries; entry++) {
    const at = directory + 2 + entry * 12;
    if (number(at, 2) === ORIENTATION) return number(at + 2, 2) === SHORT ? number(at + 8, 2) : undefined;
  }
  return undefined;
}
