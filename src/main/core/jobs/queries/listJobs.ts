import type { CallParsed } from '../../../../shared/contract/contract.ts';
import type { Job, JobState } from '../../../../shared/jobs/job.ts';
import type { EndedCounts, JobFilter, JobPage, WaitingMoney } from '../../../../shared/jobs/lists.ts';
import { kindsWhere, makesFiles } from '../../../../shared/kinds/index.ts';
import { type ReadDb, sql } from '../../store/index.ts';
import { readJobs } from '../records.ts';
import { allTruncatedForList, type JobRow } from '../row.ts';
import { IN_DOUBT } from '../statements.ts';
import { type Conditions, conditionsOf, ofWholeProjects } from './filter.ts';
import { boundedTotal, countNewest, ENDED_STATES, isSummed, newestRows, sumJobs } from './newestJobs.ts';

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

/** The order of the Queue page: jobs in progress, waiting jobs in the order in which they are sent, then all others, newest first. */

const WAITING = `state IN ('queued', 'blocked')`;
const IN_PROGRESS = `state IN ('sending', 'running', 'fetching')`;
const IS_OPEN = `state IN ('queued', 'blocked', 'sending', 'running', 'fetching')`;

const stateIn = (states: readonly JobState[]): string => `state IN (${states.map((state) => `'${state}'`).join(', ')})`;

interface Group {
  states: readonly JobState[];
  /** The table, its index and the condition of the group; the filter's conditions are appended. */
  from: string;
}

/** Waiting jobs have a partial index in their order. */
const WAITING_INDEX = `jobs INDEXED BY jobs_waiting WHERE ${WAITING}`;
/** The third is that of all others. */
const GROUPS: readonly Group[] = [
  { states: ['sending', 'running', 'fetching'], from: `jobs INDEXED BY jobs_by_state WHERE ${IN_PROGRESS}` },
  { states: ['queued', 'blocked'], from: WAITING_INDEX },
];
const ENDED = GROUPS.length;

/** Few are open, and most of those are new: no others are looked for among all that hold a word. */
const oldestOpen = sql('jobs.oldestOpen', `SELECT min(seq) AS seq FROM jobs INDEXED BY jobs_open WHERE ${IS_OPEN}`);

const waitingSum = sql(
  'jobs.waitingSum',
  `SELECT play, count(*) AS count, sum(reserved_nano) AS reservedNano, sum((price = 'null')) AS unpriced
   FROM ${WAITING_INDEX} GROUP BY play`,
);
const NO_MONEY: WaitingMoney = { reservedNano: 0, unpriced: 0 };
const waitingUpTo = sql(
  'jobs.inLineUpTo',
  `SELECT count(*) AS n FROM ${WAITING_INDEX} AND (position, seq) > ($fromPosition, $fromSeq) AND (position, seq) <= ($position, $seq)`,
);

/** A row with the index of its group. */
interface GroupedRow {
  group: number;
  row: JobRow;
}

interface Cursor {
  group: number;
  seq: number;
  position: number;
}

function cursorOf(text: string): Cursor {
  const [group, seq, ...position] = text.split('.');
  return { group: Number(group), seq: Number(seq), position: Number(position.join('.')) };
}

/** `isPlay`: whether play money or real money is summed; the two are never in one sum. */
function listInQueueOrder(db: ReadDb, filter: Filter, isPlay: boolean): JobPage {
  const groups = groupsOf(db, filter);
  const endedCount = groups.ended ? countNewest(db, groups.ended, filter.upTo) : 0;
  const list = endedCount === 0 ? { open: groups.open, ended: undefined } : groups;
  const counts = [...list.open.map(({ count }) => count), endedCount];
  const found = filter.cursor === undefined ? fromOffset(db, filter, list) : fromCursor(db, filter, list);
  const shown = found.slice(0, filter.limit);
  const rows = shown.map(({ row }) => row);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const page: JobPage = {
    jobs: withPlaces(db, rows, allTruncatedForList(readJobs(db, rows), rows)),
    ...boundedTotal(total, filter.upTo),
    waiting: waitingMoney(db, isPlay),
  };
  const last = shown.at(-1);
  if (found.length <= filter.limit || !last) return page;
  return { ...page, nextCursor: `${last.group}.${last.row.seq}.${last.row.position}` };
}

