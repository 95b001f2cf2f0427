import type { CallParsed } from '../../../shared/contract/contract.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import type { EndedCounts, JobPage } from '../../../shared/jobs/lists.ts';
import { kindsWhere, makesFiles } from '../../../shared/kinds/index.ts';
import { type ReadDb, sql } from '../store/index.ts';
import { listInQueueOrder } from './listInQueueOrder.ts';
import { boundedTotal, countNewest, newestRows } from './newestJobs.ts';
import { readJobs } from './records.ts';
import { allTruncatedForList, type JobRow } from './row.ts';
import { IN_DOUBT } from './statements.ts';
import { ofWholeProjects } from './unfinishedBatch.ts';

type Filter = CallParsed<'jobs.list'>;

/** `jobs.list`: a page by cursor or offset; `total` counts everything that the filter matches. `isPlay`: sums of play money or of real money. */
export function listJobs(db: ReadDb, filter: Filter, isPlay: boolean): JobPage {
  return filter.order === 'queue' ? listInQueueOrder(db, filter, filter.play ?? isPlay) : listNewest(db, filter);
}

function listNewest(db: ReadDb, filter: Filter): JobPage {
  const cursor = filter.cursor === undefined ? {} : { before: Number(filter.cursor) || 0 };
  const rows = newestRows(db, filter, { limit: filter.limit + 1, offset: filter.offset ?? 0, ...cursor });
  const shown = rows.slice(0, filter.limit);
  const page: JobPage = {
    jobs: allTruncatedForList(readJobs(db, shown), shown),
    ...boundedTotal(countNewest(db, filter, filter.upTo), filter.upTo),
  };
  const last = shown.at(-1);
  return rows.length > filter.limit && last ? { ...page, nextCursor: String(last.seq) } : page;
}

const counts = (where: string) =>
  sql(
    'jobs.ended',
    `SELECT count(*) FILTER (WHERE state = 'succeeded') AS made,
     count(*) FILTER (WHERE state = 'succeeded' AND verdict = 'keep') AS kept,
     count(*) FILTER (WHERE state = 'failed' AND error ->> 'kind' IS NOT 'moderation') AS failed,
     count(*) FILTER (WHERE state = 'failed' AND error ->> 'kind' IS 'moderation') AS refused,
     min(finished_at) AS firstAt, max(finished_at) AS lastAt
   FROM jobs INDEXED BY jobs_ended
   WHERE finished_at >= $since AND finished_at IS NOT NULL AND state IN ('succeeded', 'failed') AND play = $play
     AND kind IN (SELECT value FROM json_each($kinds)) AND ${where}`,
  );

type EndedRow = Omit<EndedCounts, 'inDoubt' | 'firstAt' | 'lastAt'> & { firstAt: number | null; lastAt: number | null };

const doubtedSince = sql(
  'jobs.doubtedSince',
  `SELECT count(*) AS inDoubt FROM jobs INDEXED BY jobs_in_doubt WHERE (${IN_DOUBT}) AND play = $play AND sent_at >= $since`,
);

/** `jobs.ended`: counted in the database, since there may be many. */
export function countEnded(db: ReadDb, since: number, isPlay: boolean): EndedCounts {
  const asked = { since, play: isPlay ? 1 : 0, kinds: JSON.stringify(kindsWhere(makesFiles)) };
  const { where, params } = ofWholeProjects(db, { where: '1', params: asked });
  const { firstAt, lastAt, ...all } = db.one<EndedRow>(counts(where), params) ?? NONE;
  const { inDoubt = 0 } = db.one<Pick<EndedCounts, 'inDoubt'>>(doubtedSince, { since, play: asked.play }) ?? {};
  const ended = { ...all, inDoubt };
  return firstAt === null || lastAt === null ? ended : { ...ended, firstAt, lastAt };
}

/** Jobs with results: those of a night, or those that ended at a moment or later. `after`: behind the job with this number. */
export interface MadeJobs {
  runId?: string;
  since?: number;
  after?: number;
}

const MADE_AT_ONCE = 100;
const MADE = `state = 'succeeded' AND kind IN (SELECT value FROM json_each($kinds))`;
const madeOfRun = {
  page: sql(
    'jobs.madeOfRun',
    `SELECT * FROM jobs WHERE run_id = $runId AND ${MADE} AND seq > $after ORDER BY seq LIMIT $limit`,
  ),
  last: sql('jobs.lastOfRun', `SELECT max(finished_at) AS at FROM jobs WHERE run_id = $runId AND ${MADE}`),
};
const madeSince = (where: string) => ({
  page: sql(
    'jobs.madeSince',
    `SELECT * FROM jobs INDEXED BY jobs_ended WHERE finished_at >= $since AND finished_at IS NOT NULL AND ${MADE} AND ${where} AND seq > $after
     ORDER BY seq LIMIT $limit`,
  ),
  last: sql(
    'jobs.lastSince',
    `SELECT max(finished_at) AS at FROM jobs INDEXED BY jobs_ended WHERE finished_at >= $since AND finished_at IS NOT NULL AND ${MADE} AND ${where}`,
  ),
});

/** At most 100 of them, in the order in which they were ordered. */
export function madeJobs(
  db: ReadDb,
  { runId, since = 0, after = 0 }: MadeJobs,
): { jobs: Job[]; nextCursor?: string; lastEndedAt?: number } {
  const kinds = JSON.stringify(kindsWhere(makesFiles));
  const whole = ofWholeProjects(db, { where: '1', params: { since, kinds } });
  const { page, last } = runId === undefined ? madeSince(whole.where) : madeOfRun;
  const which = runId === undefined ? whole.params : { runId, kinds };
  const rows = db.all<JobRow>(page, { ...which, after, limit: MADE_AT_ONCE + 1 });
  const shown = rows.slice(0, MADE_AT_ONCE);
  const lastEndedAt = db.one<{ at: number | null }>(last, which)?.at ?? undefined;
  const end = shown.at(-1);
  return {
    jobs: readJobs(db, shown),
    ...(rows.length > MADE_AT_ONCE && end ? { nextCursor: String(end.seq) } : {}),
    ...(lastEndedAt === undefined ? {} : { lastEndedAt }),
  };
}

const NONE = { made: 0, kept: 0, failed: 0, refused: 0, firstAt: null, lastAt: null };
