import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { testPng } from '../../../../../test/helpers/png.ts';
import { tempDir } from '../../../../../test/helpers/testPorts.ts';
import { isComplete, isMediaStart } from './integrity.ts';

/** Files as small as their formats allow; each is truncated at every byte, like an answer whose connection a proxy closed properly. */

const dir = tempDir('whole');
const sizes = (n: number): number[] => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255];
const text = (value: string): number[] => [...Buffer.from(value, 'latin1')];
const box = (type: string, body: number[] = []): number[] => [...sizes(8 + body.length), ...text(type), ...body];
const zeros = (n: number): number[] => new Array<number>(n).fill(0);
const mp4 = [...box('ftyp', text('isom0000')), ...box('moov', zeros(40)), ...box('mdat', zeros(64))];
const long = [...box('ftyp', text('isom0000')), ...sizes(1), ...text('mdat'), ...sizes(0), ...sizes(80), ...zeros(64)];
const segment = (marker: number, body: number[]): number[] => [
  0xff,
  marker,
  ...sizes(2 + body.length).slice(2),
  ...body,
];
const preview = [0xff, 0xd8, ...segment(0xda, [0]), 1, 2, 0xff, 0xd9];
const scan = [...segment(0xda, [1, 2]), 9, 9, 0xff, 0x00, 9, 0xff, 0xd0, 9, 9];
const jpeg = [0xff, 0xd8, ...segment(0xe1, preview), ...segment(0xdb, [1, 2, 3]), ...scan, 0xff, 0xd9];
const webp = [...text('RIFF'), 28, 0, 0, 0, ...text('WEBPVP8 '), 16, 0, 0, 0, ...zeros(16)];
const gif = [...text('GIF89a'), ...zeros(7), 0x2c, ...zeros(9), 2, 1, 5, 0, 0x3b];
const ebml = [0x1a, 0x45, 0xdf, 0xa3, 0x84, 1, 2, 3, 4];
const webm = [...ebml, 0x18, 0x53, 0x80, 0x67, 0x40, 20, ...zeros(20)];
const le32 = (value: number): number[] => [value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24];
const riff = (form: string, body: number[]): number[] => [
  ...text('RIFF'),
  ...le32(4 + body.length),
  ...text(form),
  ...body,
];
const bmp = [...text('BM'), ...le32(30), ...zeros(24)];
/** Its length in eight bytes, behind a field that cannot hold it. */
const rf64 = [...text('RF64\xff\xff\xff\xffWAVEds64'), ...le32(28), ...le32(60), ...zeros(44)];
const avif = [...box('ftyp', text('avif0000')), ...box('meta', zeros(20)), ...box('mdat', zeros(30))];

async function whole(bytes: Iterable<number>, mime: string): Promise<boolean> {
  const file = path.join(dir, 'file');
  fs.writeFileSync(file, Buffer.from([...bytes]));
  return isComplete(file, mime);
}

test.each<[string, Iterable<number>]>([
  ['image/png', testPng(3, 2)],
  ['image/jpeg', jpeg],
  ['image/webp', webp],
  ['image/gif', gif],
  ['image/avif', avif],
  ['video/mp4', mp4],
  ['video/mp4', [...long, ...box('moov', zeros(8))]],
  ['video/quicktime', [...box('mdat', zeros(8)), ...box('moov', zeros(8))]],
  ['video/webm', webm],
  ['video/matroska', webm],
  ['image/heic', [...box('ftyp', text('heic0000')), ...box('meta', zeros(20)), ...box('mdat', zeros(30))]],
  ['image/bmp', bmp],
  ['image/svg+xml', text('<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>')],
  ['video/vnd.avi', riff('AVI ', zeros(30))],
  ['audio/wav', riff('WAVE', zeros(30))],
  ['audio/wav', rf64],
])('%s is whole as it is, and not whole when it is cut anywhere', async (mime, bytes) => {
  const all = [...bytes];
  expect(await whole(all, mime)).toBe(true);
  const wrong: number[] = [];
  for (let length = 0; length < all.length; length++) if (await whole(all.slice(0, length), mime)) wrong.push(length);
  // The last four bytes of a PNG are the checksum of its end marker: nothing of the picture.
  expect(wrong.filter((length) => mime !== 'image/png' || length < all.length - 4)).toEqual([]);
});

test('bytes after the end marker do not make a file incomplete', async () => {
  expect(await whole([...testPng(3, 2), 1, 2, 3], 'image/png')).toBe(true);
  expect(await whole([...jpeg, ...zeros(200_000), ...text('camera notes')], 'image/jpeg')).toBe(true);
  expect(await whole([...gif, 0, 0], 'image/gif')).toBe(true);
  expect(await whole([...mp4, ...zeros(24)], 'video/mp4')).toBe(true);
  expect(await whole([...ebml, 0x18, 0x53, 0x80, 0x67, 0xff, ...zeros(9)], 'video/webm')).toBe(true);
});

