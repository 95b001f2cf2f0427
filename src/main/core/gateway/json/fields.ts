import { type Json, type JsonObject, unwrapText } from './parse.ts';

/** Fields of JSON, found in any spelling: camelCase, snake_case or kebab-case. */

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first of these fields that is set and not null. Names are given in camelCase. */
export function field(node: Json | undefined, ...names: string[]): Json | undefined {
  if (!isObject(node)) return undefined;
  for (const name of names) {
    const value = Object.hasOwn(node, name) ? node[name] : spelledOtherwise(node, name);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** An object with more fields gets an index. */
const FEW_FIELDS = 64;

function spelledOtherwise(node: JsonObject, name: string): Json | undefined {
  const wanted = fold(name);
  // Starting to iterate over a large object costs as much as iterating over all of it.
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

/** The fields of an object by their folded names; the first of several spellings. */
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

/** Folded names are cached: services use few names, and send them with every chunk of a stream. */
const folded = new Map<string, string>();

const MAX_CACHED_NAMES = 4_096;

const MAX_CACHED_LENGTH = 64;

/** Nobody looks for a longer name, and folding it would cost as much as its length. */
const MAX_NAME_LENGTH = 200;

/** `lastFrame`, `last_frame` and `Last-Frame` are one name. */
export function fold(name: string): string {
  if (name.length > MAX_NAME_LENGTH) return name;
  const known = folded.get(name);
  if (known !== undefined) return known;
  const found = name.replace(/[_\-\s]/g, '').toLowerCase();
  if (folded.size < MAX_CACHED_NAMES && name.length <= MAX_CACHED_LENGTH) folded.set(name, found);
  return found;
}

/** The words of a field name, or of its beginning if it is long: `cover_imageUrl` is cover, image, url. */
export function wordsOf(name: string): string[] {
  return name
    .slice(0, MAX_NAME_LENGTH)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

/** A non-empty text, or a number as text; undefined for anything else. */
export function textOf(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return text === '' ? undefined : text;
}

export function firstOf<In, Out>(list: Iterable<In>, look: (entry: In) => Out | undefined): Out | undefined {
  for (const entry of list) {
    const found = look(entry);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The list, unless there is nothing in it. */
export const someOf = <T>(list: T[]): T[] | undefined => (list.length > 0 ? list : undefined);

export function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

const ENVELOPES = ['data', 'task', 'job', 'operation'] as const;

const RESULTS = ['output', 'result', 'response', 'taskResult', 'results', 'metadata'] as const;

/**
 * The objects that may describe the whole answer: innermost envelope first, then the answer, then its result objects. `{ code, data: {
 * status } }` is about the task in `data`.
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

/** The entry of a list with one entry. */
function single(value: Json | undefined): Json | undefined {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}
