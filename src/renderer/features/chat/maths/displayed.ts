import { MOST_DISPLAYED } from '../limits.ts';

/** A stretch of Markdown, or a displayed formula that stands on lines of its own. */
export interface Stretch {
  raw: string;
  tex?: string;
  isOpen?: boolean;
}

const FENCE = /^[\s>]*(?:```|~~~)/;
const CLOSERS = new Map([
  ['$$', '$$'],
  ['\\[', '\\]'],
]);

/**
 * Splits at formulas that stand on lines of their own: `$$` or `\[` begins a line, its end ends one, and no line between is blank
 * (Pandoc's `tex_math_dollars`). Markdown would read their lines as lists and headings. The stretches joined are the text.
 */
export function splitAtFormulas(text: string): Stretch[] {
  if (!text.includes('$$') && !text.includes('\\[')) return [{ raw: text }];
  const stretches: Stretch[] = [];
  /** Up to here no formula ends that began before; without it each line that begins one would be a search. */
  const endless = new Map<string, number>();
  let from = 0;
  let isFence = false;
  for (let at = 0; at < text.length; ) {
    const next = lineAfter(text, at);
    const line = text.slice(at, Math.min(next, at + 1_000));
    if (FENCE.test(line)) isFence = !isFence;
    const found = isFence ? undefined : formulaAt(text, at, line, endless);
    if (found === undefined) {
      at = next;
      continue;
    }
    if (at > from) stretches.push({ raw: text.slice(from, at) });
    stretches.push(found);
    at += found.raw.length;
    from = at;
  }
  if (from < text.length) stretches.push({ raw: text.slice(from) });
  return stretches;
}

const lineAfter = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
};

function formulaAt(text: string, at: number, line: string, endless: Map<string, number>): Stretch | undefined {
  const indent = line.length - line.trimStart().length;
  const closer = CLOSERS.get(line.slice(indent, indent + 2));
  if (closer === undefined || indent > 3 || line.includes('\t') || at < (endless.get(closer) ?? 0)) return undefined;
  const begin = at + indent + 2;
  const limit = Math.min(text.length, at + MOST_DISPLAYED);
  let from = begin;
  for (let next = lineAfter(text, at); from < limit; next = lineAfter(text, next)) {
    const own = text.slice(from, next);
    if (from > begin && own.trim() === '') break;
    const closes = own.indexOf(closer);
    if (closes !== -1) return closed(text.slice(at, next), text.slice(begin, from + closes), own.slice(closes + 2));
    from = next;
  }
  if (from === text.length && limit === from) return { raw: text.slice(at), isOpen: true };
  endless.set(closer, from);
  return undefined;
}

/** What stands behind a formula on its line makes it one within a text; one that is too long is plain Markdown. */
const closed = (raw: string, tex: string, behind: string): Stretch | undefined =>
  behind.trim() === '' && tex.trim() !== '' && tex.length <= MOST_DISPLAYED ? { raw, tex } : undefined;
