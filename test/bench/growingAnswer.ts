import type { Page } from 'playwright';
import { ScriptTime, type Spent } from './scriptTime.ts';
import { within } from './within.ts';

/** An answer that grows piece by piece, and the page's time for each. */

export const SHORT = 5_000;
export const LONG = 50_000;
/** Characters of a piece, and how many are measured before each length. */
const PIECE = 50;
const MEASURED = 100;
/** Most updates are over after this time. */
const REST_MS = 60;
const LATEST_MS = 30_000;

export interface Updates {
  short: Spent[];
  long: Spent[];
}

/** `place`: the element with the answer; `add` adds the next piece. */
export async function updatesOf(page: Page, place: string, add: (piece: string) => Promise<void>): Promise<Updates> {
  const time = await ScriptTime.of(page);
  const text = answerOf(LONG);
  let at = 0;
  const upTo = async (end: number, piece: number): Promise<Spent[]> => {
    const spent: Spent[] = [];
    while (at < end) {
      const next = Math.min(end, at + piece);
      spent.push(await updateOf(page, time, () => add(text.slice(at, next))));
      at = next;
    }
    return spent;
  };
  // The first piece creates the element.
  await add(text.slice(0, PIECE));
  at = PIECE;
  await page.waitForSelector(place, { state: 'attached' });
  await page.waitForTimeout(500);
  await page.evaluate(countChanges, place);
  await upTo(SHORT - MEASURED * PIECE + PIECE, 250);
  const short = await upTo(SHORT, PIECE);
  await upTo(LONG - MEASURED * PIECE, 1_000);
  return { short, long: await upTo(LONG, PIECE) };
}

/** One piece, until the page has drawn it. Polling the page is not counted. */
async function updateOf(page: Page, time: ScriptTime, add: () => Promise<void>): Promise<Spent> {
  const before = await changesOf(page);
  const all = await time.during(async () => {
    await add();
    await page.waitForTimeout(REST_MS);
  });
  const late = performance.now() + LATEST_MS;
  while ((await changesOf(page)) === before) {
    if (performance.now() > late)
      throw new Error(`bench: after ${LATEST_MS / 1_000} s a piece of the answer was not in the page.`);
    const more = await time.during(() => page.waitForTimeout(REST_MS));
    all.script += more.script;
    all.task += more.task;
  }
  return all;
}

const changesOf = async (page: Page): Promise<number> =>
  Number(await within(LATEST_MS, 'the page did not say what it shows', page.evaluate('globalThis.changes')));

/** Runs in the page: counts how often the answer changed. */
function countChanges(place: string): void {
  const page = globalThis as unknown as {
    changes: number;
    document: { querySelector(selector: string): unknown };
    MutationObserver: new (heard: () => void) => { observe(node: unknown, what: object): void };
  };
  page.changes = 0;
  const observer = new page.MutationObserver(() => {
    page.changes += 1;
  });
  observer.observe(page.document.querySelector(place), { childList: true, subtree: true, characterData: true });
}

/** Prose, lists, code and tables, as models write them. */
export function answerOf(length: number): string {
  let text = '';
  for (let part = 1; text.length < length; part++) {
    text += `## Part ${part}\n\nThe **ferry** leaves the quay at night, with *few* lamps lit; see \`shot ${part}\`. `;
    text += 'Rain falls on the deck and the harbour slides away to the right, a long swell under a low sky. '.repeat(3);
    text += '\n\n- wide, still, 24 mm\n- a slow push in to the lamp\n- her face, *held breath*\n\n';
    if (part % 3 === 0) text += '```ts\nconst shot = { seconds: 4, seed: 77 };\nmake(shot);\n```\n\n';
    if (part % 4 === 0) text += '| shot | lens | seconds |\n| --- | --- | --- |\n| 1 | 24 | 4 |\n| 2 | 50 | 6 |\n\n';
  }
  return text.slice(0, length);
}
