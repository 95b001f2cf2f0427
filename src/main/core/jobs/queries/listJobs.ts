import type { CallParsed } from '../../../../shared/contract/contract.ts';
import { readCursor, writeCursor } from '../../../../shared/contract/paging.ts';
import { JOB_STATES, type Job, type JobState } from '../../../../shared/jobs/job.ts';
import type { EndedCounts, JobFilter, JobPage, WaitingMoney } from '../../../../shared/jobs/lists.ts';
import { kindsWhere, makesFiles } from '../../../../shared/kinds/index.ts';
import {
  allOf,
  type Conditions,
  countRows,
  isIn,
  type List,
  type Page,
  type PageRange,
  type ReadDb,
  readPage,
  rowsOfPage,
  sql,
  whereIf,
} from '../../store/index.ts';
import { readJobs } from '../jobRepository.ts';
import { allTruncatedForList, type JobRow } from '../row.ts';
import { conditionsOf, isSummed, ofWholeProjects, sourceOf } from './filter.ts';
import { IN_DOUBT } from './jobSql.ts';

type Filter = CallParsed<'jobs.list'>;

/** `jobs.list`: a page by cursor or offset; `total` counts everything that the filter matches. `isPlay`: sums of play money or of real money. */
export function listJobs(db: ReadDb, filter: Filter, isPlay: boolean): JobPage {
  return filter.order === 'queue' ? listInQueueOrder(db, filter, filter.play ?? isPlay) : listNewest(db, filter);
}

function listNewest(db: ReadDb, filter: Filter): JobPage {
  const { rows, ...next } = readPage(db, newest(db, filter), filter);
  const counted = boundedTotal(countNewest(db, filter, filter.upTo), filter.upTo);
  return { jobs: allTruncatedForList(readJobs(db, rows), rows), ...counted, ...next };
}

const BY_NUMBER = { column: 'seq', of: ({ seq }: JobRow) => seq };
const VIEW = 'SELECT * FROM jobs';

function newest(db: ReadDb, filter: JobFilter): List<JobRow> {
  const { from, by, counted: _, ...conditions } = sourceOf(filter);
  const order = [{ ...BY_NUMBER, found: by }];
  return { name: 'jobs.list', view: VIEW, from, order, direction: 'desc', ...ofWholeProjects(db, conditions) };
}

/** The number of matches. If no stored sum has it, counting stops one above `most`. */
function countNewest(db: ReadDb, filter: JobFilter, most?: number): number {
  const { by: _, counted, ...source } = sourceOf(filter);
  const list = newest(db, filter);
  const isAllShown = list.where === source.where;
  if (isAllShown && isSummed(filter)) return sumJobs(db, source);
  return countRows(db, 'jobs.count', isAllShown ? { ...list, ...counted } : list, most);
}

/** The total as an answer states it, with a mark if counting stopped. */
const boundedTotal = (count: number, most: number | undefined): Pick<JobPage, 'total' | 'isMore'> =>
  most !== undefined && count > most ? { total: most, isMore: true } : { total: count };

/** The number of matches from the stored sums; the conditions may use only their columns ({@link isSummed}). */
export const sumJobs = (db: ReadDb, { where, params }: Conditions): number =>
  db.one<{ n: number }>(sql('jobs.sum', `SELECT coalesce(sum(n), 0) AS n FROM job_counts WHERE ${where}`), params)?.n ??
  0;

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

/** Jobs with results: those of an overnight run, or those that ended at a time or later. */
export interface MadeJobs {
  runId?: string;
  since?: number;
  cursor?: string | undefined;
}

const MADE_AT_ONCE = 100;

