/**
 * Words, parts of long words, and punctuation: close to the token count of a byte-pair tokenizer for English, and the same on every run.
 */
const PIECE = /\s+|[\p{L}\p{M}]{1,6}|\p{N}{1,3}|[^\s\p{L}\p{N}]/gu;

/** Spec 2.5 and 8: 128K tokens of context, 4K tokens of output. */
export const CONTEXT_TOKENS = 131_072;
export const OUTPUT_TOKENS = 4_096;

/** White space belongs to the piece after it; at the end of the text it does not count. */
export function pieces(text: string): string[] {
  const found: string[] = [];
  let space = '';
  for (const [piece] of text.matchAll(PIECE)) {
    const isSpace = piece.trim() === '';
    if (!isSpace) found.push(space + piece);
    space = isSpace ? piece : '';
  }
  return found;
}

export function countTokens(text: string): number {
  return pieces(text).length;
}

/** The first `count` tokens of a text. */
export function firstTokens(text: string, count: number): string {
  return pieces(text).slice(0, count).join('');
}
