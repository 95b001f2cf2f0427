/**
 * JSON as services write it. Whole numbers beyond 2^53 are kept as their text, so that a task id loses no digit, and a field is
 * found under whatever spelling it comes: camelCase, snake_case or kebab-case.
 */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [name: string]: Json };

const MOST_LEVELS = 64;

/** `undefined` for what is not JSON, or nests too deep to be an answer. */
export function parseJson(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    const flaw = flawOf(value, MOST_LEVELS);
    if (flaw === TOO_DEEP) return undefined;
    return flaw === LOST_DIGITS ? (JSON.parse(text, keepDigits) as Json) : value;
  } catch {
    return undefined;
  }
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

function spelledOtherwise(node: JsonObject, name: string): Json | undefined {
  const wanted = fold(name);
  for (const key in node) {
    if (key.length >= wanted.length && fold(key) === wanted) return node[key];
  }
  return undefined;
}

/** The names that services use are few and come with every chunk of a stream, so their folded forms are kept. */
const folded = new Map<string, string>();
const MOST_KEPT = 4_096;
const LONGEST_KEPT = 64;

/** `lastFrame`, `last_frame` and `Last-Frame` are one name. */
export function fold(name: string): string {
  const known = folded.get(name);
  if (known !== undefined) return known;
  const found = name.replace(/[_\-\s]/g, '').toLowerCase();
  if (folded.size < MOST_KEPT && name.length <= LONGEST_KEPT) folded.set(name, found);
  return found;
}

/** The words a field name is made of: `cover_imageUrl` is cover, image, url. */
export function wordsOf(name: string): string[] {
  return name
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
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value;
  return parseJson(value) ?? value;
}

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
