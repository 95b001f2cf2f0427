import { isObject, type Json, type JsonObject } from '../../json/index.ts';
import { hasFailedFinish } from '../status.ts';

const MAX_DEPTH = 16;

/**
 * The answer without the filtered entries of lists, where others are: a service may send such a picture blurred or black beside the others. The same value where there is nothing of this kind.
 */
export function withoutFailedParts(node: Json, depth = 0): Json {
  if (typeof node !== 'object' || node === null || depth > MAX_DEPTH) return node;
  if (Array.isArray(node)) {
    const good = node.filter((entry) => !(isObject(entry) && isNoResult(entry)));
    const list = good.some(isObject) ? good : node;
    const entries = list.map((entry) => withoutFailedParts(entry, depth + 1));
    return list.length < node.length || entries.some((entry, at) => entry !== list[at]) ? entries : node;
  }
  const fields = Object.entries(node).map(([name, value]) => [name, withoutFailedParts(value, depth + 1)] as const);
  return fields.some(([name, value]) => value !== node[name]) ? Object.fromEntries(fields) : node;
}

/** `censored`: AI Horde (aihorde.net/api: GenerationStable). Any other state of an entry may be that of a copy, a link or a review. */
const isNoResult = (entry: JsonObject): boolean => hasFailedFinish(entry) || entry.censored === true;
