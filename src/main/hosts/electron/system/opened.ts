import { isAbsolute, join } from 'node:path';
import { BUNDLE_ENDING } from '../../../../shared/bundle/document.ts';
import { LINKED_THINGS, type LinkedThing } from '../../../../shared/contract/hostEvents.ts';
import { AT_LOGIN } from './loginItem.ts';

/** A link or bundle that the system opens Dailies with. Anybody may have made it, so it is parsed strictly. */
export type Opened = { link: LinkedThing } | { bundle: string };

export const LINK_SCHEME = 'dailies';
const MOST_LINK = 200;
const MOST_ID = 100;
const MOST_PATH = 4_096;
const ID_CHARACTERS = new Set('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-');

/** `dailies://job/ID`, `asset` or `project`; no query, fragment, account or port. */
export function parseLink(text: string): LinkedThing | undefined {
  if (text.length > MOST_LINK) return undefined;
  const url = URL.parse(text);
  if (!url || url.protocol !== `${LINK_SCHEME}:`) return undefined;
  const thing = LINKED_THINGS.find((known) => known === url.host);
  const id = url.pathname.slice(1);
  const isId = id !== '' && id.length <= MOST_ID && [...id].every((character) => ID_CHARACTERS.has(character));
  // Anything else in the address would make it longer.
  if (!thing || !isId || text !== `${LINK_SCHEME}://${thing}/${id}`) return undefined;
  return { thing, id };
}

/** The full path of a bundle; undefined for any other file. Relative ones are in `folder`. */
export function bundlePath(word: string, folder: string): string | undefined {
  if (word.length > MOST_PATH || word.includes('\0') || !word.toLowerCase().endsWith(BUNDLE_ENDING)) return undefined;
  return isAbsolute(word) ? word : join(folder, word);
}

/** Flags followed by a value. */
const WITH_VALUE = new Set([
  '--host',
  '--data-dir',
  '--port',
  '--public-url',
  '--language',
  '--sandbox-speed',
  '--sandbox-media',
]);

/** Neither a flag nor a flag's value. */
const isPlain = (word: string, at: number, words: readonly string[]): boolean =>
  !word.startsWith('-') && !WITH_VALUE.has(words[at - 1] ?? '');

/** The thing that a start was asked to open, from its command line: on Windows and Linux the system appends it as the last word. */
export function openedBy(argv: readonly string[], folder: string): Opened | undefined {
  const word = argv.slice(1).filter(isPlain).at(-1) ?? '';
  const link = parseLink(word);
  if (link) return { link };
  const bundle = bundlePath(word, folder);
  return bundle === undefined ? undefined : { bundle };
}

/** The arguments of a start like this one that shows the window and opens something else, or nothing. */
export function wordsOpening(opened: Opened | undefined, argv: readonly string[]): string[] {
  const words = argv.slice(1).filter((word) => word !== AT_LOGIN);
  const last = openedBy(argv, '/') ? words.findLastIndex(isPlain) : -1;
  const kept = words.filter((_, at) => at !== last);
  if (!opened) return kept;
  return [...kept, 'link' in opened ? `${LINK_SCHEME}://${opened.link.thing}/${opened.link.id}` : opened.bundle];
}
