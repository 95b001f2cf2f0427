import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ClipPart } from '../../../src/shared/film/trim.ts';
import { loudnessOf } from '../../helpers/ffprobe.ts';
import { withHiddenFrames } from '../../helpers/hiddenFrames.ts';
import { steppedClip as clip, FRAMES, greyOf } from '../../helpers/steppedClip.ts';
import { TestPages } from './browser.ts';
import { toneChannels, toneTrack } from './tones.ts';

/** Frames and thumbnails by a real browser's decoders, from files of a foreign encoder. */

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

let pages: TestPages;
let page: Page;

beforeAll(async () => {
  pages = await TestPages.start();
  page = await pages.open('media/index.html');
});

afterAll(() => pages?.close());

interface Made {
  type?: string;
  width?: number;
  height?: number;
  red?: number;
  error?: string;
}

interface Handles {
  make(kind: string, mime: string, text: string, outMs?: number): Promise<Made>;
  strip(text: string, count: number, part?: ClipPart): Promise<Made[]>;
}

const make = (kind: string, mime: string, bytes: Uint8Array, outMs?: number): Promise<Made> =>
  page.evaluate((of) => (globalThis as unknown as { handles: Handles }).handles.make(...of), [
    kind,
    mime,
    base64(bytes),
    outMs,
  ] as const);

const stripOf = (bytes: Uint8Array, count: number, part?: ClipPart): Promise<Made[]> =>
  page.evaluate((of) => (globalThis as unknown as { handles: Handles }).handles.strip(...of), [
    base64(bytes),
    count,
    part,
  ] as const);

test('the last frame is the very last one, in full size and without loss; the thumbnail is the first, small', async () => {
  const bytes = await clip();
  const last = await make('lastFrame', 'video/mp4', bytes);
  expect(last).toMatchObject({ type: 'image/png', width: 640, height: 368 });
  expect(Math.abs((last.red ?? 0) - greyOf(FRAMES - 1))).toBeLessThan(3);
  const first = await make('thumbnail', 'video/mp4', bytes);
  expect(first).toMatchObject({ type: 'image/webp', width: 480, height: 276 });
  expect(Math.abs((first.red ?? 0) - greyOf(0))).toBeLessThan(6);
});

test.each([
  [1_500, 35],
  // Between two frames: the nearer one is shown.
  [1_481, 35],
  [1_478, 34],
  [1, 0],
  [2_000, FRAMES - 1],
  [9_000, FRAMES - 1],
])('the last frame before an out point at %i ms is the one that a film ends with', async (outMs, frame) => {
  const made = await make('lastFrame', 'video/mp4', await clip(), outMs);
  expect(Math.abs((made.red ?? 0) - greyOf(frame))).toBeLessThan(3);
});

test('a film strip of a part shows only that part', async () => {
  const frames = await stripOf(await clip(), 2, { from: 0.5, seconds: 1 });
  expect(frames.map(({ red }) => red)).toEqual([18, 30].map((frame) => expect.closeTo(greyOf(frame), -1)));
});

test('pictures of a clip show no frames that its edit list hides', async () => {
  const bytes = await withHiddenFrames({ before: 5, after: 4 }, { bytes: await clip(), fps: 24 });
  const last = await make('lastFrame', 'video/mp4', bytes);
  expect(Math.abs((last.red ?? 0) - greyOf(FRAMES - 5))).toBeLessThan(3);
  const first = await make('thumbnail', 'video/mp4', bytes);
  expect(Math.abs((first.red ?? 0) - greyOf(5))).toBeLessThan(6);
  const { pictures } = await measure(bytes);
  expect(pictures?.frames).toBe(FRAMES - 9);
  expect(pictures?.start.at(0)?.at).toBe(0);
  expect(pictures?.end.at(-1)?.at).toBeCloseTo((FRAMES - 10) / 24, 3);
});

test('a film strip has the frames that a player shows, with the first one held while there is only sound', async () => {
  const late = { before: 5, after: 4, pause: 13 };
  const bytes = await withHiddenFrames(late, { bytes: await clip(), fps: 24, sound: 2 });
  const frames = await stripOf(bytes, 4);
  const wanted = [5, 5 + 6, 5 + 19, 5 + 32];
  expect(frames).toHaveLength(4);
  for (const [at, { red = 0 }] of frames.entries()) expect(Math.abs(red - greyOf(wanted[at] ?? 0))).toBeLessThan(6);
});

test('the thumbnail of a picture keeps its shape, and a small picture keeps its size', async () => {
  const large = createCanvas(1456, 816).toBuffer('image/png');
  expect(await make('thumbnail', 'image/png', large)).toMatchObject({
    type: 'image/webp',
    width: 480,
    height: 269,
  });
  const small = createCanvas(100, 60).toBuffer('image/png');
  expect(await make('thumbnail', 'image/png', small)).toMatchObject({ width: 100, height: 60 });
});

