import type { Page } from 'playwright';
import { answerOf } from './growingAnswer.ts';
import type { ScriptTime } from './scriptTime.ts';
import { within } from './within.ts';

/** Opens a long chat: when its end is painted, and how much time the page spends. */

export const MESSAGES = 500;
export const OPENINGS = 7;
const LATEST_MS = 30_000;

export interface Opening {
  /** From the click until the newest message is painted, in ms. */
  readable: number;
  /** From the click until all messages are painted that are drawn without scrolling, in ms. */
  whole: number;
  drawn: number;
  /** Time of the page's scripts, in ms of its thread. */
  script: number;
}

/** The last words of a chat, which tell chats apart. */
export const endOf = (chat: number): string => `The end of chat ${chat}.`;

/** The messages of a chat, 600 to 1,200 characters each. */
export const wordsOf = (chat: number): string[] =>
  Array.from({ length: MESSAGES }, (_, at) =>
    at === MESSAGES - 1 ? endOf(chat) : `Message ${at} of ${chat}: ${answerOf(600 + ((at * 131) % 600))}`,
  );

/** Measures an opening; `press` clicks in the page. */
export async function openingOf(
  page: Page,
  time: ScriptTime,
  end: string,
  press: () => Promise<void>,
): Promise<Opening> {
  await page.evaluate(watchOpening, { end, latest: LATEST_MS });
  let seen: Omit<Opening, 'script'> | undefined;
  const { script } = await time.during(async () => {
    await press();
    const opened = page.evaluate('globalThis.opened') as Promise<Omit<Opening, 'script'>>;
    seen = await within(LATEST_MS, `the message “${end}” was not in the page`, opened);
  });
  if (!seen) throw new Error('bench: no opening was seen.');
  return { ...seen, script };
}

interface Shown {
  length: number;
  [at: number]: { textContent: string | null };
}

/** Runs in the page: watches from the next click until nothing more is added. */
function watchOpening({ end, latest }: { end: string; latest: number }): void {
  const page = globalThis as unknown as {
    opened: Promise<unknown>;
    document: { querySelectorAll(selector: string): Shown };
    requestAnimationFrame(next: () => void): void;
    addEventListener(type: string, heard: (event: { timeStamp: number }) => void, how: object): void;
  };
  /** An opening is over once nothing has been added for this long. */
  const STILL_MS = 600;
  // A task started in a frame runs after that frame is painted.
  const painted = () => new Promise<void>((next) => page.requestAnimationFrame(() => setTimeout(next)));
  const shown = () => page.document.querySelectorAll('[data-message]');
  const isOpen = () => shown()[shown().length - 1]?.textContent?.includes(end);
  const follow = async (from: number): Promise<unknown> => {
    const since = () => performance.now() - from;
    while (!isOpen()) {
      if (since() > latest) throw new Error(`bench: the message “${end}” did not come.`);
      await painted();
    }
    // Content added before a frame is painted with it.
    await painted();
    const readable = since();
    let [whole, drawn] = [readable, shown().length];
    while (since() < whole + STILL_MS && since() < latest) {
      await painted();
      if (shown().length === drawn) continue;
      [whole, drawn] = [since(), shown().length];
    }
    return { readable, whole, drawn };
  };
  page.opened = new Promise((resolve, reject) => {
    const begin = ({ timeStamp }: { timeStamp: number }) => void follow(timeStamp).then(resolve, reject);
    page.addEventListener('click', begin, { capture: true, once: true });
  });
}
