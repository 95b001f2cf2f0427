import { isObject, type Json, type JsonObject } from '../../json/index.ts';
import { isFailure } from '../status.ts';

const MAX_DEPTH = 16;

/**
 * The answer without the entries of lists that are no result, where others are: a service may send a filtered picture blurred or black
 * beside the others. The same value where there is nothing of this kind.
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

/** `censored`: AI Horde (aihorde.net/api: GenerationStable). */
const isNoResult = (entry: JsonObject): boolean => isFailure(entry) || entry.censored === true;