test('a file that is not what it claims fails with one sentence', async () => {
  expect(await make('thumbnail', 'image/png', Uint8Array.of(1, 2, 3))).toEqual({
    error: 'The picture cannot be decoded.',
  });
  expect(await make('lastFrame', 'video/mp4', Uint8Array.of(1, 2, 3))).toEqual({
    error: 'The clip is not in a format that can be read here.',
  });
  expect(await make('lastFrame', 'image/png', Uint8Array.of(1, 2, 3))).toEqual({
    error: 'Only a clip has a last frame.',
  });
  const cut = (await clip()).slice(0, 2_000);
  expect((await make('lastFrame', 'video/mp4', cut)).error).toMatch(/^[A-Z].+/);
});

interface Measured {
  error?: string;
  seconds: number;
  pictures?: {
    frames: number;
    fps: number;
    first: string;
    last: string;
    start: { at: number; lab: number[]; change: number | null }[];
    end: { at: number; lab: number[]; change: number | null }[];
  };
  sound?: { lufs: number | null; truePeakDb: number | null; momentary: (number | null)[] };
  soundFault?: string;
}

const measure = (bytes: Uint8Array): Promise<Measured> =>
  page.evaluate(
    (given) =>
      (globalThis as unknown as { handles: { measure(b: unknown): Promise<Measured> } }).handles.measure(given),
    base64(bytes),
  );

test('a clip is measured frame by frame at both ends: times, colours, and the change between frames', async () => {
  const measured = await measure(await clip());
  expect(measured.error).toBeUndefined();
  const { pictures } = measured;
  expect(pictures).toMatchObject({ frames: FRAMES, fps: 24 });
  expect(pictures?.start).toHaveLength(24);
  expect(pictures?.end).toHaveLength(24);
  expect(pictures?.start[0]).toMatchObject({ at: 0, change: null });
  // Each frame is 4 of 255 lighter than the one before; the encoder rounds by at most one.
  for (const { change } of [...(pictures?.start.slice(1) ?? []), ...(pictures?.end ?? [])]) {
    expect(change).toBeGreaterThan(2.5 / 255);
    expect(change).toBeLessThan(5.5 / 255);
  }
  const greys = [pictures?.first, pictures?.last].map((grid) => Buffer.from(grid ?? '', 'base64')[1_500] ?? 0);
  expect(Math.abs((greys[0] ?? 0) - greyOf(0))).toBeLessThanOrEqual(2);
  expect(Math.abs((greys[1] ?? 0) - greyOf(FRAMES - 1))).toBeLessThanOrEqual(2);
  expect(measured.sound ?? measured.soundFault).toBeUndefined();
});

test('a sound is measured by EBU Tech 3341, and a file without sound is reported', async () => {
  const { sound, pictures } = await measure(toneTrack({ db: -23 }));
  expect(pictures).toBeUndefined();
  expect(Math.abs((sound?.lufs ?? 0) + 23)).toBeLessThanOrEqual(0.1);
  expect(Math.abs((sound?.truePeakDb ?? 0) + 23)).toBeLessThanOrEqual(0.4);
  expect(sound?.momentary).toHaveLength(17);
  expect((await measure(Buffer.from('no media at all'))).error).toContain('not in a format that can be read');
});

const [MONO, SURROUND] = ['c0=c0|c1=c0', 'c0=c0+0.70711*c2+0.70711*c4|c1=c1+0.70711*c2+0.70711*c5'];

/** Mono is measured as it is heard (not 3 LU quieter), surround as it is mixed down. */
test.each([
  ['on one channel', [-23], MONO, -23],
  ['on both sides', [-23, -23], 'c0=c0|c1=c1', -23],
  ['of 5.1, with deep effects', [-30, -26, -28, -6, -23, undefined], SURROUND, undefined],
])('a tone %s is as loud as FFmpeg measures of its audible channels', async (_, levels, fold, lufs) => {
  const bytes = toneChannels(levels);
  const { sound } = await measure(bytes);
  const folder = mkdtempSync(path.join(tmpdir(), 'tone-'));
  const file = path.join(folder, 'tone.wav');
  writeFileSync(file, bytes);
  const theirs = await loudnessOf(file, `pan=stereo|${fold}`);
  rmSync(folder, { recursive: true });
  expect(Math.abs((sound?.lufs ?? 0) - theirs.lufs)).toBeLessThanOrEqual(0.1);
  expect(Math.abs((sound?.truePeakDb ?? 0) - theirs.peak)).toBeLessThanOrEqual(0.3);
  if (lufs !== undefined) expect(Math.abs((sound?.lufs ?? 0) - lufs)).toBeLessThanOrEqual(0.1);
});
