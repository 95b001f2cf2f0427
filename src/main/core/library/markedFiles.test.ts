import fs from 'node:fs';
import { decode } from 'fast-png';
import { beforeAll, expect, test, vi } from 'vitest';
import { filesOf, joined } from '../../../../test/helpers/files.ts';
import { framesOf } from '../../../../test/helpers/filmStudio.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import { PARAMETERS_KEY } from '../../../shared/library/provenance.ts';
import { withOpenFile } from './media/containers.ts';
import { withMp4Metadata, withTexts, withXmpPacket } from './media/copyMetadata.ts';
import { readMp4Extras } from './media/mp4Boxes.ts';
import { readPngTexts } from './media/pngText.ts';

const put = filesOf('provenance');
let clip: Buffer;
beforeAll(async () => {
  clip = await framesOf({ frames: 24, rate: { num: 24, den: 1 } });
});

const chunk = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), body, Buffer.alloc(4)]);
};
/** Puts chunks behind the header. */
const withChunks = (png: Buffer, ...chunks: Buffer[]): Buffer =>
  Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);

test.each(['a plain prompt', 'Übergröße', 'ночной паром 🎬\nsecond line', 'zero\0inside'])(
  'a copy says what it is and keeps every pixel: %j',
  async (prompt) => {
    const png = Buffer.from(testPng(9, 5));
    const copy = await joined(await withTexts(put('a.png', png), [{ keyword: PARAMETERS_KEY, text: prompt }]));
    expect(decode(copy, { checkCrc: true }).data).toEqual(decode(png).data);
    const { texts } = await readPngTexts(put('copy.png', copy));
    expect(texts).toEqual([{ keyword: PARAMETERS_KEY, text: prompt.replaceAll('\0', '') }]);
  },
);

test('what was said before is replaced, and a C2PA manifest is not claimed for the copy', async () => {
  const old = chunk('tEXt', Buffer.from(`${PARAMETERS_KEY}\0older`, 'latin1'));
  const kept = chunk('tEXt', Buffer.from('Comment\0stays', 'latin1'));
  const original = put(
    'signed.png',
    withChunks(Buffer.from(testPng(9, 5)), old, kept, chunk('caBX', Buffer.alloc(40))),
  );
  expect(await readPngTexts(original)).toMatchObject({ c2pa: true });
  const copy = put('copy.png', await joined(await withTexts(original, [{ keyword: PARAMETERS_KEY, text: 'new' }])));
  expect(await readPngTexts(copy)).toEqual({
    c2pa: false,
    texts: [
      { keyword: PARAMETERS_KEY, text: 'new' },
      { keyword: 'Comment', text: 'stays' },
    ],
  });
});

test('an MP4 gets its packet at the end, and its manifest becomes free space', async () => {
  const manifest = Buffer.concat([
    Buffer.from([0, 0, 0, 28]),
    Buffer.from('uuid', 'latin1'),
    Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex'),
    Buffer.alloc(4),
  ]);
  const signed = put('signed.mp4', Buffer.concat([clip, manifest]));
  const copy = await joined(await withMp4Metadata(signed, '<x/>'));
  expect(copy.subarray(0, clip.length).equals(clip)).toBe(true);
  expect(copy.subarray(clip.length + 4, clip.length + 8).toString()).toBe('free');
  expect(copy.subarray(-4).toString()).toBe('<x/>');
  const c2paIn = async (file: string) => (await withOpenFile(file, readMp4Extras)).hasC2pa;
  expect([await c2paIn(signed), await c2paIn(put('copy.mp4', copy))]).toEqual([true, false]);
});

test.each([['png', withTexts] as const, ['mp4', withMp4Metadata] as const])(
  'a %s that ends in the middle is refused at once',
  async (name, metadata) => {
    const whole = name === 'png' ? Buffer.from(testPng(9, 5)) : clip;
    const cut = put(`cut.${name}`, whole.subarray(0, whole.length - 9));
    await expect(metadata(cut, (name === 'png' ? [] : '') as never)).rejects.toThrow();
  },
);

/** A JPEG that is nothing but its segments and a scan. */
const jpeg = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
  Buffer.from('ffdb000400ff', 'hex'),
  Buffer.from('ffda0008010100003f00', 'hex'),
  Buffer.alloc(5_000, 7),
  Buffer.from('ffd9', 'hex'),
]);

test('what is not built as it should be is refused before a byte of it is read', async () => {
  const file = put('no.bin', Buffer.from('nothing that it could be'));
  await expect(withTexts(file, [{ keyword: PARAMETERS_KEY, text: 'ночной паром' }])).rejects.toThrow();
});

test('a picture of many small chunks is read in long pieces', async () => {
  const many = Array.from({ length: 5_000 }, () => chunk('tEXt', Buffer.from('Comment\0x', 'latin1')));
  const file = put('many.png', withChunks(Buffer.from(testPng(9, 5)), ...many));
  const handle = await fs.promises.open(file, 'r');
  const read = vi.spyOn(Object.getPrototypeOf(handle), 'read');
  await handle.close();
  const copy = await joined(await withTexts(file, [{ keyword: PARAMETERS_KEY, text: 'new' }]));
  expect(read.mock.calls.length).toBeLessThan(40);
  read.mockRestore();
  expect(copy.length).toBeGreaterThan(fs.statSync(file).size);
});

test.each([
  ['a marker without a length', 'ffd0'],
  ['zeros', '0000'],
  ['a length of none', 'ffe20000'],
  ['a length of one', 'ffe20001'],
])('a JPEG with %s between its segments is not marked: what is passed over may be pixels', async (_, stray) => {
  const [head, tables, scan] = [jpeg.subarray(0, 20), jpeg.subarray(20, 26), jpeg.subarray(26)];
  const longScan = Buffer.concat([scan.subarray(0, 10), Buffer.alloc(70_000, 7)]);
  const marked = (between: string) => {
    const file = put('two.jpg', Buffer.concat([head, Buffer.from(between, 'hex'), tables, longScan, scan]));
    return withXmpPacket(file, 'image/jpeg', '<x/>').then(joined);
  };
  await expect(marked(stray)).rejects.toThrow();
  expect((await marked('ffff')).equals(await marked(''))).toBe(true);
});
