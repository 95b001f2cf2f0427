import type { Json, JsonObject } from '../json/index.ts';

const MAX_DEPTH = 16;

/** What becomes of the lists and objects of an answer; what is left as it is is returned itself. */
export interface Rewriting {
  list(entries: Json[]): Json[];
  object?(node: JsonObject): JsonObject;
}

/** An answer with its lists and objects rewritten, outermost first; the same value where nothing changes. */
export function rewritten(node: Json, by: Rewriting, depth = 0): Json {
  if (typeof node !== 'object' || node === null || depth > MAX_DEPTH) return node;
  if (Array.isArray(node)) {
    const list = by.list(node);
    const entries = list.map((entry) => rewritten(entry, by, depth + 1));
    return entries.some((entry, at) => entry !== list[at]) ? entries : list;
  }
  const object = by.object?.(node) ?? node;
  const fields = Object.entries(object).map(([name, value]) => [name, rewritten(value, by, depth + 1)] as const);
  return fields.some(([name, value]) => value !== object[name]) ? Object.fromEntries(fields) : object;
}
