import { isObject, type Json, type JsonObject, unwrapText } from '../json/json.ts';
import { mayHoldResult } from './mediaAddress.ts';

const MOST_OBJECTS = 200;
const NOTHING_ELSE: ReadonlySet<string> = new Set();

/** The objects of an answer in an unknown wrapping, the outermost first; what was asked is not among them. */
export function deeperObjects(body: Json): JsonObject[] {
  const found: JsonObject[] = [];
  let row: Json[] = [body];
  while (row.length > 0 && found.length < MOST_OBJECTS) {
    const objects = row.flatMap((node) => (Array.isArray(node) ? node : [node])).filter(isObject);
    const few = objects.slice(0, MOST_OBJECTS - found.length);
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
