/** JSON from services. Integers beyond 2^53 are kept as their text, so that a task id loses no digit. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [name: string]: Json };

const MAX_DEPTH = 64;
/** More values than an answer about a task has; values nested further in than these are dropped. */
const MAX_VALUES = 20_000;
/**
 * A text with more values than this is not parsed. A list of everything that a service has, or a whole conversation in pieces, may have
 * this many.
 */
export const MAX_LIST_VALUES = 100_000;
/** A shorter text is parsed again each time. */
const SHORT = 1_024;

/** Parses JSON; `undefined` if the text is not JSON, nests too deep or holds too many values. */
export function parseJson(text: string, most = MAX_VALUES, mostParsed = MAX_LIST_VALUES): Json | undefined {
  // Throwing and catching an error is the most expensive part, and most texts that are not JSON show it in their first character.
  if (!BEGINS_JSON.has(text.charCodeAt(0))) return undefined;
  const ahead = lookAhead(text, Math.max(most, mostParsed));
  if (ahead === undefined) return undefined;
  const { rest, files } = withoutFiles(text, ahead.long);
  try {
    const value = JSON.parse(rest, LONG_NUMBER.test(rest) ? keepDigits : undefined) as Json;
    const whole = files.length > 0 ? withFiles(value, files) : value;
    return ahead.count > most ? truncateJson(whole, most) : whole;
  } catch {
    return undefined;
  }
}

/** 2^53 has so many digits. */
const LONG_NUMBER = /\d{16}/;

function keepDigits(_name: string, value: unknown, context?: { source?: string }): unknown {
  const unsafe = typeof value === 'number' && !Number.isSafeInteger(value);
  const source = context?.source;
  return unsafe && source !== undefined && /^-?\d+$/.test(source) ? source : value;
}

/** From this length on, a text is not given to `JSON.parse`, which reads each character and copies it. */
const LONG = 1024 * 1024;
/** The placeholder of a long text while the rest is parsed; its number follows. */
const MARK = '\u0000';
const MARK_IN_JSON = '\\u0000';

interface Ahead {
  /** The approximate number of values. */
  count: number;
  /** Where the long texts are, without their quotes. */
  long: readonly Span[];
}

interface Span {
  from: number;
  to: number;
}

/** Takes base64 files out of the JSON. Each file is a slice of the text, not a copy. */
function withoutFiles(text: string, long: Ahead['long']): { rest: string; files: string[] } {
  const files: string[] = [];
  const parts: string[] = [];
  let end = 0;
  for (const { from, to } of long) {
    const file = text.slice(from, to);
    // A text with escapes is parsed; one with line breaks is no JSON.
    if (['\\', '\n', '\r', '\t'].some((sign) => file.includes(sign))) continue;
    parts.push(text.slice(end, from), `${MARK_IN_JSON}${files.length}`);
    files.push(file);
    end = to;
  }
  parts.push(text.slice(end));
  const isMarked = parts.some((part, at) => at % 2 === 0 && part.includes(MARK_IN_JSON));
  return files.length === 0 || isMarked ? { rest: text, files: [] } : { rest: parts.join(''), files };
}

function withFiles(node: Json, files: readonly string[]): Json {
  if (typeof node === 'string') return (node.startsWith(MARK) ? files[Number(node.slice(1))] : undefined) ?? node;
  if (Array.isArray(node)) return node.map((inner) => withFiles(inner, files));
  if (typeof node !== 'object' || node === null) return node;
  for (const name in node) node[name] = withFiles(node[name] ?? null, files);
  return node;
}

/** White space and the first characters of values. */
const BEGINS_JSON: ReadonlySet<number> = new Set(Buffer.from(' \t\n\r{["-0123456789tfn'));
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const CLOSING: ReadonlySet<number> = new Set(Buffer.from(']}'));
/** By how many levels each character changes the depth: white space and the characters of values and separators by none. */
const LEVELS: ReadonlyMap<number, number> = new Map([
  ...[...Buffer.from(' \t\n\r:+-.0123456789eEtrufalsn",')].map((code) => [code, 0] as const),
  ...[...Buffer.from('[{')].map((code) => [code, 1] as const),
  ...[...CLOSING].map((code) => [code, -1] as const),
]);

/** Facts about a JSON text before it is parsed; `undefined` if it is not JSON, nests too deep or holds too many values. */
function lookAhead(text: string, limit: number): Ahead | undefined {
  const long: Span[] = [];
  let levels = 0;
  let count = 1;
  let last = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // The outermost value has closed, and something follows.
    if (levels === 0 && at > 0 && code > SPACE && CLOSING.has(last)) return undefined;
    if (code > SPACE) last = code;
    if (code === QUOTE) at = endOfText(text, at, long);
    const step = LEVELS.get(code);
    if (step === undefined) return undefined;
    levels += step;
    count += Number(code === COMMA || step > 0);
    if (at < 0 || levels < 0 || levels > MAX_DEPTH || count > limit) return undefined;
  }
  return { count, long };
}

function endOfText(text: string, from: number, long: Span[]): number {
  const to = closingQuote(text, from);
  if (to - from > LONG && !isName(text, to)) long.push({ from: from + 1, to });
  return to;
}

