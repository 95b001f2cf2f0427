import { isObject, type Json } from '../json/json.ts';
import { mayHoldResult } from './mediaAddress.ts';

/**
 * The first web address in the answer of a finished task, wherever it stands: some services put the result into a field made for
 * something else, such as `fail_reason`.
 */
export function oddlyPlaced(
  node: Json,
  alsoNot: ReadonlySet<string>,
  accept: (text: string) => string | undefined,
  depth = 0,
): string | undefined {
  if (typeof node === 'string') return /^https?:\/\//i.test(node.trim()) ? accept(node) : undefined;
  if (depth > 16 || typeof node !== 'object' || node === null) return undefined;
  for (const [name, value] of Object.entries(node)) {
    if (isObject(node) && !mayHoldResult(name, alsoNot)) continue;
    const found = oddlyPlaced(value, alsoNot, accept, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
