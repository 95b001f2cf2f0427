import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, crc32, createDeflate, deflateSync } from 'node:zlib';
import { encode } from 'fast-png';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../../test/helpers/testPorts.ts';
import { withOpenFile } from './containers.ts';
import { inspectMask } from './mask.ts';
import { openPng } from './png.ts';

/** Masks of every kind in the format, and files that are made to exhaust the memory of the program that unpacks them. */

const folder = tempDir('mask');
const facts = (bytes: Uint8Array, base?: { width: number; height: number }) => {
  const file = join(folder, 'mask.png');
  writeFileSync(file, bytes);
  return inspectMask(file, base);
};

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
function chunk(type: string, data: Uint8Array = new Uint8Array()): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
interface Shape {
  width?: number;
  height?: number;
  depth?: number;
  colour?: number;
  interlace?: number;
}
function header({ width = 8, height = 8, depth = 1, colour = 0, interlace = 0 }: Shape): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, colour, 0, 0, interlace], 8);
  return chunk('IHDR', data);
}
const png = (shape: Shape, packed: Uint8Array, ...others: Buffer[]): Buffer =>
  Buffer.concat([SIGNATURE, header(shape), ...others, chunk('IDAT', packed), chunk('IEND')]);
const rows = (...bytes: number[][]): Buffer => deflateSync(Buffer.from(bytes.flatMap((row) => [0, ...row])));

const palette = (...bytes: number[]) => chunk('PLTE', Buffer.from(bytes));
const transparent = (...bytes: number[]) => chunk('tRNS', Buffer.from(bytes));
const grey = (depth: number, width = 1): Shape => ({ width, height: 1, depth });
const coloured = (colour: number, width = 1, depth = 8): Shape => ({ width, height: 1, depth, colour });
/** Of a mask with any other pixel none is counted. */
const IMPURE = { pure: false, whitePixels: 0 };
const white = (whitePixels: number) => ({ pure: true, whitePixels });

test.each<[string, Shape, Buffer, object, Buffer[]?]>([
  ['one bit', { width: 9, height: 2 }, rows([0xff, 0x80], [0, 0x80]), white(10)],
  ['two bits, grey among them', grey(2, 2), rows([0b1101_0000]), IMPURE],
  ['four bits', grey(4, 3), rows([0xf0, 0xf0]), white(2)],
  ['sixteen bits', grey(16, 2), rows([255, 255, 0, 0]), white(1)],
  ['sixteen bits, not quite white', grey(16), rows([255, 254]), IMPURE],
  ['colours', coloured(2, 2), rows([255, 255, 255, 0, 0, 0]), white(1)],
  ['a colour', coloured(2), rows([255, 0, 0]), IMPURE],
  [
    'nearly white, that its gamma shows as white',
    grey(8),
    rows([254]),
    IMPURE,
    [chunk('gAMA', Buffer.from([0, 1, 134, 160]))],
  ],
  ['grey with alpha', coloured(4, 2), rows([255, 255, 0, 255]), white(1)],
  ['white that is seen through', coloured(6), rows([255, 255, 255, 254]), IMPURE],
  ['a palette', coloured(3, 3, 2), rows([0b0100_0100]), white(2), [palette(0, 0, 0, 255, 255, 255)]],
  ['an entry that is not there', coloured(3, 1, 2), rows([0xff]), IMPURE, [palette(0, 0, 0)]],
  ['an entry that is seen through', coloured(3), rows([0]), IMPURE, [palette(0, 0, 0), transparent(1)]],
  ['a transparent grey', grey(1), rows([0]), IMPURE, [transparent(0, 1)]],
])('%s', async (_name, shape, packed, expected, others = []) => {
  expect(await facts(png(shape, packed, ...others))).toEqual(expected);
});

test('every filter is undone', async () => {
  const row = [255, 255, 0, 0, 255];
  const filtered = [
    [0, ...row],
    [1, 255, 0, 1, 0, 255],
    [2, 0, 0, 0, 0, 0],
    [3, 128, 0, 129, 0, 128],
    [4, 0, 0, 0, 0, 0],
  ];
  const packed = deflateSync(Buffer.from(filtered.flat()));
  expect(await facts(png({ width: 5, height: 5, depth: 8 }, packed))).toEqual(white(15));
  const bad = deflateSync(Buffer.from([5, 0]));
  expect(await facts(png({ width: 1, height: 1, depth: 8 }, bad))).toBeNull();
});

test('an interlaced picture has every pixel in one of its passes', async () => {
  for (const size of ['8 8', '1 1', '5 3', '9 17']) {
    const [width = 0, height = 0] = size.split(' ').map(Number);
    // Where each pass begins, and its steps.
    const passes = ['0088', '4088', '0448', '2044', '0224', '1022', '0112'];
    const bytes = passes.flatMap((pass) => {
      const [x = 0, y = 0, dx = 1, dy = 1] = [...pass].map(Number);
      const [columns, lines] = [Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)];
      return columns > 0 && lines > 0
        ? Array.from({ length: lines }, () => [0, ...Array(columns).fill(255)]).flat()
        : [];
    });
    const packed = deflateSync(Buffer.from(bytes));
    expect(await facts(png({ width, height, depth: 8, interlace: 1 }, packed))).toEqual(white(width * height));
  }
});