/** Whether the text that ends with this quote is the name of a field. */
const isName = (text: string, end: number): boolean => /^\s*:/.test(text.slice(end + 1, end + 1 + SHORT));

/** The index of the closing quote; -1 if there is none. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from + 1);
  while (at > 0) {
    let before = at - 1;
    while (text.charCodeAt(before) === 0x5c) before -= 1;
    if ((at - before) % 2 === 1) return at;
    at = text.indexOf('"', at + 1);
  }
  return -1;
}

/** JSON inside a text, as some services encode their answers twice; otherwise the value itself. */
export function unwrapText(value: Json | undefined): Json | undefined {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value.slice(0, SHORT))) return value;
  if (value.length <= SHORT) return parseJson(value, MAX_VALUES, 0) ?? value;
  const known = unwrapped.get(value);
  if (known !== undefined) return known;
  const inner = parseJson(value, MAX_VALUES, 0) ?? value;
  if (unwrapped.size === 0) setImmediate(() => unwrapped.clear());
  if (unwrapped.size < MAX_UNWRAPPED) unwrapped.set(value, inner);
  return inner;
}

/** One answer is searched many times in one turn, so unwrapped texts are cached until the turn ends. */
const unwrapped = new Map<string, Json>();
const MAX_UNWRAPPED = 1_000;

/**
 * The value with at most this many values in it. Of a list, the first entries are kept whole; of anything else, the outer values are
 * kept, because an answer describes itself at the outside.
 */
export function truncateJson(value: Json, most: number): Json {
  if (!Array.isArray(value)) return truncateLevels(value, most);
  let left = most;
  const entries: Json[] = [];
  for (const entry of value) {
    const count = valuesIn(entry, left);
    entries.push(count < left ? entry : truncateLevels(entry, left));
    left -= count;
    if (left <= 0) break;
  }
  return entries;
}

function truncateLevels(value: Json, most: number): Json {
  const root: Json[] = [];
  const queue: { from: Json[] | { [name: string]: Json }; to: Json }[] = [];
  let left = most;
  const copyOf = (inner: Json): Json => {
    left -= 1;
    if (typeof inner !== 'object' || inner === null) return inner;
    const to: Json = Array.isArray(inner) ? [] : {};
    queue.push({ from: inner, to });
    return to;
  };
  root.push(copyOf(value));
  for (let at = 0; at < queue.length && left > 0; at += 1) {
    const { from, to } = queue[at] ?? {};
    if (Array.isArray(from)) for (const inner of from.slice(0, left)) (to as Json[]).push(copyOf(inner));
    else fill(from ?? {}, to as { [name: string]: Json });
  }
  return root[0] ?? null;

  function fill(from: { [name: string]: Json }, to: { [name: string]: Json }): void {
    for (const name in from) {
      if (left <= 0) return;
      // Defined, not assigned: a field may be called `__proto__`.
      Object.defineProperty(to, name, {
        value: copyOf(from[name] ?? null),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
}

/** The number of values in this one, itself included; counted up to `most`. */
export function valuesIn(value: Json, most: number): number {
  const rest: Json[] = [value];
  let count = 0;
  for (let node = rest.pop(); node !== undefined && count < most; node = rest.pop()) {
    count += 1;
    if (typeof node !== 'object' || node === null) continue;
    for (const name in node) {
      rest.push((node as { [name: string]: Json })[name] ?? null);
      if (count + rest.length >= most) break;
    }
  }
  return Math.min(most, count + rest.length);
}

const MAX_LENGTH = 512 * 1024;
const MAX_TRIES = 20;

/**
 * The complete part of JSON that broke off: everything before the member in which it broke. A closed text or object is complete; a number
 * or a word at the very end may lack its rest. `undefined` if nothing is complete.
 */
export function parsePartialJson(text: string): Json | undefined {
  const start = text.slice(0, MAX_LENGTH).trim();
  if (!/^[{[]/.test(start)) return undefined;
  const { commas, open, inText } = scan(start);
  if (!inText && /["}\]]$/.test(start)) {
    const closed = parseJson(start + open);
    if (closed !== undefined) return closed;
  }
  for (const comma of commas.slice(-MAX_TRIES).reverse()) {
    const part = parseJson(start.slice(0, comma.at) + comma.open);
    if (part !== undefined) return part;
  }
  return undefined;
}

interface Scan {
  /** Where a member ends, and the brackets that are open there. */
  commas: { at: number; open: string }[];
  open: string;
  inText: boolean;
}

function scan(text: string): Scan {
  const commas: Scan['commas'] = [];
  let open = '';
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (sign === '"') {
      at = closingQuote(text, at);
      if (at < 0) return { commas, open, inText: true };
    } else if (sign === ',') {
      commas.push({ at, open });
      if (commas.length > MAX_TRIES * 2) commas.splice(0, MAX_TRIES);
    } else open = openAfter(open, sign);
    if (open.length > 64) return { commas: [], open, inText: false };
  }
  return { commas, open, inText: false };
}

/** The brackets that are still to be closed after this character. */
function openAfter(open: string, sign: string): string {
  if (sign === '{') return `}${open}`;
  if (sign === '[') return `]${open}`;
  return sign === '}' || sign === ']' ? open.slice(1) : open;
}
