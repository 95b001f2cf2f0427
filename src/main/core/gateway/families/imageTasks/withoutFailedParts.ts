import { rewritten } from '../../addresses/index.ts';
import { isObject, type Json } from '../../json/index.ts';
import { hasFailedFinish } from '../../tasks/index.ts';

/**
 * The answer without the filtered entries of lists, where others are: a service may send such a picture blurred or black beside the
 * others. The same value where there is nothing of this kind.
 */
export const withoutFailedParts = (answer: Json): Json => rewritten(answer, { list: withoutFiltered });

function withoutFiltered(list: Json[]): Json[] {
  const good = list.filter((entry) => !isFiltered(entry));
  return good.length < list.length && good.some(isObject) ? good : list;
}

/** `censored`: AI Horde (aihorde.net/api: GenerationStable). Any other state of an entry may be that of a copy, a link or a review. */
const isFiltered = (entry: Json): boolean => isObject(entry) && (hasFailedFinish(entry) || entry.censored === true);
