import { type Phrase, phrasesIn, placeIn } from './searchQuery.ts';
import { wordsIn } from './words.ts';

export interface Snippet {
  text: string;
  /** The first match, as for `slice`; absent if it is elsewhere. */
  hit?: { start: number; end: number };
}

/** Characters around a match. */
const LENGTH = 120;
const BEFORE = 40;
const BEGINNING = 4_000;

interface Place {
  start: number;
  end: number;
}

/** The part of a text around the first match, on one line; without a match, the beginning. */
export function snippetOf(text: string, typed: string): Snippet {
  const hit = hitIn(text, phrasesIn(typed));
  const from = hit && hit.start > BEFORE ? edgeNear(text, hit.start - BEFORE) : 0;
  const to = Math.max(from + LENGTH, Math.min(hit?.end ?? 0, from + 2 * LENGTH));
  const end = to >= text.length ? text.length : edgeNear(text, to);
  const [before, after] = [from > 0 ? '…' : '', end < text.length ? '…' : ''];
  const shown = `${before}${text.slice(from, end).replaceAll(/\s/g, ' ')}${after}`;
  if (!hit) return { text: shown };
  const shift = before.length - from;
  return { text: shown, hit: { start: hit.start + shift, end: Math.min(hit.end, end) + shift } };
}

/** Most texts match near their beginning. A word at the end of that part may continue after it. */
function hitIn(text: string, phrases: readonly Phrase[]): Place | undefined {
  if (text.length <= BEGINNING) return firstHit(text, phrases);
  const near = firstHit(text.slice(0, BEGINNING), phrases);
  return near && near.end < BEGINNING ? near : firstHit(text, phrases);
}

function firstHit(text: string, phrases: readonly Phrase[]): Place | undefined {
  const found = wordsIn(text);
  const words = found.map(({ word }) => word);
  let first: Place | undefined;
  for (const phrase of phrases) {
    const at = placeIn(words, phrase);
    const [begin, end] = [found[at], found[at + phrase.words.length - 1]];
    if (begin && end && (!first || begin.start < first.start)) first = { start: begin.start, end: lastOf(phrase, end) };
  }
  return first;
}

/** If a pair matches only with its last character, the place of that character. */
function lastOf({ words, isBeginning }: Phrase, end: { start: number; end: number; word: string }): number {
  const typed = words.at(-1) ?? '';
  const isPair = [...end.word].length === end.end - end.start && end.word.length === 2;
  return isBeginning && isPair && typed.length === 1 ? end.start + 1 : end.end;
}

/** Never inside a surrogate pair. */
const edgeNear = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at);
