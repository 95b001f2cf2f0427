import { fail, ok, type Result } from '../contract/result.ts';
import { en, formatCount } from '../text/texts.ts';

export const MAX_PROMPTS = 1_000;
/** In characters, for all prompts of one text together. */
const MAX_PROMPTS_TEXT = 2_000_000;

/** Plain text, or a choice between sequences. */
type Part = string | Part[][];

interface Size {
  count: number;
  characters: number;
}

/**
 * Every prompt that a text with choices stands for: `{a|b|c}` is one of three, choices may be nested, and the first one changes slowest.
 * `\{`, `\}`, `\|` and `\\` are the characters themselves. Braces without a bar, and unpaired ones, are plain text. More than
 * {@link MAX_PROMPTS} are refused, with their number, before any is made.
 */
export function expandPrompt(text: string): Result<string[]> {
  const matrix = expandMatrix(text);
  return matrix.ok ? ok(matrix.data.prompts) : matrix;
}

export interface PromptMatrix {
  prompts: string[];
  /** The members of each choice, nested choices as one; the last changes fastest. */
  axes: string[][];
}

/** Like {@link expandPrompt}, with the axes whose product the prompts are. */
export function expandMatrix(text: string): Result<PromptMatrix> {
  const { parts, size } = parse(text);
  if (size.count > MAX_PROMPTS) {
    const number = Number.isSafeInteger(size.count)
      ? formatCount(size.count)
      : `more than ${formatCount(Number.MAX_SAFE_INTEGER)}`;
    return refusal(en`makes ${number} prompts; at most ${formatCount(MAX_PROMPTS)} are made of one text.`);
  }
  if (size.characters > MAX_PROMPTS_TEXT) {
    const most = formatCount(MAX_PROMPTS_TEXT);
    return refusal(
      en`makes prompts of ${formatCount(size.characters)} characters together; at most ${most} are made of one text.`,
    );
  }
  const axes = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.flatMap(sequences)]));
  return ok({ prompts: sequences(parts), axes });
}

/** A text that stands for exactly this prompt: braces and bars that would be read as a choice are escaped. */
export function escapePrompt(prompt: string): string {
  const expanded = expandPrompt(prompt);
  if (expanded.ok && expanded.data.length === 1 && expanded.data[0] === prompt) return prompt;
  return escapeChoice(prompt);
}

/** A member of a choice, escaped so that nothing in it is read as a choice. */
export const escapeChoice = (words: string): string =>
  ['\\', '{', '}', '|'].reduce((text, each) => text.replaceAll(each, `\\${each}`), words);

const refusal = (message: string): Result<never> =>
  fail('invalid_input', `text: ${message}`, { field: 'text', reasons: [{ field: 'text', message }] });

/** The limit on prompts bounds the depth: each nested choice doubles their number or adds one. */
const sequences = (parts: readonly Part[]): string[] =>
  parts.reduce<string[]>(
    (starts, part) => {
      const ends = typeof part === 'string' ? [part] : part.flatMap((sequence) => sequences(sequence));
      return starts.flatMap((start) => ends.map((end) => start + end));
    },
    [''],
  );

/** A choice being read: its sequences so far, and what preceded it. */
interface Open {
  alternatives: Part[][];
  sizes: Size[];
  outer: Part[];
  outerSize: Size;
}

function parse(text: string): { parts: Part[]; size: Size } {
  const choices = choicesIn(text);
  const open: Open[] = [];
  let parts: Part[] = [];
  let size = ONE;
  const add = (part: Part, its: Size): void => {
    const last = parts.at(-1);
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
    else parts.push(part);
    size = joined(size, its);
  };
  const endSequence = (top: Open): void => {
    top.alternatives.push(parts);
    top.sizes.push(size);
    parts = [];
    size = ONE;
  };
  for (const { value, at } of tokens(text)) {
    const top = open.at(-1);
    const role = choices.get(at);
    if (role === 'open') {
      open.push({ alternatives: [], sizes: [], outer: parts, outerSize: size });
      parts = [];
      size = ONE;
    } else if (role === 'bar' && top) endSequence(top);
    else if (role === 'close' && top) {
      endSequence(top);
      open.pop();
      parts = top.outer;
      size = top.outerSize;
      add(top.alternatives, sum(top.sizes));
    } else add(value, { count: 1, characters: value.length });
  }
  return { parts, size };
}

const ONE: Size = { count: 1, characters: 0 };

const joined = (one: Size, other: Size): Size => ({
  count: one.count * other.count,
  characters: one.characters * other.count + other.characters * one.count,
});

const sum = (sizes: readonly Size[]): Size =>
  sizes.reduce((total, { count, characters }) => ({
    count: total.count + count,
    characters: total.characters + characters,
  }));

interface Token {
  at: number;
  value: string;
  isPlain: boolean;
}

const SPECIAL = '{}|\\';

/** Runs of plain text, and the characters that may have a meaning. */
function* tokens(text: string): Generator<Token> {
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (!SPECIAL.includes(text[at] ?? '')) continue;
    if (at > from) yield { at: from, value: text.slice(from, at), isPlain: true };
    const next = text[at + 1];
    const isEscape = text[at] === '\\' && next !== undefined && SPECIAL.includes(next);
    if (isEscape) yield { at, value: next, isPlain: true };
    else yield { at, value: text[at] ?? '', isPlain: false };
    if (isEscape) at += 1;
    from = at + 1;
  }
  if (from < text.length) yield { at: from, value: text.slice(from), isPlain: true };
}

type Role = 'open' | 'bar' | 'close';

/** A test of whether the character at an index is within a choice. */
export function withinChoices(text: string): (index: number) => boolean {
  let depth = 0;
  const ends = [...choicesIn(text)]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([at, role]) => {
      const before = depth;
      depth += role === 'open' ? 1 : role === 'close' ? -1 : 0;
      return (before === 0) === (depth === 0) ? [] : [at];
    });
  return (index) => ends.filter((at) => at < index).length % 2 === 1;
}

/** The role of each character that delimits a choice, by index. */
function choicesIn(text: string): Map<number, Role> {
  const open: { at: number; bars: number[] }[] = [];
  const roles = new Map<number, Role>();
  for (const { value, at } of [...tokens(text)].filter(({ isPlain }) => !isPlain)) {
    if (value === '{') open.push({ at, bars: [] });
    else if (value === '|') open.at(-1)?.bars.push(at);
    else if (value === '}') {
      const choice = open.pop();
      if (!choice || choice.bars.length === 0) continue;
      roles.set(choice.at, 'open').set(at, 'close');
      for (const bar of choice.bars) roles.set(bar, 'bar');
    }
  }
  return roles;
}
