import { ok, type Result } from '../../../shared/contract/result.ts';
import type { Listing } from './useLists.ts';

/** An end of a range: its last known index and its id; the end of the list has none. */
export interface RangeEnd {
  at: number;
  id: string | undefined;
}

/** Reads the ids at indices of the list as it is now; fewer at its end. */
type Read = (offset: number, limit: number) => Promise<Result<string[]>>;

export const PER_READING = 500;
/** An end that has moved is searched for up to this far from its old index. */
const MOST_MOVED = 500;

/**
 * The ids between two ends, both included. Pages out of view may be old: if one of them was not read since the last change, the whole range
 * is read again with its surroundings, and the ends are where they are now, in either order. An end that has left the list counts at its
 * old index. If anything cannot be read there is no range, since part of it would be taken for all.
 */
export async function idsBetween(
  list: Pick<Listing, 'at' | 'isNew'>,
  read: Read,
  { first, last }: { first: RangeEnd; last: RangeEnd },
): Promise<Result<string[]>> {
  const places = Array.from({ length: last.at - first.at + 1 }, (_, n) => first.at + n);
  const known = places.flatMap((at) => (list.isNew(at) ? (list.at(at)?.id ?? []) : []));
  if (known.length === places.length) return ok(known);
  const from = Math.max(0, first.at - MOST_MOVED);
  const found: string[] = [];
  for (let offset = from; offset <= last.at + MOST_MOVED; offset += PER_READING) {
    const ids = await read(offset, PER_READING);
    if (!ids.ok) return ids;
    found.push(...ids.data);
    if (ids.data.length < PER_READING) break;
  }
  const placeOf = ({ at, id }: RangeEnd): number => {
    const place = id === undefined ? -1 : found.indexOf(id);
    return place < 0 ? at - from : place;
  };
  const [begin, end] = [placeOf(first), placeOf(last)];
  // An item that arrives between two readings shifts another into both.
  return ok([...new Set(found.slice(Math.min(begin, end), Math.max(begin, end) + 1))]);
}
