import type { Json, JsonObject } from './jsonValue.ts';
import { outermost } from './outermost.ts';

/**
 * JSON as services write it. Whole numbers beyond 2^53 are kept as their text, so that a task id loses no digit, and a field is
 * found under whatever spelling it comes: camelCase, snake_case or kebab-case.
 */
export type { Json, JsonObject };

const MOST_LEVELS = 64;
/** More values than an answer about a task has; what is further in than these is not looked at. */
const MOST_VALUES = 20_000;
/**
 * Text with more values than this is no answer at all: it is not even parsed. A list of everything that a service has, or a whole
 * conversation in pieces, may have so many.
 */
export const MOST_LISTED = 100_000;
/** A shorter text cannot hold much. */
const SHORT = 1_024;

/** `undefined` for what is not JSON, or nests too deep or holds too much to be an answer. */
export function parseJson(text: string, most = MOST_VALUES, mostParsed = MOST_LISTED): Json | undefined {
  // An error that is thrown and caught costs more than all the rest, and most of what is no JSON shows it at once.
  if (!BEGINS_JSON.has(text.charCodeAt(0))) return undefined;
  const count = text.length > SHORT ? valuesToCome(text, Math.max(most, mostParsed)) : 0;
  if (count === undefined) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    const flaw = flawOf(value, MOST_LEVELS);
    if (flaw === TOO_DEEP) return undefined;
    const whole = flaw === LOST_DIGITS ? (JSON.parse(text, keepDigits) as Json) : value;
    return count > most ? outermost(whole, most) : whole;
  } catch {
    return undefined;
  }
}

/** White space, and what a value begins with. */
const BEGINS_JSON: ReadonlySet<number> = new Set(Buffer.from(' \t\n\r{["-0123456789tfn'));
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);
/** White space, and what numbers, `true`, `false`, `null` and fields are written with. */
const OTHERS: ReadonlySet<number> = new Set(Buffer.from(' \t\n\r:+-.0123456789eEtrufalsn'));

/** About how many values a JSON text holds, seen before it is parsed; `undefined` where it is none, nests too deep or holds too many. */
function valuesToCome(text: string, limit: number): number | undefined {
  let levels = 0;
  let count = 1;
  let last = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // The outermost value has closed, and something follows.
    if (levels === 0 && at > 0 && code > SPACE && CLOSING.has(last)) return undefined;
    if (code > SPACE) last = code;
    if (code === QUOTE) at = closingQuote(text, at);
    else if (code === COMMA) count += 1;
    else if (OPENING.has(code)) {
      levels += 1;
      count += 1;
    } else if (CLOSING.has(code)) levels -= 1;
    else if (!OTHERS.has(code)) return undefined;
    if (at < 0 || levels < 0 || levels > MOST_LEVELS || count > limit) return undefined;
  }
  return count;
}

/** Where the text that begins here ends; -1 where it does not. */
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

const NONE = 0;
const LOST_DIGITS = 1;
const TOO_DEEP = 2;

/** The worst that is wrong with a value as it was parsed. */
function flawOf(value: Json | undefined, levels: number): number {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? LOST_DIGITS : NONE;
  if (typeof value !== 'object' || value === null) return NONE;
  if (levels === 0) return TOO_DEEP;
  let worst = NONE;
  if (Array.isArray(value)) {
    for (const inner of value) worst = Math.max(worst, flawOf(inner, levels - 1));
    return worst;
  }
  for (const name in value) {
    if (typeof value[name] !== 'string') worst = Math.max(worst, flawOf(value[name], levels - 1));
  }
  return worst;
}

