import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { tagged } from '../../../../../test/helpers/tagged.ts';
import { tempDir } from '../../../../../test/helpers/testPorts.ts';
import { probeFile } from './probe.ts';

const dir = tempDir('probe');

const u16 = (value: number): Buffer => Buffer.from([value >>> 8, value & 255]);
const segment = (marker: number, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker]), u16(2 + body.length), body]);

/** With an orientation alone (Exif 2.32, 4.6.4). */
function tiffOf(orientation: number, isBigEndian = true): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write(isBigEndian ? 'MM' : 'II', 'latin1');
  const put = (value: number, at: number, bytes: number) =>
    isBigEndian ? tiff.writeUIntBE(value, at, bytes) : tiff.writeUIntLE(value, at, bytes);
  put(42, 2, 2);
  put(8, 4, 4);
  put(1, 8, 2);
  put(0x0112, 10, 2);
  put(3, 12, 2);
  put(1, 14, 4);
  put(orientation, 18, 2);
  return tiff;
}

const exif = (orientation: number, isBigEndian = true): Buffer =>
  segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiffOf(orientation, isBigEndian)]));

/** 4032 × 3024, as a camera writes it that was held upright or not. */
const frame = (marker = 0xc0): Buffer =>
  segment(marker, Buffer.concat([Buffer.from([8]), u16(3024), u16(4032), Buffer.from([1, 1, 0x11, 0])]));
const scan = Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])), Buffer.from([9, 9, 0xff, 0xd9])]);

const sizeOf = (...segments: Buffer[]) => shown(Buffer.from([0xff, 0xd8]), ...segments, scan);

async function shown(...parts: Buffer[]) {
  const file = path.join(dir, 'photo');
  fs.writeFileSync(file, Buffer.concat(parts));
  const probe = await probeFile(file);
  return probe && [probe.width, probe.height];
}

test('a photo has the size in which it is shown', async () => {
  for (const orientation of [1, 2, 3, 4]) expect(await sizeOf(exif(orientation), frame())).toEqual([4032, 3024]);
  for (const orientation of [5, 6, 7, 8]) {
    expect(await sizeOf(exif(orientation), frame())).toEqual([3024, 4032]);
    expect(await sizeOf(exif(orientation, false), frame())).toEqual([3024, 4032]);
  }
  for (const none of [0, 9]) expect(await sizeOf(exif(none), frame())).toEqual([4032, 3024]);
  expect(await sizeOf(segment(0xe0, Buffer.from('JFIF\0')), frame())).toEqual([4032, 3024]);
});

test('the size is found behind any length of segments', async () => {
  const long = Array.from({ length: 12 }, () => segment(0xe1, Buffer.alloc(65_000, 1)));
  expect(await sizeOf(...long, frame())).toEqual([4032, 3024]);
  expect(await sizeOf(exif(6), ...long, frame(0xc2))).toEqual([3024, 4032]);
  expect(await sizeOf(...long, exif(8, false), segment(0xc4, Buffer.alloc(20)), frame(0xc1))).toEqual([3024, 4032]);
});

test('a JPEG is read by its segments alone, whichever they are', async () => {
  expect(await sizeOf(frame())).toEqual([4032, 3024]);
  expect(await sizeOf(exif(6), Buffer.from([0, 1, 2, 0xff, 0, 0xff, 0xff]), frame())).toEqual([3024, 4032]);
  expect(await sizeOf(Buffer.alloc(70_000), frame())).toBeNull();
  // What an orientation of another kind, an entry behind the end or a preview in a segment says is not believed.
  const preview = Buffer.concat([Buffer.from([0xff, 0xd8]), segment(0xc0, Buffer.from([8, 0, 9, 0, 9, 0])), scan]);
  expect(await sizeOf(segment(0xe1, preview), frame())).toEqual([4032, 3024]);
  expect(await sizeOf(exif(6).subarray(0, 20), frame())).toBeNull();
  for (let length = 2; length < 30; length++)
    expect(await sizeOf(segment(0xe1, exif(6).subarray(4, 4 + length)), frame())).toEqual([
      ...(length < 26 ? [4032, 3024] : [3024, 4032]),
    ]);
  expect(await sizeOf(segment(0xe1, Buffer.alloc(9)))).toBeNull();
});

const u32 = (value: number): Buffer =>
  Buffer.from([value >>> 24, value >>> 16, value >>> 8, value].map((one) => one & 255));
const text = (value: string): Buffer => Buffer.from(value, 'latin1');

