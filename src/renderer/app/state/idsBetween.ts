import { ok, type Result } from '../../../shared/contract/result.ts';
import type { Listing } from './useLists.ts';

/** An end of a range: where it stood when it was read last, and what it is; the end of the list itself is nothing. */
export interface RangeEnd {
  at: number;
  id: string | undefined;
}

/** The ids at places of a list as it is now; fewer where it ends. */
type Read = (offset: number, limit: number) => Promise<Result<string[]>>;

export const PER_READING = 500;
/** An end that has moved is looked for so far from where it stood. */
const MOST_MOVED = 500;

/**
 * The ids from one end to the other, both included. Pages out of view stay as they were: where one of these places was not read since the
 * last change, all of them are asked for, with those around them, and the ends are where they stand now, in whichever order. One that has
 * left the list is where it stood. Where anything cannot be read, there is no range: a part of it would be taken for all.
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
  // A thing that comes between two readings moves one to both.
  return ok([...new Set(found.slice(Math.min(begin, end), Math.max(begin, end) + 1))]);
}
