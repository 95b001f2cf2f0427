import { isObject, type Json, type JsonObject, unwrapText } from '../json/index.ts';
import { mayHoldResult } from './mediaAddress.ts';

const MAX_OBJECTS = 200;
const NOTHING_ELSE: ReadonlySet<string> = new Set();

/** The objects of an answer with unknown wrappers, outermost first, without those that repeat the request. */
export function nestedObjects(body: Json): JsonObject[] {
  const found: JsonObject[] = [];
  let row: Json[] = [body];
  while (row.length > 0 && found.length < MAX_OBJECTS) {
    const objects = row.flatMap((node) => (Array.isArray(node) ? node : [node])).filter(isObject);
    const few = objects.slice(0, MAX_OBJECTS - found.length);
    found.push(...few);
    row = few.flatMap(insideOf);
  }
  return found;
}

function insideOf(node: JsonObject): Json[] {
  return Object.entries(node).flatMap(([name, value]) => {
    const inner = unwrapText(value);
    return typeof inner === 'object' && inner !== null && mayHoldResult(name, NOTHING_ELSE) ? [inner] : [];
  });
}

/**
 * The first web address in the answer of a finished task, in any field: some services put the result into a field made for something
 * else, such as `fail_reason`.
 */
export function findAnyUrl(
  node: Json,
  alsoNot: ReadonlySet<string>,
  accept: (text: string) => string | undefined,
  depth = 0,
): string | undefined {
  if (typeof node === 'string') return /^https?:\/\//i.test(node.trim()) ? accept(node) : undefined;
  if (depth > 16 || typeof node !== 'object' || node === null) return undefined;
  for (const [name, value] of Object.entries(node)) {
    if (isObject(node) && !mayHoldResult(name, alsoNot)) continue;
    const found = findAnyUrl(value, alsoNot, accept, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
