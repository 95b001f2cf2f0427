import type { CallParsed } from '../../../shared/contract.ts';
import type { JobPage } from '../../../shared/lists.ts';
import { type ReadDb, sql } from '../store/index.ts';
import { conditionsOf } from './filter.ts';
import { listInQueueOrder } from './queueOrder.ts';
import { jobFrom } from './records.ts';
import { type JobRow, listed } from './row.ts';

type Filter = CallParsed<'jobs.list'>;

/** `jobs.list`: a page by cursor or from a place; `total` counts everything the filter matches. `isPlay` is the side in view. */
export function listJobs(db: ReadDb, filter: Filter, isPlay: boolean): JobPage {
  return filter.order === 'queue' ? listInQueueOrder(db, filter, filter.play ?? isPlay) : listNewest(db, filter);
}

function listNewest(db: ReadDb, filter: Filter): JobPage {
  const { where, params } = conditionsOf(filter);
  const before = filter.cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(filter.cursor) || 0;
  // What is passed over is passed in the index: requests are long.
  const page = sql(
    'jobs.list',
    `SELECT * FROM jobs WHERE seq IN (SELECT seq FROM jobs WHERE ${where} AND seq < $before ORDER BY seq DESC LIMIT $limit OFFSET $offset)
     ORDER BY seq DESC`,
  );
  const rows = db.all<JobRow>(page, { ...params, before, limit: filter.limit + 1, offset: filter.offset ?? 0 });
  const shown = rows.slice(0, filter.limit);
  const jobs = shown.map((row) => listed(jobFrom(db, row)));
  const count = sql('jobs.count', `SELECT count(*) AS n FROM jobs WHERE ${where}`);
  const total = db.one<{ n: number }>(count, params)?.n ?? 0;
  const last = shown.at(-1);
  return rows.length > filter.limit && last ? { jobs, total, nextCursor: String(last.seq) } : { jobs, total };
}
