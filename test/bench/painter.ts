import type { Page } from 'playwright';
import { TestPages } from '../e2e/parts/browser.ts';
import { type Figure, quantile } from './figures.ts';
import { watched } from './pageWatch.ts';

/** The mask painter on a picture of 4096 × 4096, compared with Fabric's own brush and export: pointer, redraw, file, memory. */

const SIDE = 4_096;
const STROKES = 40;
const MOVES = 12;
const EXPORTS = 5;
const OPENINGS = 20;

interface Painted {
  /** The page's time for one move of the pointer, 95th percentile, in ms. */
  move: number;
  /** The page's time for a frame, 95th percentile, in ms. */
  redraw: number;
  /** Median time from the click until the file exists, in ms. */
  export: number;
  /** Longest task of the page while it paints and while it makes the file; 0 where none was 50 ms or longer. */
  painting: number;
  exporting: number;
}

/** Longest task of the page after each edit that is shown from pixels, in ms; 0 where none was 50 ms or longer. */
type Pixels = Record<keyof typeof PIXEL_EDITS, number>;

/** How each edit is performed. A noisy picture is imported, since its mask has very many runs. */
const PIXEL_EDITS = {
  grow: "handles.add({ kind: 'grow', by: 8 })",
  fill: 'handles.fill(5, 5)',
  import: `(async () => {
    const canvas = new OffscreenCanvas(512, 512);
    const context = canvas.getContext('2d');
    for (let at = 0; at < 4000; at++) {
      context.fillStyle = at % 2 ? '#fff' : '#000';
      context.fillRect((at * 7919) % 512, (at * 104729) % 512, 9, 9);
    }
    await handles.bring(await canvas.convertToBlob());
  })()`,
} as const;

export async function benchPainter(): Promise<Figure[]> {
  const pages = await TestPages.start();
  try {
    const ours = await painted(pages, 'painter', 'handles.prove()');
    const pixels = await pixelEdits(pages);
    const peer = await painted(pages, 'fabric', 'handles.export()');
    return [
      { name: 'a move of the pointer is handled within (p95)', value: ours.move, unit: 'ms' },
      { name: "  Fabric's brush", value: peer.move, unit: 'ms' },
      { name: 'a frame is drawn within (p95)', value: ours.redraw, unit: 'ms' },
      { name: "  Fabric's brush", value: peer.redraw, unit: 'ms' },
      { name: 'longest task of the page while it paints', value: ours.painting, unit: 'ms' },
      { name: "  Fabric's brush", value: peer.painting, unit: 'ms' },
      { name: 'the file, read back by the browser (median)', value: ours.export, unit: 'ms' },
      { name: "  Fabric's file, without one", value: peer.export, unit: 'ms' },
      { name: 'longest task of the page meanwhile', value: ours.exporting, unit: 'ms' },
      { name: "  Fabric's file", value: peer.exporting, unit: 'ms' },
      { name: 'longest task of the page after the mask was grown', value: pixels.grow, unit: 'ms' },
      { name: '  after an area was filled', value: pixels.fill, unit: 'ms' },
      { name: '  after a mask was imported', value: pixels.import, unit: 'ms' },
      { name: `memory after ${OPENINGS} openings, beside one`, value: await growthOf(pages), unit: '×' },
    ];
  } finally {
    await pages.close();
  }
}

async function painted(pages: TestPages, folder: string, make: string): Promise<Painted> {
  const page = await pages.open(`${folder}/index.html?width=${SIDE}&height=${SIDE}`);
  await page.evaluate('globalThis.handles.use?.({ brush: 160 })');
  // Decodes the picture before painting begins.
  await page.evaluate('Promise.all([...document.images].map((image) => image.decode()))');
  await page.waitForTimeout(500);
  await page.evaluate(timeHandlers);
  const painting = await watched(page, () => paint(page));
  const { moves, frames } = (await page.evaluate('globalThis.timed')) as { moves: number[]; frames: number[] };
  const exports: number[] = [];
  const exporting = await watched(page, async () => {
    for (let round = 0; round < EXPORTS; round++) {
      exports.push(
        await page.evaluate(
          `(async () => { const begun = performance.now(); await ${make}; return performance.now() - begun; })()`,
        ),
      );
    }
  });
  await page.close();
  return {
    move: quantile(moves, 0.95),
    redraw: quantile(frames, 0.95),
    export: quantile(exports, 0.5),
    painting: Math.max(0, ...painting.tasks),
    exporting: Math.max(0, ...exporting.tasks),
  };
}

/** Performs each edit on a painted mask, until the overlay is drawn from the worker's pixels. */
async function pixelEdits(pages: TestPages): Promise<Pixels> {
  const page = await pages.open(`painter/index.html?width=${SIDE}&height=${SIDE}`);
  await page.evaluate('globalThis.handles.use({ brush: 160 })');
  await paint(page);
  await page.waitForTimeout(500);
  const longest: Pixels = { grow: 0, fill: 0, import: 0 };
  for (const [name, edit] of Object.entries(PIXEL_EDITS)) {
    const { tasks } = await watched(page, async () => {
      await page.evaluate(edit);
      await page.waitForTimeout(3_000);
    });
    longest[name as keyof Pixels] = Math.max(0, ...tasks);
  }
  await page.close();
  return longest;
}

/** Strokes from side to side, each a little lower. */
async function paint(page: Page): Promise<void> {
  for (let stroke = 0; stroke < STROKES; stroke++) {
    const y = 20 + stroke * 11;
    await page.mouse.move(170, y);
    await page.mouse.down();
    await page.mouse.move(620, y + 8, { steps: MOVES });
    await page.mouse.up();
  }
}

/** The page's heap after garbage collection, after many painters compared with the first. */
async function growthOf(pages: TestPages): Promise<number> {
  const page = await pages.open(`painter/index.html?width=${SIDE}&height=${SIDE}`);
  const session = await page.context().newCDPSession(page);
  const used = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage');
    return ((await session.send('Runtime.getHeapUsage')) as { usedSize: number }).usedSize;
  };
  await page.evaluate('globalThis.handles.reopen()');
  const first = await used();
  for (let opening = 1; opening < OPENINGS; opening++) await page.evaluate('globalThis.handles.reopen()');
  const last = await used();
  await page.close();
  return last / first;
}

/** Runs in the page: notes how long it is busy with each move of the pointer and with each frame. */
function timeHandlers(): void {
  const page = globalThis as unknown as {
    timed: { moves: number[]; frames: number[] };
    requestAnimationFrame(run: (at: number) => void): number;
    addEventListener(type: string, heard: () => void, capture: boolean): void;
  };
  page.timed = { moves: [], frames: [] };
  let begun = 0;
  page.addEventListener('pointermove', () => (begun = performance.now()), true);
  page.addEventListener('pointermove', () => page.timed.moves.push(performance.now() - begun), false);
  const request = page.requestAnimationFrame.bind(page);
  page.requestAnimationFrame = (run) =>
    request((at) => {
      const from = performance.now();
      run(at);
      // Skips frames in which nothing ran.
      if (performance.now() - from > 0.02) page.timed.frames.push(performance.now() - from);
    });
}
