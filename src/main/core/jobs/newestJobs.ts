import type { JobFilter, JobPage } from '../../../shared/jobs/lists.ts';
import { type PlaceInBlocks, placeInBlocks, type ReadDb, sql } from '../store/index.ts';
import { isFiltered, sourceOf } from './filter.ts';
import { blocksOf } from './jobBlocks.ts';
import { isSummed, sumJobs } from './jobCounts.ts';
import type { JobRow } from './row.ts';
import { withoutHidden } from './unfinishedBatch.ts';

/** The jobs that a filter matches, newest first: rows of a page, and how many there are. */

interface Slice {
  limit: number;
  offset: number;
  /** Only those with a lesser number. */
  before?: number;
}

export function newestRows(db: ReadDb, filter: JobFilter, slice: Slice): JobRow[] {
  const { from, by, counted: _, ...conditions } = sourceOf(filter);
  const { where, params } = withoutHidden(db, conditions);
  const place = where === conditions.where ? placeOf(db, filter, slice) : undefined;
  const { before = Number.MAX_SAFE_INTEGER, limit, offset } = slice;
  // Rows before the offset are skipped in the index, since requests are long.
  const page = sql(
    'jobs.list',
    `SELECT * FROM jobs WHERE seq IN (SELECT seq FROM ${place?.from ?? ''}${from}
       WHERE ${where} AND ${place?.condition ?? 'true'} AND ${by} < $before ORDER BY ${by} DESC LIMIT $limit OFFSET $offset)
     ORDER BY seq DESC`,
  );
  return db.all<JobRow>(page, { ...params, ...place?.params, before, limit, offset: place?.offset ?? offset });
}

/** Undefined where no sums of blocks count what matches; all of the newest jobs are read without them. */
function placeOf(db: ReadDb, filter: JobFilter, { before, limit, offset }: Slice): PlaceInBlocks | undefined {
  const sums = isFiltered(filter) || offset > 0 ? blocksOf(filter) : undefined;
  return sums && placeInBlocks(db, sums, { order: 'desc', offset, limit, after: before }, 'seq');
}

/** All that match; of those that are not summed, no more than one over `most`. */
export function countNewest(db: ReadDb, filter: JobFilter, most?: number): number {
  const { from, by, counted, ...conditions } = sourceOf(filter);
  const { where, params } = withoutHidden(db, conditions);
  const isAllShown = where === conditions.where;
  if (isSummed(filter, isAllShown)) return sumJobs(db, conditions);
  const source = isAllShown && counted ? counted : { from, where };
  const all = `${source.from} WHERE ${source.where}`;
  const rows = most === undefined ? all : `(SELECT 1 FROM ${all} ORDER BY ${by} DESC LIMIT $most)`;
  const values = most === undefined ? params : { ...params, most: most + 1 };
  return db.one<{ n: number }>(sql('jobs.count', `SELECT count(*) AS n FROM ${rows}`), values)?.n ?? 0;
}

/** As an answer says it. */
export const boundedTotal = (count: number, most: number | undefined): Pick<JobPage, 'total' | 'isMore'> =>
  most !== undefined && count > most ? { total: most, isMore: true } : { total: count };
