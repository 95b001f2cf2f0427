import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'fast-png';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { libraryIn } from '../../../../../test/helpers/libraryHarness.ts';
import { testPng } from '../../../../../test/helpers/png.ts';
import { maskFactsInProcess, mimeInProcess, probeInProcess } from './inspector.ts';

/** Files that are made to stop the program that reads them. */

// Only in this process: a mask must not be unpacked here.
vi.mock('./mask.ts', () => ({ inspectMask: () => Promise.reject(new Error('unpacked in the program itself')) }));

const PROGRAM = new URL('./inspectProcess.ts', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'inspector-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const put = (name: string, bytes: Uint8Array): string => {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return file;
};
const sound = put('sound.png', testPng(9, 5));

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const box = (type: string, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(8 + body.length), Buffer.from(type, 'latin1'), body]);
};
const full = (type: string, ...content: Buffer[]): Buffer => box(type, u32(0), ...content);

/** A clip without pictures, of a kilobyte. */
function clip(tables: Buffer[], ...more: Buffer[]): Buffer {
  const samples = box('stbl', full('stsd', u32(1), box('avc1', Buffer.alloc(78))), ...tables);
  const media = box(
    'mdia',
    full('mdhd', u32(0), u32(0), u32(1_000), u32(0), u32(0)),
    full('hdlr', u32(0), Buffer.from('vide'), Buffer.alloc(13)),
    box('minf', samples),
  );
  const track = full('tkhd', u32(0), u32(0), u32(1), u32(0), Buffer.alloc(60), u32(1_280 << 16), u32(720 << 16));
  const movie = full('mvhd', u32(0), u32(0), u32(1_000), u32(0), Buffer.alloc(80));
  const [inMovie, behind] = [more.slice(0, 1), more.slice(1)];
  const type = box('ftyp', Buffer.from('isom\0\0\0\0isommp42', 'latin1'));
  return Buffer.concat([type, box('moov', movie, box('trak', track, media), ...inMovie), ...behind]);
}

/** In fragments, the one of which says that it has so many frames. */
function fragmented(frames: number): Buffer {
  const tables = ['stts', 'stsc', 'stco'].map((type) => full(type, u32(0)));
  const defaults = full('trex', u32(1), u32(1), u32(1), u32(1), u32(0));
  const fragment = box('traf', box('tfhd', u32(0x20000), u32(1)), full('trun', u32(frames)));
  const sizes = full('stsz', u32(0), u32(0));
  return clip([...tables, sizes], box('mvex', defaults), box('moof', full('mfhd', u32(1)), fragment));
}

/** Of frames that all have the same length and size, a thousandth of a second each. */
const even = (frames: number): Buffer =>
  clip([
    full('stts', u32(1), u32(frames), u32(1)),
    full('stsz', u32(100), u32(frames)),
    full('stsc', u32(1), u32(1), u32(frames), u32(1)),
    full('stco', u32(1), u32(8)),
    full('stss', u32(1), u32(1)),
  ]);

test('a length or a size that cannot be is not believed', async () => {
  expect((await probeInProcess(put('short.mp4', even(4_000))))?.seconds).toBe(4);
  const long = await probeInProcess(put('long.mp4', even(0xffffffff)));
  expect([long?.mime, long?.seconds]).toEqual(['video/mp4', undefined]);
  const wide = testPng(9, 5);
  wide.writeUInt32BE(0x7fffffff, 16);
  expect(await probeInProcess(put('wide.png', wide))).toBe(null);
});

test('a clip of a kilobyte that claims four thousand million frames counts as unreadable', async () => {
  const [bad, good] = await Promise.all([
    probeInProcess(put('frames.mp4', fragmented(0xffffffff))),
    probeInProcess(sound),
  ]);
  expect([bad, good?.width]).toEqual([null, 9]);
  expect((await probeInProcess(sound))?.height).toBe(5);
});

test('a clip whose index would take all memory ends its process', async () => {
  const file = join(folder, 'index.mp4');
  const handle = openSync(file, 'w');
  const bytes = 1_900 * 1024 ** 2;
  const type = box('ftyp', Buffer.from('isom\0\0\0\0isommp42', 'latin1'));
  const [whole, inner] = [u32(bytes), u32(bytes - 8)];
  writeSync(handle, Buffer.concat([type, whole, Buffer.from('moov'), inner, Buffer.from('free')]));
  ftruncateSync(handle, type.length + bytes);
  closeSync(handle);
  const child = fork(PROGRAM);
  await once(child, 'message');
  child.send({ kind: 'probe', file });
  expect(await Promise.race([once(child, 'exit'), once(child, 'message')])).toEqual([1, null]);
});

test('a file that takes too long is abandoned, and others are read meanwhile and afterwards', async () => {
  const file = join(folder, 'endless.webm');
  const handle = openSync(file, 'w');
  const head = '1a45dfa39f4286810142f7810142f2810442f381084282847765626d428781044285810218538067';
  writeSync(handle, Buffer.concat([Buffer.from(head, 'hex'), Buffer.from([1]), Buffer.alloc(7, 0xff)]));
  ftruncateSync(handle, 100 * 1024 ** 3);
  closeSync(handle);
  // Both processes are reading.
  await Promise.all([probeInProcess(sound), probeInProcess(sound)]);
  const answers = [probeInProcess(file), probeInProcess(file), probeInProcess(sound)];
  await vi.advanceTimersByTimeAsync(30_000);
  expect((await Promise.all(answers)).map((answer) => answer?.mime)).toEqual([undefined, undefined, 'image/png']);
  expect(await mimeInProcess(sound)).toBe('image/png');
});

test('what is no file at all counts as one that cannot be read', async () => {
  expect(
    await Promise.all([probeInProcess(folder), maskFactsInProcess(join(folder, 'none')), mimeInProcess(folder)]),
  ).toEqual([null, null, null]);
});

test('a mask that an order names is unpacked in another process', async () => {
  const { library, add } = libraryIn();
  const data = new Uint8Array(6).fill(255, 0, 2);
  const mask = encode({ width: 3, height: 2, data, channels: 1 });
  const { id } = await add('mask.png', mask);
  const asked = { asMask: true, base: { width: 3, height: 2 } };
  expect(await library.mediaFacts(id, asked)).toMatchObject({ pureMask: true, whitePixels: 2 });
});

test('a process that was idle long enough gets no more requests', async () => {
  await Promise.all([probeInProcess(sound), probeInProcess(sound)]);
  vi.advanceTimersByTime(10_000);
  expect((await probeInProcess(sound))?.width).toBe(9);
});

test('what ends the program leaves it reading; without the program it ends', async () => {
  const child = fork(PROGRAM);
  await once(child, 'message');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) child.kill(signal);
  child.send({ about: 'type', file: sound });
  expect(await once(child, 'message')).toEqual([{ found: 'image/png' }, undefined]);
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});