/** At most 100 jobs, in the sequence in which they were enqueued. */
export function madeJobs(
  db: ReadDb,
  { runId, since = 0, cursor }: MadeJobs,
): { jobs: Job[]; nextCursor?: string; lastEndedAt?: number } {
  const made = allOf(`state = 'succeeded'`, isIn('kind', 'kinds', kindsWhere(makesFiles)));
  const ended = allOf(whereIf('finished_at >= $since', 'since', since), 'finished_at IS NOT NULL', made);
  const [from, conditions] =
    runId === undefined
      ? ['jobs INDEXED BY jobs_ended', ofWholeProjects(db, ended)]
      : ['jobs', allOf(whereIf('run_id = $runId', 'runId', runId), made)];
  const list: List<JobRow> = {
    ...{ name: 'jobs.made', view: VIEW, from, order: [BY_NUMBER], direction: 'asc' },
    ...conditions,
  };
  const { rows, ...next } = readPage(db, list, { cursor, limit: MADE_AT_ONCE });
  const last = sql('jobs.lastMade', `SELECT max(finished_at) AS at FROM ${from} WHERE ${conditions.where}`);
  const lastEndedAt = db.one<{ at: number | null }>(last, conditions.params)?.at ?? undefined;
  return { jobs: readJobs(db, rows), ...next, ...(lastEndedAt === undefined ? {} : { lastEndedAt }) };
}

const NONE = { made: 0, kept: 0, failed: 0, refused: 0, firstAt: null, lastAt: null };

/** The order of the Queue page: jobs in progress, waiting jobs in the order in which they are sent, then all others, newest first. */

const WAITING = `state IN ('queued', 'blocked')`;
const IN_PROGRESS = `state IN ('sending', 'running', 'fetching')`;
const IS_OPEN = `state IN ('queued', 'blocked', 'sending', 'running', 'fetching')`;

interface Group {
  states: readonly JobState[];
  /** The index of the group, and its own condition. */
  from: string;
  where: string;
}

const OPEN_GROUPS: readonly Group[] = [
  { states: ['sending', 'running', 'fetching'], from: 'jobs INDEXED BY jobs_by_state', where: IN_PROGRESS },
  { states: ['queued', 'blocked'], from: 'jobs INDEXED BY jobs_waiting', where: WAITING },
];
const ENDED = JOB_STATES.filter((state) => !OPEN_GROUPS.some(({ states }) => states.includes(state)));

/** Open jobs are few and mostly new, so a text search for them need not look at older jobs. */
const oldestOpen = sql('jobs.oldestOpen', `SELECT min(seq) AS seq FROM jobs INDEXED BY jobs_open WHERE ${IS_OPEN}`);

const waitingSum = sql(
  'jobs.waitingSum',
  `SELECT play, count(*) AS count, sum(reserved_nano) AS reservedNano, sum((price = 'null')) AS unpriced
   FROM jobs INDEXED BY jobs_waiting WHERE ${WAITING} GROUP BY play`,
);
const NO_MONEY: WaitingMoney = { reservedNano: 0, unpriced: 0 };
const waitingUpTo = sql(
  'jobs.inLineUpTo',
  `SELECT count(*) AS n FROM jobs INDEXED BY jobs_waiting WHERE ${WAITING} AND (position, seq) > ($fromPosition, $fromSeq) AND (position, seq) <= ($position, $seq)`,
);

/** A part of the list. If counting stopped early, `count` is more than any page skips. */
interface Part {
  list: List<JobRow>;
  count: number;
}

/** `isPlay`: whether play money or real money is summed; the two are never in one sum. */
function listInQueueOrder(db: ReadDb, filter: Filter, isPlay: boolean): JobPage {
  const open = openParts(db, filter);
  const states = ENDED.filter((state) => !filter.states?.length || filter.states.includes(state));
  const ended = { ...filter, states };
  const endedCount = states.length === 0 ? 0 : countNewest(db, ended, filter.upTo);
  const total = boundedTotal(
    open.reduce((sum, { count }) => sum + count, endedCount),
    filter.upTo,
  );
  const rest = {
    list: newest(db, ended),
    count: endedCount > 0 && total.isMore ? Number.POSITIVE_INFINITY : endedCount,
  };
  const { rows, ...next } = readParts(db, [...open, rest], filter);
  const jobs = withPlaces(db, rows, allTruncatedForList(readJobs(db, rows), rows));
  return { jobs, ...total, waiting: waitingMoney(db, isPlay), ...next };
}

