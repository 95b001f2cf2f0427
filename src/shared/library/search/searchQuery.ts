import { SEGMENT, wordsIn } from './words.ts';

/** Adjacent words to search for. */
export interface Phrase {
  words: string[];
  /** The last word may continue. */
  isBeginning: boolean;
}

/** Further phrases are ignored: each costs time. */
const MAX_PHRASES = 32;
const QUOTES = /["“”„«»「」『』]/;

/**
 * The typed text as phrases, all of which must match. A word matches beginnings, text in quotation marks matches as a phrase. There are no
 * operators.
 */
export function phrasesIn(text: string): Phrase[] {
  const phrases = text.split(QUOTES).flatMap((part, index, parts) => {
    const isBeingTyped = index === parts.length - 1;
    if (index % 2 === 1) return phraseOf(part, isBeingTyped);
    return (part.match(SEGMENT) ?? []).flatMap((word) => phraseOf(word, true));
  });
  const different = new Map(phrases.map((phrase) => [JSON.stringify(phrase), phrase]));
  return [...different.values()].slice(0, MAX_PHRASES);
}

function phraseOf(text: string, isBeginning: boolean): Phrase[] {
  const words = wordsIn(text);
  const last = words.at(-1);
  return last ? [{ words: words.map(({ word }) => word), isBeginning: isBeginning || last.isLastSign === true }] : [];
}

/** The FTS5 query; without words, one that matches nothing. */
export function ftsQuery(text: string): string {
  const phrases = phrasesIn(text).map(({ words, isBeginning }) => `"${words.join(' ')}"${isBeginning ? ' *' : ''}`);
  return phrases.length === 0 ? '""' : phrases.join(' ');
}

/** The index of the word with which the phrase begins; -1 if it is missing. */
export function placeIn(words: readonly string[], { words: wanted, isBeginning }: Phrase): number {
  const end = wanted.length - 1;
  return words.findIndex((_, at) =>
    wanted.every((word, index) => {
      const here = words[at + index];
      return isBeginning && index === end ? here?.startsWith(word) : here === word;
    }),
  );
}
