import type { Listing } from './useLists.ts';

/** An end of a range: where it stood when it was read last, and what it is; the end of the list itself is nothing. */
export interface RangeEnd {
  at: number;
  id: string | undefined;
}

/** The ids at places of a list as it is now; fewer where it ends, or cannot be read. */
type Read = (offset: number, limit: number) => Promise<string[]>;

const PER_READING = 500;
/** An end that has moved is looked for so far from where it stood. */
const MOST_MOVED = 2_000;

/**
 * The ids from one end to the other, both included. Pages out of view stay as they were: where one of these places was not read since the
 * last change, all of them are asked for, and the ends are where they stand now. One that has left the list is where it stood.
 */
export async function idsBetween(
  list: Pick<Listing, 'at' | 'isNew'>,
  read: Read,
  { first, last }: { first: RangeEnd; last: RangeEnd },
): Promise<string[]> {
  const places = Array.from({ length: last.at - first.at + 1 }, (_, n) => first.at + n);
  const known = places.flatMap((at) => (list.isNew(at) ? (list.at(at)?.id ?? []) : []));
  if (known.length === places.length) return known;
  const ids = await readPlaces(read, first.at, last.at + 1);
  const begun = await begunAt(read, ids, first);
  // A thing that comes between two readings moves one to both.
  return [...new Set(await endedAt(read, begun, last))];
}

/** `upTo`: nothing is read behind it. */
async function readPlaces(read: Read, from: number, end: number, upTo?: string): Promise<string[]> {
  const found: string[] = [];
  for (let offset = from; offset < end; offset += PER_READING) {
    const limit = Math.min(PER_READING, end - offset);
    const ids = await read(offset, limit);
    found.push(...ids);
    if (ids.length < limit || (upTo !== undefined && ids.includes(upTo))) break;
  }
  return found;
}

async function begunAt(read: Read, ids: string[], { at, id }: RangeEnd): Promise<string[]> {
  const place = id === undefined ? 0 : ids.indexOf(id);
  if (id === undefined || place >= 0) return ids.slice(place);
  const before = await readPlaces(read, Math.max(0, at - MOST_MOVED), at);
  const there = before.indexOf(id);
  return there < 0 ? ids : [...before.slice(there), ...ids];
}

async function endedAt(read: Read, ids: string[], { at, id }: RangeEnd): Promise<string[]> {
  const place = id === undefined ? ids.length : ids.indexOf(id);
  if (id === undefined || place >= 0) return ids.slice(0, place + 1);
  const behind = await readPlaces(read, at + 1, at + 1 + MOST_MOVED, id);
  const there = behind.indexOf(id);
  return there < 0 ? ids : [...ids, ...behind.slice(0, there + 1)];
}
