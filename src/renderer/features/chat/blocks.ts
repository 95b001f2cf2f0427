import { Lexer, type Token, type Tokens } from 'marked';
import { isDeep, isHeavy, looksAt, MOST_LOOKS, weightOf } from './limits.ts';

/** A Markdown text split into top-level blocks, so that only the end of a growing answer is parsed again. */
export interface Blocks {
  /**
   * The parsed text, with line ends as `
   * `.
   */
  text: string;
  settled: readonly Block[];
  /** Characters of `text` that the settled blocks cover. */
  upTo: number;
  /** Drawing cost of the settled blocks, see {@link weightOf}. */
  weight: number;
  tail: readonly Block[];
}

export interface Block {
  raw: string;
  /** The parsed block; without a token the block is shown as plain text. */
  token?: Token;
}

export const NO_BLOCKS: Blocks = { text: '', settled: [], upTo: 0, weight: 0, tail: [] };

/** The most that one message may cost to draw as Markdown; the rest is shown as plain text. */
const MOST_WEIGHT = 20_000;

/**
 * Continues parsing. If the text only grew, the settled blocks stay and only the text after them is lexed; otherwise parsing starts over.
 * The raw texts of all blocks joined equal the text. Text with too much nesting or markup is a plain block.
 */
export function readOn(old: Blocks, given: string): Blocks {
  const text = given.replace(/\r\n?/g, '\n');
  const from = text.startsWith(old.text.slice(0, old.upTo)) ? old : NO_BLOCKS;
  const rest = text.slice(from.upTo);
  if (from.weight >= MOST_WEIGHT) return { ...from, text, tail: rest === '' ? [] : [{ raw: rest }] };
  const { blocks, weight, full } = upToWeight(blocksOf(rest), MOST_WEIGHT - from.weight, rest);
  // Text over the limit is one growing block; all blocks before it are settled.
  const growing = full ? blocks.length - 1 : lastReal(blocks);
  const done = blocks.slice(0, growing);
  const doneWeight = full ? weight : done.reduce((sum, block) => sum + weightOf(block.token, block.raw), 0);
  return {
    text,
    settled: done.length === 0 ? from.settled : [...from.settled, ...done],
    upTo: from.upTo + done.reduce((sum, block) => sum + block.raw.length, 0),
    weight: from.weight + doneWeight,
    tail: blocks.slice(growing),
  };
}

/** Blank lines after a block are not settled: a list may continue after one. */
function lastReal(blocks: readonly Block[]): number {
  const at = blocks.findLastIndex(({ token }) => token?.type !== 'space');
  return Math.max(0, at);
}

/** The blocks that fit under the limit; everything after them is one plain block. */
function upToWeight(blocks: readonly Block[], limit: number, text: string) {
  let weight = 0;
  let length = 0;
  for (const [index, block] of blocks.entries()) {
    weight += weightOf(block.token, block.raw);
    if (weight > limit)
      return { blocks: [...blocks.slice(0, index), { raw: text.slice(length) }], weight: limit, full: true };
    length += block.raw.length;
  }
  return { blocks, weight, full: false };
}

function blocksOf(text: string): Block[] {
  return stretchesOf(text).flatMap(({ raw, deep }) => (deep ? [{ raw }] : lexed(raw)));
}

/** The text in stretches that end at blank lines. A stretch that nests too deeply for the lexer, or would slow it down, is separate. */
export function stretchesOf(text: string): { raw: string; deep: boolean }[] {
  const stretches: { raw: string; deep: boolean }[] = [];
  let fence = false;
  let allLooks = 0;
  for (const raw of chunksOf(text)) {
    const lines = raw.split('\n');
    const looks = looksAt(lines);
    let deep = looks > MOST_LOOKS || allLooks + looks > 10 * MOST_LOOKS;
    if (!deep) allLooks += looks;
    for (const line of lines) {
      deep ||= isDeep(line, fence);
      if (/^[\s>]*(?:```|~~~)/.test(line.slice(0, 1_000))) fence = !fence;
    }
    const last = stretches.at(-1);
    if (last && last.deep === deep) last.raw += raw;
    else stretches.push({ raw, deep });
  }
  return stretches;
}

/** Runs of lines, each with the blank lines after it. */
function* chunksOf(text: string): Generator<string> {
  let start = 0;
  let blank = false;
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const next = end === -1 ? text.length : end + 1;
    const isBlank = text.slice(at, next).trim() === '';
    if (blank && !isBlank) {
      yield text.slice(start, at);
      start = at;
    }
    blank = isBlank;
    at = next;
  }
  if (start < text.length) yield text.slice(start);
}

/** Blocks only: inline markup is parsed when they are drawn. The lexer's own `raw` may differ in blanks, so the original text is used. */
function lexed(text: string): Block[] {
  let tokens: Tokens.Generic[];
  try {
    tokens = new Lexer().blockTokens(text, []);
  } catch {
    // The lexer is recursive and fails on deep nesting; such a text is shown as it is.
    return [{ raw: text }];
  }
  let at = 0;
  return tokens.map((token, index): Block => {
    const start = at;
    at = index === tokens.length - 1 ? text.length : Math.min(text.length, at + token.raw.length);
    const raw = text.slice(start, at);
    return isHeavy(token) ? { raw } : { raw, token };
  });
}