function waitingMoney(db: ReadDb, isPlay: boolean): JobPage['waiting'] {
  const sides = db.all<WaitingMoney & { play: 0 | 1; count: number }>(waitingSum);
  const of = (play: boolean): WaitingMoney => {
    const { reservedNano, unpriced } = sides.find((side) => (side.play === 1) === play) ?? NO_MONEY;
    return { reservedNano, unpriced };
  };
  return { count: sides.reduce((sum, { count }) => sum + count, 0), ...of(isPlay), elsewhere: of(!isPlay) };
}

/** What is read: the open groups with their counts, and the filter of all others; undefined if none of those is asked for. */
interface Groups {
  open: readonly (Group & { count: number; isIncluded: boolean; conditions: Conditions })[];
  ended: JobFilter | undefined;
}

function groupsOf(db: ReadDb, filter: Filter): Groups {
  const { states = [] } = filter;
  const fromSeq = hasText(filter) ? (db.one<{ seq: number | null }>(oldestOpen)?.seq ?? undefined) : undefined;
  const all = conditionsOf(filter, { anyIndex: false, ...(fromSeq === undefined ? {} : { fromSeq }) });
  const conditions = ofWholeProjects(db, all);
  const isOpen = !hasText(filter) || fromSeq !== undefined;
  const open = GROUPS.map((group) => {
    const isIncluded = isOpen && (states.length === 0 || group.states.some((state) => states.includes(state)));
    const isCounted = isSummed(filter, conditions.where === all.where);
    return { ...group, conditions, isIncluded, count: isIncluded ? countOpen(db, group, conditions, isCounted) : 0 };
  });
  const ended = states.length === 0 ? ENDED_STATES : ENDED_STATES.filter((state) => states.includes(state));
  return { open, ended: ended.length > 0 ? { ...filter, states: ended } : undefined };
}

const hasText = ({ text = '' }: Filter): boolean => text.trim() !== '';

function countOpen(db: ReadDb, group: Group, { where, params }: Conditions, summed: boolean): number {
  if (summed) return sumJobs(db, { where: `${where} AND ${stateIn(group.states)}`, params });
  const count = sql('jobs.countInQueue', `SELECT count(*) AS n FROM ${group.from} AND ${where}`);
  return db.one<{ n: number }>(count, params)?.n ?? 0;
}

function fromOffset(db: ReadDb, filter: Filter, { open, ended }: Groups): GroupedRow[] {
  const found: GroupedRow[] = [];
  let skip = filter.offset ?? 0;
  for (const [index, { count, ...group }] of open.entries()) {
    const missing = filter.limit + 1 - found.length;
    if (missing > 0 && skip < count) found.push(...readOpen(db, group, index, { limit: missing, offset: skip }));
    skip = Math.max(0, skip - count);
  }
  return [...found, ...readEnded(db, ended, { limit: filter.limit + 1 - found.length, offset: skip })];
}

function fromCursor(db: ReadDb, filter: Filter, { open, ended }: Groups): GroupedRow[] {
  const { group: from, seq, position } = cursorOf(filter.cursor ?? '');
  const found: GroupedRow[] = [];
  for (const [index, group] of open.entries()) {
    const missing = filter.limit + 1 - found.length;
    if (index < from || missing === 0 || !group.isIncluded) continue;
    const after = index === from ? { after: { seq, position } } : {};
    found.push(...readOpen(db, group, index, { limit: missing, offset: 0, ...after }));
  }
  const before = from === ENDED ? { before: seq } : {};
  return [...found, ...readEnded(db, ended, { limit: filter.limit + 1 - found.length, offset: 0, ...before })];
}

interface Slice {
  limit: number;
  offset: number;
}

function readOpen(
  db: ReadDb,
  { from, conditions }: Group & { conditions: Conditions },
  index: number,
  { after, ...slice }: Slice & { after?: { seq: number; position: number } },
): GroupedRow[] {
  const page = sql(
    'jobs.listInQueue',
    `SELECT * FROM jobs WHERE seq IN (SELECT seq FROM ${from} AND ${conditions.where}
       ${after ? 'AND (position, seq) > ($position, $seq)' : ''} ORDER BY position, seq LIMIT $limit OFFSET $offset) ORDER BY position, seq`,
  );
  return db.all<JobRow>(page, { ...conditions.params, ...after, ...slice }).map((row) => ({ group: index, row }));
}

function readEnded(db: ReadDb, filter: JobFilter | undefined, slice: Slice & { before?: number }): GroupedRow[] {
  if (!filter || slice.limit === 0) return [];
  return newestRows(db, filter, slice).map((row) => ({ group: ENDED, row }));
}

/** Adds to each waiting job its place among all waiting jobs, also those that the filter excludes. */
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
