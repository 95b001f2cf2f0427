import type { Token, Tokens } from 'marked';

/**
 * Limits for texts of a model. The time to render Markdown grows with the square of its emphasis marks, and nesting adds a call per level,
 * so a text above these limits is shown plain.
 */

/** Quotes and lists inside each other, and columns of indentation (two a level). */
const MOST_LEVELS = 50;
const MOST_INDENT = 2 * MOST_LEVELS;
/** Consecutive blanks: the lexer scans them once for every rule that may begin with blanks. */
const MOST_BLANKS = 500;
/** Marks that may open or close something, in one paragraph. */
const MOST_MARKS = 300;
/** The same for a whole list, quote or table. */
const MOST_MARKS_OF_BLOCK = 4_000;
const MOST_LINES = 1_000;
const MOST_CELLS = 2_000;
const MOST_COLUMNS = 100;
/** Characters of a word, of a line, and of a whole block: longer ones take far more layout time than the same characters in short ones. */
const MOST_WORD = 4_000;
const MOST_LINE = 10_000;
const MOST_LENGTH = 150_000;
const LONG_WORD = 100;

/** Characters of a plain text that are shown at once; the rest is shown on demand. */
export const MOST_SHOWN = 20_000;

/** One level of quote or list item at the start of a line. */
const LEVEL = /[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))/y;

/** Whether a line nests deeper than the lexer accepts. Code in a fence may be indented freely. */
export function isDeep(line: string, inFence: boolean): boolean {
  if (hasLongBlank(line)) return true;
  if (!inFence && indentOf(line) > MOST_INDENT) return true;
  LEVEL.lastIndex = 0;
  for (let levels = 0; LEVEL.test(line); levels++) if (levels >= MOST_LEVELS) return true;
  return false;
}

const indentOf = (line: string): number => columnsOf(/^[ \t]*/.exec(line)?.[0] ?? '');

function columnsOf(text: string): number {
  let columns = 0;
  for (const char of text) columns += char === '\t' ? 4 : 1;
  return columns;
}

function hasLongBlank(line: string): boolean {
  let run = 0;
  for (const char of line) {
    run = char === ' ' || char === '\t' ? run + 1 : 0;
    if (run > MOST_BLANKS) return true;
  }
  return false;
}

const ENTRY = /^[ \t>]*(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)/;
/** A marker indented further than this is text of the enclosing list item. */
const ENTRY_WITHIN = 5;
const FENCE = /^(?:```|~~~)/;

/** Most characters that the lexer may scan for one list item; ten times as many for a text. */
export const MOST_LOOKS = 10_000_000;

/**
 * The characters that the lexer scans for the list items in these lines: it takes the text of an item line by line, and at each line scans
 * all following lines up to a blank one. Text outside lists is taken at once.
 */
export function looksAt(lines: readonly string[]): number {
  let looks = 0;
  let count = 0;
  let length = 0;
  let within: number | undefined = /^[ \t]/.test(lines[0] ?? '') ? 0 : undefined;
  for (const line of lines) {
    const marker = ENTRY.exec(line)?.[0];
    const column = marker === undefined ? undefined : columnsOf(marker) - 1;
    const begins = column !== undefined && column <= (within ?? column) + ENTRY_WITHIN;
    if (begins || FENCE.test(line)) {
      looks += count * length;
      [count, length] = [0, 0];
      within = begins ? column : undefined;
    }
    if (within === undefined) continue;
    count += 1;
    length += line.length;
  }
  return looks + count * length;
}

const MARKS = '*_[]`~<&';

function marksIn(text: string): number {
  let marks = 0;
  for (const char of text) if (MARKS.includes(char)) marks += 1;
  return marks;
}

function linesIn(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** Whether a text, one of its lines or one of its words is too long for Markdown. */
function isLong(text: string): boolean {
  if (text.length > MOST_LENGTH) return true;
  const lines = text.split('\n');
  return lines.some((line) => line.length > MOST_LINE || longestWordIn(line) > MOST_WORD);
}

function longestWordIn(text: string): number {
  let longest = 0;
  let from = 0;
  for (const { index } of text.matchAll(/\s/g)) {
    longest = Math.max(longest, index - from);
    from = index + 1;
  }
  return Math.max(longest, text.length - from);
}

export const hasLongWord = (text: string): boolean => longestWordIn(text) > LONG_WORD;

/** Whether a block has too much markup for Markdown. */
export function isHeavy(token: Tokens.Generic): boolean {
  if (token.type === 'code' || token.type === 'space') return false;
  if (isLong(token.raw)) return true;
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    if (header.length > MOST_COLUMNS || header.length * (rows.length + 1) > MOST_CELLS) return true;
    return marksIn(token.raw) > MOST_MARKS_OF_BLOCK || [header, ...rows].flat().some(({ text }) => isMarked(text));
  }
  return linesIn(token.raw) > MOST_LINES || marksIn(token.raw) > MOST_MARKS_OF_BLOCK || hasMarkedPart(token);
}

const isMarked = (text: string): boolean => marksIn(text) > MOST_MARKS;

/** Whether one paragraph inside the block has too many marks. */
function hasMarkedPart(token: Tokens.Generic): boolean {
  const parts = token.type === 'list' ? (token as Tokens.List).items : token.type === 'text' ? undefined : token.tokens;
  if (token.type === 'code') return false;
  if (!parts || parts.length === 0) return isMarked(token.raw);
  return parts.some((part) => hasMarkedPart(part));
}

/** This many characters take as long to lay out as one line. */
const LINE_CHARACTERS = 20;

/** Drawing cost of a block, in lines and marks. Of plain text (a block without a token) and code only a part is drawn at first. */
export function weightOf(token: Token | undefined, raw = token?.raw ?? ''): number {
  if (token?.type === 'space') return 1;
  const length = Math.ceil(
    Math.min(raw.length, !token || token.type === 'code' ? MOST_SHOWN : raw.length) / LINE_CHARACTERS,
  );
  if (!token) return 1 + length;
  if (token.type === 'code') return 5 + length;
  return 5 + length + linesIn(raw) + marksIn(raw);
}