function waitingMoney(db: ReadDb, isPlay: boolean): JobPage['waiting'] {
  const sides = db.all<WaitingMoney & { play: 0 | 1; count: number }>(waitingSum);
  const of = (play: boolean): WaitingMoney => {
    const { reservedNano, unpriced } = sides.find((side) => (side.play === 1) === play) ?? NO_MONEY;
    return { reservedNano, unpriced };
  };
  return { count: sides.reduce((sum, { count }) => sum + count, 0), ...of(isPlay), elsewhere: of(!isPlay) };
}

function openParts(db: ReadDb, filter: Filter): Part[] {
  const { states = [] } = filter;
  const fromSeq = hasText(filter) ? (db.one<{ seq: number | null }>(oldestOpen)?.seq ?? undefined) : undefined;
  const all = conditionsOf(filter, { anyIndex: false, ...(fromSeq === undefined ? {} : { fromSeq }) });
  const shown = ofWholeProjects(db, all);
  const isCounted = shown.where === all.where && isSummed(filter);
  const isOpen = !hasText(filter) || fromSeq !== undefined;
  return OPEN_GROUPS.map((group) => {
    const order = [{ column: 'position', of: ({ position }: JobRow) => position }, BY_NUMBER];
    const list: List<JobRow> = {
      ...{ name: 'jobs.listInQueue', view: VIEW, from: group.from, order, direction: 'asc' },
      ...allOf(group.where, shown),
    };
    const isAsked = isOpen && (states.length === 0 || group.states.some((state) => states.includes(state)));
    const count = () => (isCounted ? sumJobs(db, list) : countRows(db, 'jobs.countInQueue', list));
    return { list, count: isAsked ? count() : 0 };
  });
}

const hasText = ({ text = '' }: Filter): boolean => text.trim() !== '';

/** Reads the parts one after the other. A cursor begins with the index of its part, followed by the position in that part. */
function readParts(db: ReadDb, parts: readonly Part[], { cursor, offset = 0, limit }: PageRange): Page<JobRow> {
  const [from = 0, ...behind] = cursor === undefined ? [] : readCursor(cursor);
  const found: { row: JobRow; cursor: string }[] = [];
  let skip = offset;
  for (const [index, { list, count }] of parts.entries()) {
    if (index < Number(from) || found.length > limit) continue;
    const start = index === from && behind.length > 0 ? { cursor: writeCursor(behind) } : { offset: skip };
    const rows = skip < count ? rowsOfPage(db, list, { ...start, limit: limit - found.length }) : [];
    found.push(...rows.map((row) => ({ row, cursor: writeCursor([index, ...list.order.map(({ of }) => of(row))]) })));
    skip = Math.max(0, skip - count);
  }
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown.map(({ row }) => row), ...(found.length > limit && last ? { nextCursor: last.cursor } : {}) };
}

/** Adds to each waiting job its rank among all waiting jobs, including those that the filter excludes. */
function withPlaces(db: ReadDb, rows: readonly JobRow[], jobs: readonly Job[]): Job[] {
  let place = 0;
  let from = { fromPosition: -Number.MAX_VALUE, fromSeq: 0 };
  return jobs.map((job, index) => {
    const row = rows[index];
    if (!row || (row.state !== 'queued' && row.state !== 'blocked')) return job;
    const { position, seq } = row;
    place += db.one<{ n: number }>(waitingUpTo, { ...from, position, seq })?.n ?? 0;
    from = { fromPosition: position, fromSeq: seq };
    return { ...job, place };
  });
}