test('what another library writes is read as it was', async () => {
  const [width, height] = [301, 97];
  for (const channels of [1, 2, 3, 4] as const) {
    const data = new Uint8Array(width * height * channels);
    let whites = 0;
    for (let pixel = 0; pixel < width * height; pixel += 1) {
      const value = (pixel * 7919) % 13 < 5 ? 255 : 0;
      whites += value & 1;
      for (let channel = 0; channel < channels; channel += 1) data[pixel * channels + channel] = value;
      if (channels % 2 === 0) data[pixel * channels + channels - 1] = 255;
    }
    expect(await facts(encode({ width, height, data, channels }))).toEqual(white(whites));
  }
});

/** Zeros without end, as deflate writes them: a thousandth of what they unpack to. */
async function bomb(bytes: number): Promise<Buffer> {
  const deflate = createDeflate({ level: constants.Z_BEST_SPEED });
  const pieces: Buffer[] = [];
  deflate.on('data', (piece: Buffer) => pieces.push(piece));
  const zeros = Buffer.alloc(1024 * 1024);
  for (let done = 0; done < bytes; done += zeros.length) {
    if (!deflate.write(zeros)) await new Promise((resolve) => deflate.once('drain', resolve));
  }
  await new Promise((resolve) => deflate.end(() => resolve(undefined)));
  return Buffer.concat(pieces);
}

test('of a small mask that unpacks to much, its own pixels are read and no more', async () => {
  const much = await bomb(256 * 1024 * 1024);
  const before = process.memoryUsage();
  const held = () => process.memoryUsage().arrayBuffers - before.arrayBuffers;
  const named = Buffer.concat([Buffer.from('x\0\0', 'latin1'), much]);
  const small = rows(...Array.from({ length: 8 }, () => [0xff]));
  expect(await facts(png({}, much))).toEqual(white(0));
  for (const type of ['iCCP', 'zTXt', 'iTXt', 'eXIf', 'fdAT']) {
    expect(await facts(png({}, small, chunk(type, named))), type).toEqual(white(64));
  }
  expect(held()).toBeLessThan(64 * 1024 * 1024);
});

/** Bytes as deflate stores them, with what cannot be unpacked behind them. */
function storedBeforeDamage(data: Buffer): Buffer {
  const pieces: Buffer[] = [Buffer.from([0x78, 0x01])];
  for (let at = 0; at < data.length; at += 0xffff) {
    const piece = data.subarray(at, at + 0xffff);
    const head = Buffer.alloc(5);
    head.writeUInt16LE(piece.length, 1);
    head.writeUInt16LE(piece.length ^ 0xffff, 3);
    pieces.push(head, piece);
  }
  return Buffer.concat([...pieces, Buffer.alloc(64, 0xff)]);
}

test.each<[Shape, number]>([
  [{ width: 8, height: 8 }, 16],
  [{ width: 8, height: 8, interlace: 1 }, 30],
  [{ width: 4_096, height: 4_096 }, 4_096 * 513],
])('of %j, which has %i bytes, no more than 64 others are unpacked', async (shape, bytes) => {
  const packed = storedBeforeDamage(Buffer.alloc(bytes + 64));
  expect(await facts(png(shape, packed))).toEqual(white(0));
});

test.each<[string, () => Buffer]>([
  ['too few pixels', () => png({}, rows([0xff]))],
  ['bytes that are not packed', () => png({}, Buffer.from('not packed'))],
  ['no palette', () => png({ depth: 8, colour: 3 }, rows([0]))],
  ['a palette that is too long', () => png({}, rows([0]), chunk('PLTE', Buffer.alloc(900)))],
  ['a depth that no colour has', () => png({ depth: 4, colour: 2 }, rows([0]))],
  ['no size', () => png({ width: 0 }, rows([0]))],
  ['more pixels than are looked at', () => png({ width: 65_535, height: 65_535 }, rows([0]))],
  ['a row that is too long', () => png({ width: 16_385, height: 1 }, rows(Array(2_049).fill(0)))],
  ['too many rows', () => png({ width: 1, height: 16_385 }, rows(...Array.from({ length: 16_385 }, () => [0])))],
  ['no pixels', () => Buffer.concat([SIGNATURE, header({}), chunk('IEND')])],
  ['no header', () => Buffer.concat([SIGNATURE, chunk('IDAT', rows([0])), chunk('IEND')])],
  [
    'a chunk that is longer than the file',
    () => Buffer.concat([SIGNATURE, header({}), Buffer.from('\xff\xff\xff\xffIDAT', 'latin1')]),
  ],
  ['nothing', () => Buffer.alloc(0)],
  [
    'a damaged row',
    () => {
      const bytes = png({}, rows(...Array.from({ length: 8 }, () => [0xff])));
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 20) ^ 1, bytes.length - 20);
      return bytes;
    },
  ],
])('%s is no mask', async (_name, make) => {
  expect(await facts(make())).toBeNull();
});

test('an edge of 16384 pixels is looked at, and what a longer one is refused with is one sentence', async () => {
  const longest = png({ width: 16_384, height: 1 }, rows(Array(2_048).fill(0)));
  expect(await facts(longest)).toEqual(white(0));
  const file = join(folder, 'long.png');
  writeFileSync(file, png({ width: 1, height: 60_000_000 }, rows([0])));
  await expect(withOpenFile(file, openPng)).rejects.toThrow(
    'A PNG must be at most 16384 pixels wide and high; this one is 1 × 60000000.',
  );
});

test("a mask that has not its base's size is refused by its head, with its pixels still packed", async () => {
  const packed = png({ width: 8, height: 9 }, Buffer.from('not packed'));
  expect(await facts(packed, { width: 9, height: 8 })).toEqual({ width: 8, height: 9 });
  expect(await facts(packed, { width: 8, height: 9 })).toBeNull();
});
