import type { Page } from 'playwright';
import { launchBrowser, openAt, openPage } from '../helpers/browser.ts';
import { type Host, startHost } from '../helpers/host.ts';
import { quantile } from './figures.ts';
import { watched } from './pageWatch.ts';

/** The pages that search a history, in a real browser: how soon a key is painted, and how even the grid moves. */

export interface PageFigures {
  /** A key that is pressed in the search → the next frame is painted, 95 of 100, in ms. */
  libraryKey: number;
  queueKey: number;
  /** In a bare field with nothing behind it, on the same machine. */
  plainKey: number;
  /** The last key of a word → its hits are answered, in ms. */
  libraryHits: number;
  queueHits: number;
  /** Between two frames while the grid is flung, faster than pictures are seen, 99 of 100, in ms. */
  flungFrame: number;
  /** Between two frames while it is scrolled as one looks at it, 99 of 100, in ms. */
  gridFrame: number;
  /** The longest task of the page while it is flung and scrolled, in ms; 0 where none was 50 ms or longer. */
  gridTask: number;
  /** The same of a page with nothing but pictures, as many and as large. */
  plainFlungFrame: number;
  plainFrame: number;
  plainTask: number;
}

const WORDS = ['fishermen', 'quay at night', 'orchids'];
/** As a person types who knows the word. */
const KEY_MS = 120;
/** What is asked for when typing rests is answered by then. */
const REST_MS = 2_500;

export async function pagesOn(dataDir: string): Promise<PageFigures> {
  const host = await startHost({ dataDir, quiet: true });
  const browser = await launchBrowser();
  try {
    await host.ask('settings.set', { welcomed: true });
    const page = await openPage(browser, 1440, 900);
    await openAt(page, host, '#/library');
    await page.waitForTimeout(REST_MS);
    const flung = await watched(page, () => scrollGrid(page, FLUNG_PX));
    await page.waitForTimeout(REST_MS);
    const grid = await watched(page, () => scrollGrid(page, LOOKING_PX));
    const library = await typed(page, '/rpc/library.list');
    await page.keyboard.press('Alt+4');
    await page.waitForTimeout(REST_MS);
    const queue = await typed(page, '/rpc/jobs.list');
    await showPlainGrid(page, await thumbnailsOf(host));
    await page.waitForTimeout(REST_MS);
    const plainFlung = await watched(page, () => scrollGrid(page, FLUNG_PX));
    await page.waitForTimeout(REST_MS);
    const plain = await watched(page, () => scrollGrid(page, LOOKING_PX));
    await showBareField(page);
    const field = await typed(page, 'nothing');
    return {
      libraryKey: quantile(library.keys, 0.95),
      libraryHits: quantile(library.hits, 0.5),
      queueKey: quantile(queue.keys, 0.95),
      plainKey: quantile(field.keys, 0.95),
      queueHits: quantile(queue.hits, 0.5),
      flungFrame: quantile(flung.frames, 0.99),
      gridFrame: quantile(grid.frames, 0.99),
      gridTask: Math.max(0, ...flung.tasks, ...grid.tasks),
      plainFlungFrame: quantile(plainFlung.frames, 0.99),
      plainFrame: quantile(plain.frames, 0.99),
      plainTask: Math.max(0, ...plainFlung.tasks, ...plain.tasks),
    };
  } finally {
    await browser.close();
    await host.kill('SIGTERM');
  }
}

/** A step of the wheel: three rows of tiles, and half a row. */
const FLUNG_PX = 320;
const LOOKING_PX = 54;

/** Down and back by half of it, a step in each frame. */
async function scrollGrid(page: Page, px: number): Promise<void> {
  await page.mouse.move(700, 500);
  for (let step = 0; step < 180; step++) {
    await page.mouse.wheel(0, step < 120 ? px : -0.75 * px);
    await page.waitForTimeout(16);
  }
}

/** So many are left out, since the grid has shown them; so many are scrolled over. */
const SHOWN = 2_500;
const PLAIN = 3_500;
const PAGE = 100;

/** The thumbnails that follow those which the grid has shown. */
async function thumbnailsOf(host: Host): Promise<string[]> {
  const ids: string[] = [];
  for (let offset = SHOWN; offset < SHOWN + PLAIN; offset += PAGE) {
    const { assets } = await host.ask('library.list', { offset, limit: PAGE });
    for (const { thumbnailId } of assets) if (thumbnailId !== undefined) ids.push(thumbnailId);
  }
  return ids;
}

/** Puts the pictures alone in the place of the studio's page, in tiles of the size that the grid has. */
async function showPlainGrid(page: Page, ids: string[]): Promise<void> {
  await page.evaluate((thumbnails) => {
    const { document } = globalThis as unknown as { document: { body: { innerHTML: string } } };
    const pictures = thumbnails.map(
      (id) => `<img loading="lazy" decoding="async" draggable="false" src="media/${id}">`,
    );
    document.body.innerHTML = `<style>
      .plain { position: absolute; inset: 0 250px; overflow: auto; display: grid; grid-template-columns: repeat(6, 137px); gap: 31px 8px; }
      .plain img { width: 137px; height: 77px; object-fit: cover }
    </style><div class="plain">${pictures.join('')}</div>`;
  }, ids);
}

const showBareField = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { document } = globalThis as unknown as {
      document: { body: { innerHTML: string }; querySelector(of: string): { focus(): void } | null };
    };
    document.body.innerHTML = '<input>';
    document.querySelector('input')?.focus();
  });

/** Types words into the search of a page, which asks for its hits by `call`. */
async function typed(page: Page, call: string): Promise<{ keys: number[]; hits: number[] }> {
  const hits: number[] = [];
  await page.evaluate(watchKeys);
  for (const word of WORDS) {
    await page.keyboard.press('/');
    await page.keyboard.press('Control+a');
    await page.evaluate('globalThis.isTyping = true');
    await page.keyboard.type(word, { delay: KEY_MS });
    await page.waitForTimeout(REST_MS);
    await page.evaluate('globalThis.isTyping = false');
    hits.push(await page.evaluate(`globalThis.answered(${JSON.stringify(call)})`));
  }
  return { keys: await page.evaluate('globalThis.keys'), hits };
}

/** Runs in the page: notes how long each key takes until the frame behind it is painted, and when the last answer was there. */
function watchKeys(): void {
  const page = globalThis as unknown as {
    isTyping?: boolean;
    keys?: number[];
    answered?: (call: string) => number;
    requestAnimationFrame(next: () => void): void;
    addEventListener(type: string, heard: (event: { timeStamp: number }) => void, capture: boolean): void;
  };
  /** Asked later, it is for an event. */
  const AT_REST_MS = 1_000;
  let last = 0;
  const keys: number[] = [];
  page.keys = keys;
  page.addEventListener(
    'keydown',
    ({ timeStamp }) => {
      if (!page.isTyping) return;
      last = timeStamp;
      // A task that is begun in a frame runs when that is painted.
      page.requestAnimationFrame(() => setTimeout(() => keys.push(performance.now() - timeStamp)));
    },
    true,
  );
  page.answered = (call) => {
    const ends = performance
      .getEntriesByType('resource')
      .filter(({ name, startTime }) => name.endsWith(call) && startTime < last + AT_REST_MS)
      .map((entry) => (entry as unknown as { responseEnd: number }).responseEnd);
    performance.clearResourceTimings();
    return Math.max(...ends) - last;
  };
}
