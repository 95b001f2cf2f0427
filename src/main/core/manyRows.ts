import type { CallParsed } from '../../shared/contract.ts';

/** What is read in a thread of its own (`Store.readAway`): it may walk most of what there is. */

/** So many places are skipped in an index within a millisecond or two; of a million half are not. */
const MOST_SKIPPED = 10_000;

interface ReadAt {
  text?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
  offset?: number | undefined;
}

/** What is found by words or by time, and a page that is far from the beginning. */
export const walksMany = ({ text = '', from, to, offset = 0 }: ReadAt): boolean =>
  text.trim() !== '' || from !== undefined || to !== undefined || offset > MOST_SKIPPED;

/** All but a page of the whole library, which is read as fast as it is scrolled: what is filtered, or counted by days. */
export function walksManyAssets({
  cursor: _,
  limit: __,
  sort: ___,
  upTo: ____,
  offset = 0,
  ...counted
}: CallParsed<'library.list'>): boolean {
  const isWhole = Object.values(counted).every(
    (value) => value === undefined || value === '' || (Array.isArray(value) && value.length === 0),
  );
  return !isWhole || offset > MOST_SKIPPED;
}
