import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import { probeFile } from './probe.ts';

const dir = tempDir('probe');

const u16 = (value: number): Buffer => Buffer.from([value >>> 8, value & 255]);
const segment = (marker: number, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker]), u16(2 + body.length), body]);

/** APP1 with an orientation alone (Exif 2.32, 4.6.4). */
function exif(orientation: number, isBigEndian = true): Buffer {
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
  return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]));
}

/** 4032 × 3024, as a camera writes it that was held upright or not. */
const frame = (marker = 0xc0): Buffer =>
  segment(marker, Buffer.concat([Buffer.from([8]), u16(3024), u16(4032), Buffer.from([1, 1, 0x11, 0])]));
const scan = Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])), Buffer.from([9, 9, 0xff, 0xd9])]);

async function sizeOf(...segments: Buffer[]) {
  const file = path.join(dir, 'photo');
  fs.writeFileSync(file, Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, scan]));
  const probe = await probeFile(file);
  return probe && [probe.width, probe.height];
}

/** Bug: a photo from a phone that was held upright was 4032 × 3024, and stretched in the painter. */
test('a photo has the size in which it is shown', async () => {
  for (const orientation of [1, 2, 3, 4]) expect(await sizeOf(exif(orientation), frame())).toEqual([4032, 3024]);
  for (const orientation of [5, 6, 7, 8]) {
    expect(await sizeOf(exif(orientation), frame())).toEqual([3024, 4032]);
    expect(await sizeOf(exif(orientation, false), frame())).toEqual([3024, 4032]);
  }
  for (const none of [0, 9]) expect(await sizeOf(exif(none), frame())).toEqual([4032, 3024]);
  expect(await sizeOf(segment(0xe0, Buffer.from('JFIF\0')), frame())).toEqual([4032, 3024]);
});

/** Bug: an import of a photo with a depth map or a long history before its frame was refused as no picture, and a paid result had no size. */
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
