import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawClip } from '../../../src/main/sandbox/render/clip.ts';
import { type ServedFile, serveFiles } from '../../helpers/serveFiles.ts';
import { TestPages } from './browser.ts';
import { toneChannels, toneClip } from './tones.ts';

/** The board's player in a real browser. Frames are identified by their media time, never by a clock. */

const FPS = 24;
const SECONDS = 2;
const FRAMES = SECONDS * FPS;

let pages: TestPages;
let page: Page;
const files = new Map<string, ServedFile>();

beforeAll(async () => {
  for (const [seed, id] of ['a', 'b', 'c', 'd', 'e'].entries()) {
    const spec = { width: 320, height: 180, seconds: SECONDS, audio: true, prompt: `shot ${id}`, seed, references: [] };
    files.set(id, { mime: 'video/mp4', bytes: (await drawClip(spec)).video });
  }
  pages = await TestPages.start();
  page = await pages.open('player/index.html');
  await serveFiles(page, files);
});
afterAll(() => pages?.close());

const placed = (items: readonly Partial<PlayItem>[]): PlayItem[] => {
  let start = 0;
  return items.map((item, index) => {
    const place = { shotId: `s${index + 1}`, start, seconds: SECONDS, ...item } as PlayItem;
    start += place.seconds;
    return place;
  });
};
const clip = (id: string) => ({ url: `/files/${id}` });

/** An item as the page plays it. */
interface PlayItem {
  shotId: string;
  start: number;
  seconds: number;
  url?: string;
  from?: number;
  gains?: { at: number; gain: number }[];
  layout?: string;
}
interface SeenFrame {
  url: string;
  mediaTime: number;
}
interface Played {
  frames: SeenFrame[];
  shots: string[];
  seconds: number;
  videos: number;
  told: number;
  error?: string;
}
interface Heard {
  peaks: [left: number, right: number];
  momentary: number;
}
interface Handles {
  hear(items: PlayItem[], times: number[]): Promise<Heard[]>;
  measureTone(dbfs: number, channels: number): Promise<{ peaks: [number, number]; momentary: number }>;
  play(items: PlayItem[]): Promise<Played>;
}

const play = (...of: Parameters<Handles['play']>): Promise<Played> =>
  page.evaluate((args) => (globalThis as unknown as { handles: Handles }).handles.play(...args), of);

/** The shown frame numbers in film order, one run for each stretch of the same file. */
const runsOf = (frames: readonly SeenFrame[]): [id: string, frames: number[]][] =>
  frames.reduce<[string, number[]][]>((runs, { url, mediaTime }) => {
    const id = url.split('/').at(-1) ?? '';
    const last = runs.at(-1);
    const frame = Math.round(mediaTime * FPS);
    if (last?.[0] === id && frame > (last[1].at(-1) ?? -1)) last[1].push(frame);
    else runs.push([id, [frame]]);
    return runs;
  }, []);

