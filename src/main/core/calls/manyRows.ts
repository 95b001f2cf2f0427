import type { CallParsed } from '../../../shared/contract/contract.ts';
import { isWalked } from '../jobs/index.ts';

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

export const walksManyJobs = (filter: CallParsed<'jobs.list'>): boolean => walksMany(filter) || isWalked(filter);

/** All but a page of the whole library near its beginning, which is read as fast as it is scrolled. */
export function walksManyAssets(filter: CallParsed<'library.list'>): boolean {
  const { cursor: _, limit: __, sort: ___, upTo: ____, offset, ...asked } = filter;
  const isAsked = (value: unknown): boolean =>
    value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
  return walksMany({ offset }) || Object.values(asked).some(isAsked);
}
