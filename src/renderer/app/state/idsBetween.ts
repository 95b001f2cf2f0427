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
const MOST_MOVED = 2_000;

/**
 * The ids from one end to the other, both included. Pages out of view stay as they were: where one of these places was not read since the
 * last change, all of them are asked for, and the ends are where they stand now, in whichever order. One that has left the list is where
 * it stood. Where anything cannot be read, there is no range: a part of it would be taken for all.
 */
export async function idsBetween(
  list: Pick<Listing, 'at' | 'isNew'>,
  read: Read,
  { first, last }: { first: RangeEnd; last: RangeEnd },
): Promise<Result<string[]>> {
  const places = Array.from({ length: last.at - first.at + 1 }, (_, n) => first.at + n);
  const known = places.flatMap((at) => (list.isNew(at) ? (list.at(at)?.id ?? []) : []));
  if (known.length === places.length) return ok(known);
  const shown = await readPlaces(read, first.at, last.at + 1);
  if (!shown.ok) return shown;
  const around = await readAround(read, shown.data, { first, last });
  if (!around.ok) return around;
  const { before, behind } = around.data;
  const ids = [...before, ...shown.data, ...behind];
  const begin = placeOf(ids, first) ?? before.length;
  const end = placeOf(ids, last) ?? before.length + shown.data.length - 1;
  // A thing that comes between two readings moves one to both.
  return ok([...new Set(ids.slice(Math.min(begin, end), Math.max(begin, end) + 1))]);
}

/** What stands before and behind the places of a range, as far as an end has moved there: each is looked for first where it was nearer. */
async function readAround(
  read: Read,
  shown: readonly string[],
  { first, last }: { first: RangeEnd; last: RangeEnd },
): Promise<Result<{ before: string[]; behind: string[] }>> {
  const readBefore = () => readPlaces(read, Math.max(0, first.at - MOST_MOVED), first.at);
  let before = isAmong(shown, first) ? ok<string[]>([]) : await readBefore();
  if (!before.ok) return before;
  const nearer = [...before.data, ...shown];
  const sought = [first, last].filter((end) => !isAmong(nearer, end));
  const behind = sought.length > 0 ? await readPlaces(read, last.at + 1, last.at + 1 + MOST_MOVED, sought) : ok([]);
  if (!behind.ok) return behind;
  if (isAmong(shown, first) && !isAmong([...shown, ...behind.data], last)) before = await readBefore();
  return before.ok ? ok({ before: before.data, behind: behind.data }) : before;
}

/** `upTo`: nothing is read behind these. */
async function readPlaces(
  read: Read,
  from: number,
  end: number,
  upTo?: readonly RangeEnd[],
): Promise<Result<string[]>> {
  const found: string[] = [];
  for (let offset = from; offset < end; offset += PER_READING) {
    const limit = Math.min(PER_READING, end - offset);
    const ids = await read(offset, limit);
    if (!ids.ok) return ids;
    found.push(...ids.data);
    if (ids.data.length < limit || upTo?.every((one) => isAmong(found, one))) break;
  }
  return ok(found);
}

const isAmong = (ids: readonly string[], { id }: RangeEnd): boolean => id === undefined || ids.includes(id);

function placeOf(ids: readonly string[], { id }: RangeEnd): number | undefined {
  const place = id === undefined ? -1 : ids.indexOf(id);
  return place < 0 ? undefined : place;
}