test('no bytes behind the end of boxes or of a GIF make a file incomplete', async () => {
  for (const tail of [
    [0x0a],
    text('\r\n'),
    text('end.'),
    text('made by a service'),
    [0, 0, 0, 0, 0, 0, 0, 0, 9],
    [...sizes(3), ...text('none')],
  ]) {
    const behind = [mp4, [...box('mdat', zeros(8)), ...box('moov', zeros(8))]].map((clip) => [...clip, ...tail]);
    for (const clip of behind) expect([tail, await whole(clip, 'video/mp4')]).toEqual([tail, true]);
    expect(await whole([...avif, ...tail], 'image/avif')).toBe(true);
  }
  for (const tail of [[1], text('made by a service'), [...zeros(2_000), 1]])
    expect(await whole([...gif, ...tail], 'image/gif')).toBe(true);
});

test('a box that is cut off behind a whole fragment makes a file incomplete', async () => {
  const fragment = [...box('moof', zeros(12)), ...box('mdat', zeros(30))];
  const first = [...box('ftyp', text('isom0000')), ...box('moov', zeros(40)), ...fragment];
  // A head of which only zeros are left is no more than padding.
  const padded = [0, 1, 2, 3, 20, 21, 22, 23];
  for (let length = 0; length < fragment.length; length++)
    expect([length, await whole([...first, ...fragment.slice(0, length)], 'video/mp4')]).toEqual([
      length,
      padded.includes(length),
    ]);
  const large = [...sizes(1), ...text('mdat'), 0, 0, 0];
  expect(await whole([...first, ...large], 'video/mp4')).toBe(false);
});

test('a GIF is walked to its trailer, by its tables and blocks', async () => {
  const table = (packed: number): number[] => zeros(3 * 2 ** ((packed & 7) + 1));
  const comment = [0x21, 0xfe, 3, ...text('a;b'), 2, ...text(';;'), 0];
  const image = [0x2c, ...zeros(8), 0x82, ...table(0x82), 8, 255, ...new Array<number>(255).fill(0x3b), 1, 7, 0];
  const all = [...text('GIF89a'), ...zeros(4), 0x81, 0, 0, ...table(0x81), ...comment, ...image, ...image, 0x3b];
  for (let length = 0; length < all.length; length++)
    expect([length, await whole(all.slice(0, length), 'image/gif')]).toEqual([length, false]);
  expect(await whole([...all, 5], 'image/gif')).toBe(true);
  // What is put between blocks against the rule is not walked: its last byte judges it.
  expect(await whole([...gif.slice(0, -1), 9, 9, 0x3b, 0], 'image/gif')).toBe(true);
  expect(await whole([...gif.slice(0, -1), 9, 9], 'image/gif')).toBe(false);
});

test('an end marker that lies across two windows of the reader is found', async () => {
  for (const pad of [65_535, 65_536, 65_537]) {
    expect(await whole([...jpeg.slice(0, -2), ...zeros(10), 0xff, 0xd9, ...zeros(pad - 1)], 'image/jpeg')).toBe(true);
  }
});

test('a size that leads nowhere ends the walk', async () => {
  expect(await whole([...box('ftyp', text('isom')), ...sizes(3), ...text('moov')], 'video/mp4')).toBe(false);
  expect(await whole([...sizes(1), ...text('ftyp'), ...zeros(8)], 'video/mp4')).toBe(false);
  expect(await whole([...sizes(1), ...text('mdat'), 255, 255, 255, 255, 255, 255, 255, 255], 'video/mp4')).toBe(false);
});

test.each<[string, Iterable<number>, boolean]>([
  ['PNG', testPng(1, 1), true],
  ['JPEG', jpeg, true],
  ['WebP', webp, true],
  ['GIF', gif, true],
  ['AVIF', avif, true],
  ['BMP', bmp, true],
  ['SVG', text('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'), true],
  ['MP4', mp4, true],
  ['WebM', webm, true],
  ['AVI', riff('AVI ', []), true],
  ['MPEG-TS', [0x47, ...zeros(187), 0x47, ...zeros(187)], true],
  ['WAV', text('RIFF\x24\x00\x00\x00WAVEfmt '), true],
  ['MP3', text('ID3\x04\x00\x00\x00\x00\x00\x00TIT2..'), true],
  ['PDF', text('%PDF-1.7 0123456789'), false],
  ['ZIP', text('PK\x03\x04 0123456789abc'), false],
  ['a cursor of Windows', riff('ACON', []), false],
  ['a text that begins like a packet', text(`Good morning${' and more'.repeat(40)}`), false],
  ['nothing', [], false],
])('the first bytes of %s tell whether it may be a result', (_what, bytes, is) => {
  expect(isMediaStart(Buffer.from([...bytes]))).toBe(is);
});
