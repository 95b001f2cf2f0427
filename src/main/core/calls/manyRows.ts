import type { CallParsed } from '../../../shared/contract/contract.ts';
import { isInBlocks, isOfFew } from '../jobs/index.ts';

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

/** Any page is near where blocks are counted; by two conditions at once, each with many jobs, few may be found among all. */
export const walksManyJobs = (filter: CallParsed<'jobs.list'>): boolean =>
  walksMany({ ...filter, offset: 0 }) || (!isInBlocks(filter) && (walksMany(filter) || !isOfFew(filter)));

/** All but a page of the whole library, which is read as fast as it is scrolled: what is filtered, or far in an order without blocks. */
export function walksManyAssets(
  { cursor: _, limit: __, sort, upTo: ___, days, offset = 0, ...filter }: CallParsed<'library.list'>,
  areDaysCounted: boolean,
): boolean {
  const isWhole = Object.values(filter).every(
    (value) => value === undefined || value === '' || (Array.isArray(value) && value.length === 0),
  );
  const isMade = (sort?.by ?? 'made') === 'made';
  return !isWhole || (days === true && !areDaysCounted) || (!isMade && offset > MOST_SKIPPED);
}
