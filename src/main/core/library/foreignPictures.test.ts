import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { root } from '../../../../test/arch/tools.ts';
import { filesOf } from '../../../../test/helpers/files.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import { promptFound } from '../../../shared/library/provenance.ts';
import { readEmbeddedProvenance } from './media/embeddedProvenance.ts';

/** Pictures of other programs, each with the words that it was made with. */
const folder = join(root, 'test/fixtures/foreign-pictures');
const STORM = 'a lighthouse at dusk, (storm:1.2)';
const DUSK = 'a lighthouse at dusk';
const CHINESE = '海边的灯塔，黄昏，暴风雨';
const PROMPTS: Readonly<Record<string, string>> = {
  'md-a1111-after.png': STORM,
  'md-a1111.png': STORM,
  'md-comfy.png': DUSK,
  'md-fooocus.png': DUSK,
  'md-invoke.png': DUSK,
  'md-itxt-cjk.png': CHINESE,
  'md-itxt-z.png': CHINESE,
  'md-mj.png': `${DUSK} --ar 16:9 --v 6`,
  'md-novelai.png': DUSK,
  'md-swarm.png': DUSK,
  'md-text-utf8.png': CHINESE,
  'md-uc.jpg': STORM,
  'md-uc.webp': STORM,
  'md-ztxt.png': STORM,
};
const MIMES: Readonly<Record<string, string>> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' };

const promptIn = async (file: string) => {
  const found = await readEmbeddedProvenance(file, MIMES[file.split('.').at(-1) ?? ''] ?? '');
  return found === null ? null : promptFound(found);
};

test.each(readdirSync(folder))('the words in %s', async (name) =>
  expect(await promptIn(join(folder, name))).toBe(PROMPTS[name]),
);

/** A picture with such a chunk behind its header. */
function pictureWith(type: string, body: Buffer): string {
  const picture = testPng(8, 8);
  const chunk = Buffer.alloc(body.length + 12);
  chunk.writeUInt32BE(body.length, 0);
  chunk.write(type, 4, 'latin1');
  body.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, body.length + 8)), body.length + 8);
  return put('with.png', Buffer.concat([picture.subarray(0, 33), chunk, picture.subarray(33)]));
}
const put = filesOf('foreign');
const texted = (keyword: string, text: string) => pictureWith('tEXt', Buffer.from(`${keyword}\0${text}`, 'latin1'));

test.each([
  ['parameters', '{"seed": 42}'],
  ['parameters', '["a quay"]'],
  ['parameters', '{"prompt": {"text": "a quay"}}'],
  ['parameters', '{"prompt": "a quay'],
  ['prompt', '{"1":{"inputs":{"positive":["1",0]}}}'],
  ['prompt', '{"1":{"inputs":{"text":"a quay"}}}'],
  ['prompt', 'a quay'],
  ['invokeai_metadata', '{"positive_prompt":["a quay"]}'],
  ['Description', 'Screenshot of a quay'],
  ['Comment', '{"prompt":"a quay"}'],
  ['UserComment', 'Screenshot'],
])('no document and no other comment becomes words: %s %s', async (keyword, text) =>
  expect(await promptIn(texted(keyword, text))).toBeUndefined(),
);

test.each(['{a quay|a lamp} at dusk', '[a quay:0.5]', '\u00c9tude de lumi\u00e8re'])('%j is words', async (text) =>
  expect(await promptIn(texted('parameters', text))).toBe(text),
);

test('a graph is followed from the sampler to the words it gets', async () => {
  const graph = {
    1: { inputs: { text: 'people' } },
    2: { inputs: { text: ['4', 0] } },
    3: { inputs: { conditioning: ['2', 0], strength: 1 } },
    4: { inputs: { text: 'a quay' } },
    5: { inputs: { positive: ['3', 0], negative: ['1', 0] } },
  };
  expect(await promptIn(texted('prompt', JSON.stringify(graph)))).toBe('a quay');
});

test('a compressed text that would not end is left unread', async () => {
  const bomb = Buffer.concat([Buffer.from('parameters\0\0'), deflateSync(Buffer.alloc(50_000_000, 'a'))]);
  expect(await promptIn(pictureWith('zTXt', bomb))).toBeUndefined();
  const broken = Buffer.from('parameters\0\0no zlib');
  expect(await promptIn(pictureWith('zTXt', broken))).toBeUndefined();
});

/** An Exif with this comment, in the order of the machine that wrote it. */
function exifWith(comment: Buffer, isLittle: boolean): Buffer {
  const exif = Buffer.alloc(44 + comment.length);
  exif.write(isLittle ? 'II*\0' : 'MM\0*', 0, 'latin1');
  const write = (at: number, bytes: number, value: number) =>
    isLittle ? exif.writeUIntLE(value, at, bytes) : exif.writeUIntBE(value, at, bytes);
  const entry = (at: number, tag: number, [type, count, value]: [number, number, number]) => {
    write(at, 2, tag);
    write(at + 2, 2, type);
    write(at + 4, 4, count);
    write(at + 8, 4, value);
  };
  write(4, 4, 8);
  write(8, 2, 1);
  entry(10, 0x8769, [4, 1, 26]);
  write(26, 2, 1);
  entry(28, 0x9286, [7, comment.length, 44]);
  comment.copy(exif, 44);
  return exif;
}

test.each([true, false])(
  'a comment in UTF-16 is read in either order of the directory (little: %s)',
  async (isLittle) => {
    const words = Buffer.from(`${CHINESE}\nNegative prompt: \nSteps: 20`, 'utf16le');
    for (const text of [words, Buffer.from(words).swap16()]) {
      const comment = Buffer.concat([Buffer.from('UNICODE\0'), text]);
      expect(await promptIn(pictureWith('eXIf', exifWith(comment, isLittle)))).toBe(CHINESE);
    }
  },
);

test('an Exif that is cut off or leads nowhere says no words', async () => {
  const exif = exifWith(Buffer.from('ASCII\0\0\0Sea\nSteps: 20'), true);
  expect(await promptIn(pictureWith('eXIf', exif))).toBe('Sea');
  for (const end of [0, 3, 9, 20, 30, 45])
    expect(await promptIn(pictureWith('eXIf', exif.subarray(0, end)))).toBeUndefined();
});
