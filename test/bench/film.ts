import type { Page } from 'playwright';
import { drawClip } from '../../src/main/sandbox/render/clip.ts';
import { TestPages } from '../e2e/parts/browser.ts';
import { planOf, shot } from '../e2e/parts/filmPage.ts';
import { type Figure, quantile } from './figures.ts';

/** A film of sandbox clips made in a real browser, compared with bare mediabunny. */

const CLIPS = 5;
const SECONDS = 4;
const FPS = 24;
const ROUNDS = 5;
const SIZE = { width: 1280, height: 720 };

export async function benchFilm(): Promise<Figure[]> {
  const clips: Buffer[] = [];
  for (let seed = 0; seed < CLIPS; seed += 1) {
    const spec = { ...SIZE, seconds: SECONDS, audio: true, prompt: `shot ${seed}`, seed, references: [] };
    clips.push(Buffer.from((await drawClip(spec)).video));
  }
  const pages = await TestPages.start();
  try {
    const page = await pages.open('media/index.html');
    await page.route('**/clips/*', (route) => {
      const clip = clips[Number(new URL(route.request().url()).pathname.split('/').at(-1))];
      return clip ? route.fulfill({ contentType: 'video/mp4', body: clip }) : route.abort();
    });
    // The first use of each loads and compiles its code.
    await round(page, 'join');
    await round(page, 'encode');
    const joined = await rounds(page, 'join');
    const encoded = await rounds(page, 'encode');
    const software = (CLIPS * SECONDS * FPS * 1000) / (await film(page, 'encode', true));
    return [...joined, ...encoded, { name: 'encoded by the software encoder', value: software, unit: 'frames/s' }];
  } finally {
    await pages.close();
  }
}

interface Handles {
  film(...of: unknown[]): Promise<{ ms: number; error?: string }>;
  bareFilm(...of: unknown[]): Promise<number>;
}

async function film(page: Page, mode: 'join' | 'encode', softwareOnly = false): Promise<number> {
  const shots = Array.from({ length: CLIPS }, (_, index) =>
    shot(String(index), { frames: SECONDS * FPS, seconds: SECONDS }),
  );
  const plan = planOf(shots, { fps: { num: FPS, den: 1 }, ...SIZE });
  const files = Object.fromEntries(shots.map((_, index) => [String(index), `/clips/${index}`]));
  const made = await page.evaluate((of) => (globalThis as unknown as { handles: Handles }).handles.film(...of), [
    { plan, mode },
    files,
    softwareOnly,
  ] as const);
  if (made.error !== undefined) throw new Error(made.error);
  return made.ms;
}

const bare = (page: Page, mode: 'join' | 'encode'): Promise<number> =>
  page.evaluate((of) => (globalThis as unknown as { handles: Handles }).handles.bareFilm(...of), [
    Array.from({ length: CLIPS }, (_, index) => `/clips/${index}`),
    mode === 'join',
  ] as const);

const round = async (page: Page, mode: 'join' | 'encode') => ({
  ours: await film(page, mode),
  peer: await bare(page, mode),
});

async function rounds(page: Page, mode: 'join' | 'encode'): Promise<Figure[]> {
  const taken: { ours: number; peer: number }[] = [];
  for (let count = 0; count < ROUNDS; count += 1) taken.push(await round(page, mode));
  const [ours, peer] = [
    quantile(
      taken.map((one) => one.ours),
      0.5,
    ),
    quantile(
      taken.map((one) => one.peer),
      0.5,
    ),
  ];
  const what = `${CLIPS} clips of ${SECONDS} s at ${SIZE.height} lines, ${mode === 'join' ? 'joined' : 'encoded'}`;
  return [
    { name: what, value: ours, unit: 'ms' },
    { name: `  × real time`, value: (CLIPS * SECONDS * 1000) / ours, unit: '×' },
    { name: `  beside mediabunny alone (time / time)`, value: ours / peer, unit: '×' },
  ];
}
