import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { filesOf, joined } from '../../../../test/helpers/files.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import { PROVENANCE_KEY } from '../../../shared/film/filmTask.ts';
import { jsonInXmp, type Provenance, provenanceInTexts } from '../../../shared/library/provenance.ts';
import { readXmpPacket } from '../library/index.ts';
import { copyWithProvenance } from './libraryExport.ts';

/** An exported JPEG or WebP carries its provenance, which an import reads; the pixels are unchanged. */

const put = filesOf('pictures');
const openStudio = studiosOfThisFile();
const segment = (marker: number, body: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
};
const SOI = Buffer.from([0xff, 0xd8]);
const JFIF = segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1'));
const TABLE = segment(0xdb, Buffer.alloc(65));
const SCAN = Buffer.concat([
  segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
  Buffer.from([0x12, 0xff, 0, 0x34, 0xff, 0xd9]),
]);
const OLD = segment(0xe1, Buffer.from('http://ns.adobe.com/xap/1.0/\0<old/>', 'latin1'));
const SIGNED = segment(0xeb, Buffer.from('JP\0\x01jumb c2pa', 'latin1'));
const jpeg = (...parts: Buffer[]): Buffer => Buffer.concat([SOI, JFIF, ...parts, TABLE, SCAN]);

const LOSSY = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64');
const LOSSLESS = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');

const said: Provenance = {
  version: 1,
  kind: 'imagine',
  prompt: 'A “quay” & <lamp>\nПаром 🎬 &quot;',
  seed: 7,
  sourceType: 'trainedAlgorithmicMedia',
};

async function foundInFile(file: string, mime: string) {
  const { xmp, c2pa } = await readXmpPacket(file, mime);
  const text = xmp && jsonInXmp(xmp);
  return provenanceInTexts(text === undefined ? [] : [{ keyword: PROVENANCE_KEY, text }], c2pa);
}

async function copyOf(bytes: Buffer, mime: string, provenance = said) {
  const file = put('original', bytes);
  const body = await copyWithProvenance({ path: file, mime } as never, provenance);
  expect(fs.readFileSync(file).equals(bytes)).toBe(true);
  return body && joined(body);
}

describe.each([
  ['a JPEG', 'image/jpeg', jpeg()],
  ['a JPEG with a packet and a manifest', 'image/jpeg', jpeg(OLD, SIGNED)],
  ['a lossy WebP', 'image/webp', LOSSY],
  ['a lossless WebP', 'image/webp', LOSSLESS],
])('%s', (_, mime, original) => {
  test('says what it is, once, and is read again', async () => {
    const copy = (await copyOf(original, mime)) ?? Buffer.alloc(0);
    const text = copy.toString('latin1');
    expect(text).toContain('digitalsourcetype/trainedAlgorithmicMedia');
    expect(text).not.toContain('<old/>');
    expect(await foundInFile(put('copy', copy), mime)).toEqual({
      c2pa: false,
      provenance: { ...said, prompt: expect.any(String) },
    });
    const found = await foundInFile(put('copy', copy), mime);
    expect(found?.provenance?.prompt).toContain('A “quay” & <lamp>');
    const again = (await copyOf(copy, mime)) ?? Buffer.alloc(0);
    expect(again.equals(copy)).toBe(true);
  });
});

test('the pixels of a copy are the same bytes, behind what has to come first', async () => {
  const copy = (await copyOf(jpeg(OLD, SIGNED), 'image/jpeg')) ?? Buffer.alloc(0);
  expect(copy.subarray(0, 2 + JFIF.length).equals(Buffer.concat([SOI, JFIF]))).toBe(true);
  expect(copy.subarray(-(TABLE.length + SCAN.length)).equals(Buffer.concat([TABLE, SCAN]))).toBe(true);
  expect(await foundInFile(put('signed', jpeg(SIGNED)), 'image/jpeg')).toEqual({ c2pa: true });
  for (const original of [LOSSY, LOSSLESS]) {
    const webp = (await copyOf(original, 'image/webp')) ?? Buffer.alloc(0);
    expect(webp.readUInt32LE(4)).toBe(webp.length - 8);
    expect(webp.toString('latin1', 12, 16)).toBe('VP8X');
    expect([(webp[20] ?? 0) & 0x04, webp.readUIntLE(24, 3), webp.readUIntLE(27, 3)]).toEqual([4, 0, 0]);
    expect(webp.includes(original.subarray(12))).toBe(true);
  }
});

test('what comes back in a library is offered', async () => {
  const { ask } = await openStudio();
  const copy = (await copyOf(LOSSY, 'image/webp')) ?? Buffer.alloc(0);
  const { id } = await ask('library.import', { path: put('back.webp', copy) });
  expect(await ask('library.found', { id })).toMatchObject({ c2pa: false, provenance: { kind: 'imagine', seed: 7 } });
});

test('a WebP that cannot be read to its end stays as it came', async () => {
  const body = LOSSLESS.subarray(0, LOSSLESS.length - 1);
  const unpadded = Buffer.from(body);
  unpadded.writeUInt32LE(body.length - 8, 4);
  expect(await copyOf(unpadded, 'image/webp')).toBeUndefined();
  const frame = Buffer.concat([Buffer.from('ANMF', 'latin1'), Buffer.alloc(4)]);
  const many = Buffer.concat([LOSSY, ...new Array(10_001).fill(frame)]);
  many.writeUInt32LE(many.length - 8, 4);
  expect(await copyOf(many, 'image/webp')).toBeUndefined();
});

test('what is cut off or too long stays as it came', async () => {
  for (const [bytes, mime] of [
    [jpeg().subarray(0, 20), 'image/jpeg'],
    [Buffer.concat([SOI, JFIF]), 'image/jpeg'],
    [LOSSY.subarray(0, 20), 'image/webp'],
    [Buffer.from('no picture'), 'image/webp'],
  ] as const)
    expect(await copyOf(Buffer.from(bytes), mime)).toBeUndefined();
  const long = { ...said, prompt: 'x'.repeat(70_000) };
  const copy = (await copyOf(jpeg(), 'image/jpeg', long)) ?? Buffer.alloc(0);
  expect(copy.toString('latin1')).toContain('trainedAlgorithmicMedia');
  expect(await foundInFile(put('long', copy), 'image/jpeg')).toEqual({ c2pa: false });
});
