import { isAbsolute, join } from 'node:path';
import { BUNDLE_ENDING } from '../../../../shared/bundle/document.ts';
import { LINKED_THINGS, type LinkedThing } from '../../../../shared/contract/hostEvents.ts';
import { AT_LOGIN } from './loginItem.ts';

/** What the system opens Dailies with: a link, or a bundle. Anybody may have written either, so both are read strictly. */
export type Opened = { link: LinkedThing } | { bundle: string };

export const LINK_SCHEME = 'dailies';
const MOST_LINK = 200;
const MOST_ID = 100;
const MOST_PATH = 4_096;
const ID_CHARACTERS = new Set('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-');

/** `dailies://job/ID`, `asset` or `project`, and nothing else: no query, no fragment, no account, no port. */
export function parseLink(text: string): LinkedThing | undefined {
  if (text.length > MOST_LINK) return undefined;
  const url = URL.parse(text);
  if (!url || url.protocol !== `${LINK_SCHEME}:`) return undefined;
  const thing = LINKED_THINGS.find((known) => known === url.host);
  const id = url.pathname.slice(1);
  const isId = id !== '' && id.length <= MOST_ID && [...id].every((character) => ID_CHARACTERS.has(character));
  // Whatever else an address can hold would make it longer than these two.
  if (!thing || !isId || text !== `${LINK_SCHEME}://${thing}/${id}`) return undefined;
  return { thing, id };
}

/** The full path of a bundle; undefined for any other file. Relative ones are in `folder`. */
export function bundlePath(word: string, folder: string): string | undefined {
  if (word.length > MOST_PATH || word.includes('\0') || !word.toLowerCase().endsWith(BUNDLE_ENDING)) return undefined;
  return isAbsolute(word) ? word : join(folder, word);
}

/** Words of a command line that are the value of the flag before them. */
const WITH_VALUE = new Set([
  '--host',
  '--data-dir',
  '--port',
  '--public-url',
  '--language',
  '--sandbox-speed',
  '--sandbox-media',
]);

/** Flags are no file, and neither is a flag's value. */
const isPlain = (word: string, at: number, words: readonly string[]): boolean =>
  !word.startsWith('-') && !WITH_VALUE.has(words[at - 1] ?? '');

/**
 * What a start of the program was asked to open, from its command line: on Windows and Linux the system adds it as the last word.
 */
export function openedBy(argv: readonly string[], folder: string): Opened | undefined {
  const word = argv.slice(1).filter(isPlain).at(-1) ?? '';
  const link = parseLink(word);
  if (link) return { link };
  const bundle = bundlePath(word, folder);
  return bundle === undefined ? undefined : { bundle };
}

/** The words of a start like that of this command line, which shows its window and opens something else, or nothing. */
export function wordsOpening(opened: Opened | undefined, argv: readonly string[]): string[] {
  const words = argv.slice(1).filter((word) => word !== AT_LOGIN);
  const last = openedBy(argv, '/') ? words.findLastIndex(isPlain) : -1;
  const kept = words.filter((_, at) => at !== last);
  if (!opened) return kept;
  return [...kept, 'link' in opened ? `${LINK_SCHEME}://${opened.link.thing}/${opened.link.id}` : opened.bundle];
}
