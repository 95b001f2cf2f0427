import { crc32 } from 'node:zlib';
import { createCanvas, type Image, loadImage } from '@napi-rs/canvas';

/** Pictures with four coloured corners, stored rotated like those of a turned camera. Upright they are 40 × 24, red at the top left. */

const [WIDE, HIGH] = [40, 24];
/** Clockwise from the top left. */
const CORNERS = ['red', 'lime', 'blue', 'yellow'] as const;
/** The corners in stored order, by Exif orientation (Exif 2.32, 4.6.4): where the first row and column are to be shown. */
const STORED: Readonly<Record<number, readonly [number, number, number, number]>> = {
  1: [0, 1, 2, 3],
  2: [1, 0, 3, 2],
  3: [2, 3, 0, 1],
  4: [3, 2, 1, 0],
  5: [0, 3, 2, 1],
  6: [1, 2, 3, 0],
  7: [2, 1, 0, 3],
  8: [3, 0, 1, 2],
};

export type TaggedType = 'jpeg' | 'png' | 'webp';

/** The picture stored for that orientation, with the tag; orientation 1 has no tag. */
export function tagged(type: TaggedType, orientation: number): Buffer {
  const isOnItsSide = orientation >= 5;
  const [width, height] = isOnItsSide ? [HIGH, WIDE] : [WIDE, HIGH];
  const canvas = createCanvas(width, height);
  const pen = canvas.getContext('2d');
  for (const [at, corner] of (STORED[orientation] ?? []).entries()) {
    pen.fillStyle = CORNERS[corner] ?? '';
    pen.fillRect(at === 1 || at === 2 ? width / 2 : 0, at >= 2 ? height / 2 : 0, width / 2, height / 2);
  }
  const bytes = type === 'png' ? canvas.toBuffer('image/png') : canvas.toBuffer(`image/${type}` as 'image/jpeg', 100);
  return orientation === 1 ? bytes : TAGGERS[type](bytes, tiffOf(orientation));
}

function tiffOf(orientation: number): Buffer {
  const tiff = Buffer.from('4d4d002a000000080001011200030000000100000000000000', 'hex');
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}

const TAGGERS: Readonly<Record<TaggedType, (bytes: Buffer, tiff: Buffer) => Buffer>> = {
  jpeg(bytes, tiff) {
    const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
    return Buffer.concat([
      bytes.subarray(0, 2),
      Buffer.from([0xff, 0xe1, 0, 2 + exif.length]),
      exif,
      bytes.subarray(2),
    ]);
  },
  png(bytes, tiff) {
    const named = Buffer.concat([Buffer.from('eXIf', 'latin1'), tiff]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(tiff.length);
    check.writeUInt32BE(crc32(named));
    // After the signature and the header chunk.
    return Buffer.concat([bytes.subarray(0, 33), length, named, check, bytes.subarray(33)]);
  },
  webp(bytes, tiff) {
    // Skia writes an extended WebP with a colour profile.
    const whole = Buffer.concat([
      bytes,
      Buffer.from('EXIF', 'latin1'),
      littleEndian(tiff.length),
      tiff,
      Buffer.alloc(tiff.length % 2),
    ]);
    whole.writeUInt32LE(whole.length - 8, 4);
    whole.writeUInt8(whole.readUInt8(20) | 0x08, 20);
    return whole;
  },
};

function littleEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** The picture as a program sees it that ignores the tag: its size, and its corners' colours clockwise from the top left. */
export async function cornersOf(bytes: Buffer): Promise<{ width: number; height: number; corners: string[] }> {
  const image: Image = await loadImage(bytes);
  const { width, height } = image;
  const pen = createCanvas(width, height).getContext('2d');
  pen.drawImage(image, 0, 0);
  const places = [
    [4, 4],
    [width - 5, 4],
    [width - 5, height - 5],
    [4, height - 5],
  ] as const;
  return { width, height, corners: places.map(([x, y]) => nameOf([...pen.getImageData(x, y, 1, 1).data])) };
}

const nameOf = ([red = 0, green = 0, blue = 0]: number[]): string =>
  blue > 128 ? 'blue' : red > 128 ? (green > 128 ? 'yellow' : 'red') : 'lime';

export const UPRIGHT = { width: WIDE, height: HIGH, corners: [...CORNERS] };
/** Whether a JPEG, WebP or PNG contains Exif. */
export const hasExif = (bytes: Buffer): boolean => ['Exif', 'EXIF', 'eXIf'].some((name) => bytes.includes(name));