function keepDigits(_name: string, value: unknown, context?: { source?: string }): unknown {
  const unsafe = typeof value === 'number' && !Number.isSafeInteger(value);
  const source = context?.source;
  return unsafe && source !== undefined && /^-?\d+$/.test(source) ? source : value;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first of these fields that is there and not null. Names are given in camelCase. */
export function field(node: Json | undefined, ...names: string[]): Json | undefined {
  if (!isObject(node)) return undefined;
  for (const name of names) {
    const value = Object.hasOwn(node, name) ? node[name] : spelledOtherwise(node, name);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** An object of more fields is asked by an index. */
const FEW_FIELDS = 64;

function spelledOtherwise(node: JsonObject, name: string): Json | undefined {
  const wanted = fold(name);
  // Even to begin a walk over the fields of a large object takes as long as all of them.
  const index = indexes.get(node);
  if (index) return node[index.get(wanted) ?? ''];
  let looked = 0;
  for (const key in node) {
    if (key.length >= wanted.length && fold(key) === wanted) return node[key];
    looked += 1;
    if (looked > FEW_FIELDS) return node[indexOf(node).get(wanted) ?? ''];
  }
  return undefined;
}

const indexes = new WeakMap<JsonObject, Map<string, string>>();

/** The fields of an object by their folded names; of several spellings the first. */
function indexOf(node: JsonObject): Map<string, string> {
  const known = indexes.get(node);
  if (known) return known;
  const index = new Map<string, string>();
  for (const key in node) {
    const name = fold(key);
    if (!index.has(name)) index.set(name, key);
  }
  indexes.set(node, index);
  return index;
}

/** The names that services use are few and come with every chunk of a stream, so their folded forms are kept. */
const folded = new Map<string, string>();
const MOST_KEPT = 4_096;
const LONGEST_KEPT = 64;
/** A longer name is none that anybody looks for; every look at it would cost as much as all of it. */
const LONGEST_NAME = 200;

/** `lastFrame`, `last_frame` and `Last-Frame` are one name. */
export function fold(name: string): string {
  if (name.length > LONGEST_NAME) return name;
  const known = folded.get(name);
  if (known !== undefined) return known;
  const found = name.replace(/[_\-\s]/g, '').toLowerCase();
  if (folded.size < MOST_KEPT && name.length <= LONGEST_KEPT) folded.set(name, found);
  return found;
}

/** The words a field name is made of, or begins with where it is long: `cover_imageUrl` is cover, image, url. */
export function wordsOf(name: string): string[] {
  return name
    .slice(0, LONGEST_NAME)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

/** A non-empty text, or a number as text; nothing for anything else. */
export function textOf(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return text === '' ? undefined : text;
}

export function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** JSON that stands inside a text, as some services wrap their answers twice; otherwise the value itself. */
export function unwrapText(value: Json | undefined): Json | undefined {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value.slice(0, SHORT))) return value;
  if (value.length <= SHORT) return parseJson(value, MOST_VALUES, 0) ?? value;
  const known = unwrapped.get(value);
  if (known !== undefined) return known;
  const inner = parseJson(value, MOST_VALUES, 0) ?? value;
  if (unwrapped.size === 0) setImmediate(() => unwrapped.clear());
  if (unwrapped.size < MOST_UNWRAPPED) unwrapped.set(value, inner);
  return inner;
}

/** One answer is looked through many times, all in one turn: until that is over, what was unwrapped is kept. */
const unwrapped = new Map<string, Json>();
const MOST_UNWRAPPED = 1_000;

const ENVELOPES = ['data', 'task', 'job', 'operation'] as const;
const RESULTS = ['output', 'result', 'response', 'taskResult', 'results', 'metadata'] as const;

/**
 * The objects that may speak for the whole answer, innermost envelope first, then the answer, then its result objects:
 * `{ code, data: { status } }` is about the task in `data`.
 */
export function layersOf(body: Json | undefined): JsonObject[] {
  const envelopes: JsonObject[] = [];
  let node = single(body);
  while (isObject(node) && envelopes.length < 5) {
    envelopes.unshift(node);
    node = insideOf(node, ENVELOPES);
  }
  const results = envelopes.flatMap((layer) => RESULTS.map((name) => insideOf(layer, [name])).filter(isObject));
  return [...envelopes, ...results];
}

function insideOf(node: JsonObject, names: readonly string[]): Json | undefined {
  for (const name of names) {
    const inner = single(unwrapText(field(node, name)));
    if (isObject(inner)) return inner;
  }
  return undefined;
}

/** The one object of a list of one. */
function single(value: Json | undefined): Json | undefined {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}