const chunk = (type: string, body: Buffer): Buffer => {
  const named = Buffer.concat([text(type), body]);
  return Buffer.concat([u32(body.length), named, u32(crc32(named))]);
};
const png = (...chunks: Buffer[]) =>
  shown(
    text('\x89PNG\r\n\x1a\n'),
    chunk('IHDR', Buffer.concat([u32(40), u32(30), Buffer.from([8, 2, 0, 0, 0])])),
    ...chunks,
    chunk('IEND', Buffer.alloc(0)),
  );
const pixels = chunk('IDAT', Buffer.alloc(9));

test('a PNG has the size in which its Exif shows it', async () => {
  for (const orientation of [1, 2, 3, 4, 0, 9])
    expect(await png(chunk('eXIf', tiffOf(orientation)), pixels)).toEqual([40, 30]);
  for (const orientation of [5, 6, 7, 8]) {
    expect(await png(chunk('eXIf', tiffOf(orientation)), pixels)).toEqual([30, 40]);
    expect(await png(chunk('tEXt', Buffer.alloc(80_000)), chunk('eXIf', tiffOf(orientation, false)), pixels)).toEqual([
      30, 40,
    ]);
  }
  // Chromium draws from the first pixels on, and passes over what has no TIFF header.
  expect(await png(pixels, chunk('eXIf', tiffOf(6)))).toEqual([40, 30]);
  expect(await png(chunk('eXIf', Buffer.concat([text('Exif\0\0'), tiffOf(6)])), pixels)).toEqual([40, 30]);
  expect(await png(chunk('eXIf', Buffer.alloc(0)), pixels)).toEqual([40, 30]);
});

test('a WebP has the size in which pages are given it', async () => {
  for (const orientation of [1, 3, 6, 8]) expect(await shown(tagged('webp', orientation))).toEqual([40, 24]);
});

const box = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(8 + body.length), text(type), body]);
};
const full = (type: string, ...parts: Buffer[]): Buffer => box(type, u32(0), ...parts);
const ispe = (width: number, height: number): Buffer => full('ispe', u32(width), u32(height));
const irot = (quarters: number): Buffer => box('irot', Buffer.from([quarters]));
const clap = (...numbers: number[]): Buffer => box('clap', ...numbers.map(u32));

/** Item 7 is the picture and has the properties with these numbers; item 8, a thumbnail, has the first two. */
const avif = (properties: Buffer[], own: number[], brand = 'avif') =>
  shown(
    box('ftyp', text(brand), u32(0), text('avifmif1miaf')),
    full(
      'meta',
      full('hdlr', u32(0), text('pict'), Buffer.alloc(13)),
      full('pitm', u16(7)),
      box(
        'iprp',
        box('ipco', ...properties),
        full('ipma', u32(2), u16(8), Buffer.from([2, 1, 2]), u16(7), Buffer.from([own.length, ...own])),
      ),
    ),
    box('mdat', Buffer.alloc(40)),
  );

test('an AVIF has the size in which its own properties show it', async () => {
  const small = [ispe(160, 120), irot(1)];
  for (const quarters of [0, 2])
    expect(await avif([...small, ispe(4032, 3024), irot(quarters)], [3, 4])).toEqual([4032, 3024]);
  for (const quarters of [1, 3, 0xfd])
    expect(await avif([...small, ispe(4032, 3024), irot(quarters)], [3, 0x84])).toEqual([3024, 4032]);
  // A turn that is the thumbnail's alone, a mirror, and what is named twice or not there.
  expect(await avif([...small, ispe(4032, 3024), box('imir', Buffer.from([1]))], [3, 4])).toEqual([4032, 3024]);
  expect(await avif([...small, ispe(40, 30), irot(1), irot(0)], [99, 3, 4, 5])).toEqual([30, 40]);
  const corner = clap(30, 1, 20, 1, -10, 2, -10, 2);
  expect(await avif([...small, ispe(40, 30), corner], [3, 4])).toEqual([30, 20]);
  expect(await avif([...small, ispe(40, 30), corner, irot(3)], [3, 4, 5])).toEqual([20, 30]);
  const middle = clap(30, 1, 20, 1, 0, 1, 0, 1);
  for (const odd of [middle, clap(30, 0, 20, 1, 0, 0, 0, 0), clap(50, 1, 20, 1, 10, 2, -10, 2)])
    expect(await avif([...small, ispe(40, 30), odd], [3, 4])).toEqual([40, 30]);
  // Without a size of its own, the largest that is there.
  expect(await avif([...small, ispe(40, 30)], [])).toEqual([160, 120]);
});
