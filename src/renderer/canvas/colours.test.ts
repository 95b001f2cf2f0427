import { expect, test } from 'vitest';
import { areSameColours, coloursOf, withProfile } from './colours.ts';
import { chunk, deflate, joined, PNG_SIGNATURE } from './png.ts';

const bytes = (...parts: (string | number[] | Uint8Array)[]): Uint8Array<ArrayBuffer> =>
  joined(
    parts.map((part) =>
      typeof part === 'string' ? Uint8Array.from(part, (letter) => letter.charCodeAt(0)) : Uint8Array.from(part),
    ),
  );
const iccOf = (fill: number, space = 'RGB ', size = 70_000): Uint8Array<ArrayBuffer> => {
  const profile = new Uint8Array(size).fill(fill);
  profile.set(bytes(space), 16);
  return profile;
};
const [p3, adobe, cmyk] = [iccOf(1), iccOf(2), iccOf(1, 'CMYK')];
const large = iccOf(1, 'RGB ', 5 * 1024 * 1024);

const header = chunk('IHDR', bytes([0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0]));
const png = (...chunks: Uint8Array<ArrayBuffer>[]): Blob =>
  new Blob([PNG_SIGNATURE, header, ...chunks, chunk('IDAT', bytes([1])), chunk('IEND', bytes())]);
const iccp = async (profile: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  chunk('iCCP', bytes('Display P3\0\0', await deflate(profile)));
const numbers = (...values: number[]): Uint8Array<ArrayBuffer> =>
  bytes(values.flatMap((value) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]));

const segment = (marker: number, body: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255], body);
/** In two segments, the second first. */
const jpeg = (profile?: Uint8Array): Blob => {
  const part = (number: number, from: number, to?: number) =>
    profile ? segment(0xe2, bytes('ICC_PROFILE\0', [number, 2], profile.subarray(from, to))) : bytes();
  return new Blob([bytes([0xff, 0xd8]), part(2, 60_000), part(1, 0, 60_000), segment(0xda, bytes([1]))]);
};
const webp = (profile: Uint8Array): Blob => {
  const part = (type: string, body: Uint8Array) =>
    bytes(type, numbers(body.length).reverse(), body, [0].slice(0, body.length % 2));
  return new Blob([bytes('RIFF', [0, 0, 0, 0], 'WEBP', part('VP8X', bytes([32, 0, 0])), part('ICCP', profile))]);
};

test('the profile of a picture is read, whatever its file is', async () => {
  for (const file of [png(await iccp(p3)), jpeg(p3), webp(p3)]) {
    const colours = await coloursOf(file);
    expect(colours).toEqual({ type: 'profile', profile: p3 });
    expect(areSameColours(colours, await coloursOf(jpeg(p3)))).toBe(true);
    expect(areSameColours(colours, await coloursOf(jpeg(adobe)))).toBe(false);
    expect(areSameColours(colours, await coloursOf(png()))).toBe(false);
  }
});

test('a picture that says nothing, or sRGB, has plain colours; what no other file can have is told apart', async () => {
  const chrm = chunk('cHRM', numbers(31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000));
  const plain = [
    png(),
    jpeg(),
    new Blob(['GIF89a']),
    png(chunk('sRGB', bytes([0])), await iccp(p3)),
    png(chunk('gAMA', numbers(45455)), chrm),
  ];
  for (const file of plain) expect(await coloursOf(file)).toEqual({ type: 'plain' });
  const other = [
    png(chunk('cICP', bytes([9, 16, 0, 1])), await iccp(p3)),
    png(chunk('gAMA', numbers(100000))),
    png(await iccp(cmyk)),
    png(await iccp(large)),
    webp(large),
    png(chunk('iCCP', bytes('x\0\0', [1, 2, 3]))),
    jpeg(cmyk),
    new Blob(['\0\0\0 ftypavif']),
    new Blob([]),
  ];
  for (const file of other) expect(await coloursOf(file)).toEqual({ type: 'other' });
  expect(areSameColours({ type: 'other' }, { type: 'other' })).toBe(false);
});

test('a picture is written with the profile of its pixels, and not with that of the canvas', async () => {
  const written = await withProfile(png(chunk('sRGB', bytes([0])), chunk('tEXt', bytes('a\0b'))), p3);
  expect(await coloursOf(written)).toEqual({ type: 'profile', profile: p3 });
  const types = (await written.text()).match(/IHDR|iCCP|sRGB|tEXt|IDAT|IEND/g);
  expect(types).toEqual(['IHDR', 'iCCP', 'tEXt', 'IDAT', 'IEND']);
});

test('a picture of very many chunks is whole with its profile', async () => {
  const many = Array.from({ length: 10_001 }, () => chunk('IDAT', bytes([1])));
  const whole = await withProfile(png(...many), p3);
  expect(whole.size).toBeGreaterThan(10_001 * 13);
  expect(await whole.slice(-12).bytes()).toEqual(new Uint8Array(chunk('IEND', bytes())));
});
