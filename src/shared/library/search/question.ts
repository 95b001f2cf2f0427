import { SEGMENT, wordsIn } from './words.ts';

/** What is looked for: words beside each other in this order. */
export interface Phrase {
  words: string[];
  /** The last word may go on. */
  isBeginning: boolean;
}

/** Of a longer question the rest is not looked for: each phrase takes its time. */
const MAX_PHRASES = 32;
const QUOTES = /["“”„«»「」『』]/;

/**
 * What was typed. All of it counts; each word may be the beginning of one, and what is in quotation marks stands there as it is. Nothing
 * that is typed acts as an operator.
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

/** As FTS5 takes it. Where no word was typed, nothing matches. */
export function matchOf(text: string): string {
  const phrases = phrasesIn(text).map(({ words, isBeginning }) => `"${words.join(' ')}"${isBeginning ? ' *' : ''}`);
  return phrases.length === 0 ? '""' : phrases.join(' ');
}

/** The number of the word with which the phrase begins there; -1 if it does not stand there. */
export function placeIn(words: readonly string[], { words: wanted, isBeginning }: Phrase): number {
  const end = wanted.length - 1;
  return words.findIndex((_, at) =>
    wanted.every((word, index) => {
      const here = words[at + index];
      return isBeginning && index === end ? here?.startsWith(word) : here === word;
    }),
  );
}