test('five shots play in order, each from first to last frame, and the film stops at its end', async () => {
  const played = await play(placed(['a', 'b', 'c', 'd', 'e'].map(clip)));
  const runs = runsOf(played.frames);
  expect(runs.map(([id]) => id)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(runs.map(([, frames]) => [frames[0], frames.at(-1)])).toEqual(runs.map(() => [0, FRAMES - 1]));
  expect(played).toMatchObject({ shots: ['s1', 's2', 's3', 's4', 's5'], seconds: 5 * SECONDS });
});

test('the time is reported at most once per frame', async () => {
  const { told } = await play(placed(['a', 'b'].map(clip)));
  // Starts, ends and links are reported too.
  expect(told).toBeLessThanOrEqual(2 * FRAMES + 8);
});

test('the same clip twice in a row is played twice, from its first frame', async () => {
  const runs = runsOf((await play(placed([clip('a'), clip('a')]))).frames);
  expect(runs.map(([, frames]) => [frames[0], frames.at(-1)])).toEqual([
    [0, FRAMES - 1],
    [0, FRAMES - 1],
  ]);
});

test('a trimmed clip plays from its in point to its out point, where the film stops', async () => {
  const part = { from: 10 / FPS, seconds: 20 / FPS };
  const played = await play(placed([{ ...clip('a'), ...part }, clip('b'), { ...clip('c'), ...part }]));
  const runs = runsOf(played.frames).map(([id, frames]) => [id, frames[0], frames.at(-1)]);
  // The clip continues after the out point, and a busy browser may show one frame more.
  const end = expect.toSatisfy((last) => last === 29 || last === 30);
  expect(runs.slice(0, 3)).toEqual([
    ['a', 10, end],
    ['b', 0, FRAMES - 1],
    ['c', 10, end],
  ]);
  expect(played.seconds).toBeCloseTo(SECONDS + 40 / FPS, 5);
});

test('a shot without a clip takes its length, and the clips around it lose no frame', async () => {
  const still = { seconds: 0.5 };
  const played = await play(placed([still, clip('a'), still, still, clip('b')]));
  expect(played.shots).toEqual(['s1', 's2', 's3', 's4', 's5']);
  const runs = runsOf(played.frames);
  expect(runs.map(([id, frames]) => [id, frames[0], frames.at(-1)])).toEqual([
    ['a', 0, FRAMES - 1],
    ['b', 0, FRAMES - 1],
  ]);
  expect(played.seconds).toBe(1.5 + 2 * SECONDS);
});

test('sixty shots play on two video elements', async () => {
  const short = { ...clip('a'), seconds: 0.25 };
  const items = placed(Array.from({ length: 60 }, (_, index) => ({ ...short, ...clip('abcde'[index % 5] ?? 'a') })));
  const played = await play(items.slice(0, 60));
  expect(played.videos).toBe(2);
  expect(played.shots).toHaveLength(60);
});

test('a clip that cannot be played stops the film there, and says so', async () => {
  const played = await play(placed([clip('a'), clip('gone'), clip('b')]));
  expect(played.error).toBe('This file cannot be played here.');
  expect(played.shots).toEqual(['s1', 's2']);
});

const SILENT = Number.NEGATIVE_INFINITY;
const hear = (...of: Parameters<Handles['hear']>): Promise<Heard[]> =>
  page.evaluate((args) => (globalThis as unknown as { handles: Handles }).handles.hear(...args), of);

test('playback has the gains of the mix, also while they change', async () => {
  files.set('tone', { mime: 'video/mp4', bytes: await toneClip({ seconds: 3, db: -20 }) });
  const gains = [
    { at: 0, gain: 0.1 },
    { at: 1, gain: 0.1 },
    { at: 1.2, gain: 1 },
  ];
  const items = placed([
    { ...clip('tone'), seconds: 3, gains: [{ at: 0, gain: 2 }] },
    { ...clip('tone'), seconds: 3, gains },
  ]);
  // Tries again: real time has gaps on a busy machine, whereas a wrong gain would be wrong each time.
  const listen = async () => {
    const heard = await hear(items, [2, 3.9, 5.5]);
    return [-14, -40, -20].map((lufs, at) => Math.abs((heard[at]?.momentary ?? 0) - lufs) < 0.5 || heard[at]);
  };
  await expect.poll(listen).toEqual([true, true, true]);
});

/** Surround is heard as it is measured and exported (BS.775), the centre included. */
test.each([
  ['mono', 1, 0, [-20, -20]],
  ['3.0', 3, 2, [-23, -23]],
  ['quad', 4, 0, [-20, SILENT]],
  ['quad', 4, 3, [SILENT, -23]],
  ['5.0', 5, 2, [-23, -23]],
  ['5.0', 5, 4, [SILENT, -23]],
  ['5.1', 6, 2, [-23, -23]],
  ['5.1', 6, 3, [SILENT, SILENT]],
  ['5.1', 6, 4, [-23, SILENT]],
  ['7.1', 8, 2, [-23, -23]],
  ['7.1', 8, 7, [SILENT, -23]],
] as const)(
  'for %s with %d channels, channel %d is heard on the right sides',
  async (layout, count, sounding, sides) => {
    const levels = Array.from({ length: count }, (_, channel) => (channel === sounding ? -20 : undefined));
    files.set('sound', { mime: 'audio/wav', bytes: toneChannels(levels) });
    const listen = async () => {
      const [heard] = await hear(placed([{ url: '/files/sound', layout }]), [1.5]);
      return sides.map((side, index) => {
        const peak = heard?.peaks[index] ?? Number.NaN;
        return side === peak || Math.abs(peak - side) < 0.2 || peak;
      });
    };
    await expect.poll(listen).toEqual([true, true]);
  },
);

/** EBU Tech 3341, case 1: 1 kHz at −23 dBFS on both sides is −23 LUFS. One channel is heard on both sides. */
test.each([
  [-23, 2],
  [-33, 2],
  [-23, 1],
])('the meter says how loud a tone of %d dBFS on %d channels is', async (dbfs, channels) => {
  const levels = await page.evaluate(
    ([db, count]) => (globalThis as unknown as { handles: Handles }).handles.measureTone(db, count),
    [dbfs, channels] as const,
  );
  expect(Math.abs(levels.momentary - dbfs)).toBeLessThan(0.1);
  for (const peak of levels.peaks) expect(Math.abs(peak - dbfs)).toBeLessThan(0.1);
});
