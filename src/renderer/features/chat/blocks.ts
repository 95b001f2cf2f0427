import { lexer, type Token } from 'marked';

/** A Markdown text split into its top-level blocks, so that a growing answer is read at its tail only. */
export interface Blocks {
  /** The text that has been read. */
  text: string;
  /** Blocks that can no longer change. */
  settled: readonly Block[];
  /** Characters of `text` that the settled blocks cover. */
  upTo: number;
  /** The last block, which may still grow. */
  tail: readonly Block[];
}

export interface Block {
  raw: string;
  token: Token;
}

export const NO_BLOCKS: Blocks = { text: '', settled: [], upTo: 0, tail: [] };

/**
 * Reads on. Where the text only grew, the settled blocks stay and only what follows them is lexed; otherwise it starts anew.
 * All blocks' raw text joined is the text.
 */
export function readOn(old: Blocks, text: string): Blocks {
  const from = text.startsWith(old.text.slice(0, old.upTo)) ? old : NO_BLOCKS;
  const fresh = lexer(text.slice(from.upTo)).map((token): Block => ({ raw: token.raw, token }));
  const growing = lastReal(fresh);
  const done = fresh.slice(0, growing);
  return {
    text,
    settled: done.length === 0 ? from.settled : [...from.settled, ...done],
    upTo: from.upTo + done.reduce((sum, block) => sum + block.raw.length, 0),
    tail: fresh.slice(growing),
  };
}

/** Blank lines after a block belong to what may still grow: a list goes on after one. */
function lastReal(blocks: readonly Block[]): number {
  const at = blocks.findLastIndex(({ token }) => token.type !== 'space');
  return Math.max(0, at);
}
