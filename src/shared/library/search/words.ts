import { normalized } from '../../text/normalized.ts';

/**
 * Index and queries are cut into words by this one function, so that a text is found by its own words. A word is a run of letters and
 * digits, in lower case without accents; an emoji is a word too. Scripts without spaces are cut into overlapping pairs and the last single
 * character (ABC: AB, BC, C), so that one character is found as the beginning of a word, and several as a phrase.
 */
export interface Word {
  word: string;
  /** Its place in the text, as for `slice`. */
  start: number;
  end: number;
  /** The last character of a run without spaces: in a longer run a pair begins with it. */
  isLastSign?: true;
}

/** Longer words are cut: nobody types them, and a text may be one word of a million letters. */
const MAX_WORD = 64;
/** The indexed length of a text. */
const MAX_TEXT = 200_000;

export const SEGMENT = /[\p{L}\p{M}\p{N}]+|\p{RI}\p{RI}|\p{Extended_Pictographic}/gu;
const ONLY_ASCII = /^[A-Za-z0-9]+$/;
const MARK = /\p{M}/u;
/** Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic, variants. In other scripts a mark is part of the word. */
const POINTS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu;
/** The scripts of Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;
/** Letters that keyboards may lack, with their plain letters. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ς: 'σ',
};
const SIGNED = /[ßæœøđðłıþς]/g;

const folded = (text: string): string =>
  normalized(text)
    .toLowerCase()
    .replace(POINTS, '')
    .normalize('NFC')
    .replace(SIGNED, (letter) => PLAIN[letter] ?? letter);

export function wordsIn(text: string): Word[] {
  const words: Word[] = [];
  const read = text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text;
  for (const { 0: segment, index } of read.matchAll(SEGMENT)) {
    if (ONLY_ASCII.test(segment)) {
      words.push({ word: asciiWord(segment), start: index, end: index + segment.length });
    } else if (UNSPACED.test(segment)) {
      for (const run of runsOf(segment, index)) {
        if (run.isUnspaced) addPairs(words, run);
        else addWords(words, run);
      }
    } else addWords(words, { text: segment, start: index });
  }
  return words;
}

/** The words of some texts in the form of the index. */
export const indexedWords = (...texts: readonly string[]): string =>
  texts
    .flatMap((text) => (text.slice(0, MAX_TEXT).match(SEGMENT) ?? []).map(indexedSegment))
    // A lone mark, as in Arabic, is no word.
    .filter((words) => words !== '')
    .join(' ');

/** Cached: folding accents is slow and repeats, in large folders and while typing. */
const known = new Map<string, string>();
const MOST_KNOWN = 10_000;

function indexedSegment(segment: string): string {
  if (ONLY_ASCII.test(segment)) return asciiWord(segment);
  if (segment.length > MAX_WORD) return joined(segment);
  const before = known.get(segment);
  if (before !== undefined) return before;
  if (known.size >= MOST_KNOWN) known.clear();
  const words = joined(segment);
  known.set(segment, words);
  return words;
}

const joined = (segment: string): string =>
  wordsIn(segment)
    .map(({ word }) => word)
    .join(' ');

interface Run {
  text: string;
  start: number;
}

/** Parts of scripts with spaces, and parts of scripts without. */
function runsOf(segment: string, at: number): (Run & { isUnspaced: boolean })[] {
  const runs: (Run & { isUnspaced: boolean })[] = [];
  let start = at;
  for (const sign of segment) {
    const last = runs.at(-1);
    const isUnspaced = UNSPACED.test(sign);
    if (last && (last.isUnspaced === isUnspaced || MARK.test(sign))) last.text += sign;
    else runs.push({ text: sign, start, isUnspaced });
    start += sign.length;
  }
  return runs;
}

/** A compatibility form may stand for several words. */
function addWords(words: Word[], { text, start }: Run): void {
  for (const word of folded(text).match(SEGMENT) ?? [])
    words.push({ word: cut(word), start, end: start + text.length });
}

/** For decomposed characters, as in file names of a Mac, only the place of the whole run is known. */
function addPairs(words: Word[], { text, start }: Run): void {
  const signs = [...folded(text)];
  const lengths = signs.join('').length === text.length ? signs.map(({ length }) => length) : undefined;
  let from = start;
  for (const [index, sign] of signs.entries()) {
    const next = signs[index + 1];
    const place = lengths
      ? { start: from, end: from + sign.length + (next?.length ?? 0) }
      : { start, end: start + text.length };
    words.push({ word: sign + (next ?? ''), ...place, ...(next === undefined ? { isLastSign: true as const } : {}) });
    from += sign.length;
  }
}

const asciiWord = (segment: string): string => segment.slice(0, MAX_WORD).toLowerCase();
const cut = (word: string): string => (word.length <= MAX_WORD ? word : [...word].slice(0, MAX_WORD).join(''));
