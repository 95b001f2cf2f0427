import type { Page } from 'playwright';
import { drawClip } from '../../src/main/sandbox/render/clip.ts';
import type { PlayItem } from '../../src/renderer/features/storyboard/player/playItem.ts';
import { TestPages } from '../e2e/parts/browser.ts';
import { type ServedFile, serveFiles } from '../helpers/serveFiles.ts';
import { type Figure, quantile } from './figures.ts';

/**
 * The joints of a film of five shots in the player of the board, in a real browser, beside one video element that is given the next file
 * when one has ended. Frames are those that `requestVideoFrameCallback` told of; of those that it did not tell of, the browser's own count
 says how many it never put on the screen, and of how many the page was only too busy to hear.
 */

const CLIPS = 5;
const SECONDS = 4;
const FPS = 24;
const ROUNDS = 3;
const SIZE = { width: 1280, height: 720 };
/** Frames on either side of a joint that are counted. */
const NEAR = FPS / 2;

interface SeenFrame {
  url: string;
  mediaTime: number;
  at: number;
  presented: number;
}
interface Handles {
  play(items: readonly PlayItem[]): Promise<{ frames: SeenFrame[] }>;
  playSwapped(urls: readonly string[]): Promise<SeenFrame[]>;
}

export async function benchJoints(): Promise<Figure[]> {
  const files = new Map<string, ServedFile>();
  for (let seed = 0; seed < CLIPS; seed += 1) {
    const spec = { ...SIZE, seconds: SECONDS, audio: true, prompt: `shot ${seed}`, seed, references: [] };
    files.set(String(seed), { mime: 'video/mp4', bytes: (await drawClip(spec)).video });
  }
  const pages = await TestPages.start();
  try {
    const page = await pages.open('player/index.html');
    await serveFiles(page, files);
    const [ours, peer]: [Joints, Joints] = [newJoints(), newJoints()];
    for (let round = 0; round < ROUNDS; round += 1) {
      count(ours, await played(page));
      count(peer, await swapped(page));
    }
    return figuresOf(ours, peer);
  } finally {
    await pages.close();
  }
}

const URLS = Array.from({ length: CLIPS }, (_, index) => `/files/${index}`);
const ITEMS: PlayItem[] = URLS.map((url, index) => ({
  kind: 'clip',
  url,
  shotId: `s${index}`,
  start: index * SECONDS,
  seconds: SECONDS,
}));

const played = async (page: Page): Promise<SeenFrame[]> =>
  (await page.evaluate((items) => (globalThis as unknown as { handles: Handles }).handles.play(items), ITEMS)).frames;
const swapped = (page: Page): Promise<SeenFrame[]> =>
  page.evaluate((urls) => (globalThis as unknown as { handles: Handles }).handles.playSwapped(urls), URLS);

interface Joints {
  /** Last frames before a joint and first frames behind it that were never seen. */
  lostAtJoint: number;
  /** Frames in half a second on either side that the page was not told of. */
  lostNear: number;
  /** Those of them that the browser never put on the screen. */
  dropped: number;
  /** From the last frame that was seen before each joint to the first one behind it, in ms. */
  gaps: number[];
}
const newJoints = (): Joints => ({ lostAtJoint: 0, lostNear: 0, dropped: 0, gaps: [] });

function count(joints: Joints, frames: readonly SeenFrame[]): void {
  const clips = URLS.map((url) => frames.filter((frame) => frame.url === url));
  for (const [index, after] of clips.entries()) {
    const before = clips[index - 1];
    if (!before) continue;
    const last = numbersOf(before);
    const first = numbersOf(after);
    joints.lostAtJoint += Number(!last.has(SECONDS * FPS - 1)) + Number(!first.has(0));
    for (let near = 0; near < NEAR; near += 1) {
      joints.lostNear += Number(!last.has(SECONDS * FPS - 1 - near)) + Number(!first.has(near));
    }
    joints.dropped += droppedNear(before, (frame) => frame >= SECONDS * FPS - NEAR) + droppedNear(after, isFirst);
    joints.gaps.push((after[0]?.at ?? 0) - (before.at(-1)?.at ?? 0));
  }
}

const isFirst = (frame: number): boolean => frame < NEAR;
const numberOf = ({ mediaTime }: SeenFrame): number => Math.round(mediaTime * FPS);

/** From one told frame of a clip to the next, the frames between them that the browser's count does not have. */
function droppedNear(clip: readonly SeenFrame[], isNear: (frame: number) => boolean): number {
  return clip.slice(1).reduce((sum, frame, index) => {
    const before = clip[index] ?? frame;
    const missing = numberOf(frame) - numberOf(before) - (frame.presented - before.presented);
    return isNear(numberOf(before)) || isNear(numberOf(frame)) ? sum + Math.max(0, missing) : sum;
  }, 0);
}

const numbersOf = (frames: readonly SeenFrame[]): Set<number> => new Set(frames.map(numberOf));

function figuresOf(ours: Joints, peer: Joints): Figure[] {
  const gap = ({ gaps }: Joints) => quantile(gaps, 0.5);
  const of = `of ${ours.gaps.length * 2 * NEAR}`;
  return [
    { name: `first and last frames lost at ${ours.gaps.length} joints`, value: ours.lostAtJoint, unit: 'frames' },
    { name: '  one element, next file at the end', value: peer.lostAtJoint, unit: 'frames' },
    {
      name: `frames within half a second of a joint that the browser dropped, ${of}`,
      value: ours.dropped,
      unit: 'frames',
    },
    { name: '  one element, next file at the end', value: peer.dropped, unit: 'frames' },
    { name: '  shown or not, the page was not told of', value: ours.lostNear, unit: 'frames' },
    { name: '  one element, next file at the end', value: peer.lostNear, unit: 'frames' },
    {
      name: `from the last frame to the next first one (a frame is ${(1_000 / FPS).toFixed(1)} ms)`,
      value: gap(ours),
      unit: 'ms',
    },
    { name: '  longest', value: Math.max(...ours.gaps), unit: 'ms' },
    { name: '  one element, next file at the end', value: gap(peer), unit: 'ms' },
    { name: '  beside it (time / time)', value: gap(ours) / gap(peer), unit: '×' },
  ];
}
