import { isObject, type Json, type JsonObject } from '../json/index.ts';

const MAX_DEPTH = 16;

/**
 * The answer with each result once, in place of `{ raw, min }`, the whole file and its small preview (github.com/higgsfield-ai/higgsfield-js:
 * `results`). Where the whole one cannot be downloaded, both stay. The same value where there is nothing of this kind.
 */
export function withoutPreviews(node: Json, depth = 0): Json {
  if (typeof node !== 'object' || node === null || depth > MAX_DEPTH) return node;
  if (Array.isArray(node)) {
    const entries = node.map((entry) => withoutPreviews(entry, depth + 1));
    return entries.some((entry, at) => entry !== node[at]) ? entries : node;
  }
  const whole = wholeOf(node);
  if (whole) return whole;
  const fields = Object.entries(node).map(([name, value]) => [name, withoutPreviews(value, depth + 1)] as const);
  return fields.some(([name, value]) => value !== node[name]) ? Object.fromEntries(fields) : node;
}

function wholeOf(node: JsonObject): JsonObject | undefined {
  const { raw, min, ...others } = node;
  if (!isObject(raw) || !isObject(min) || Object.keys(others).length > 0) return undefined;
  return typeof raw.url === 'string' && /^https?:\/\//i.test(raw.url) ? raw : undefined;
}
