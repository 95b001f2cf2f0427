import type { CallParsed } from '../../../shared/contract.ts';
import type { Job, JobState } from '../../../shared/job.ts';
import type { JobPage, WaitingMoney } from '../../../shared/lists.ts';
import { type ReadDb, type SqlParams, sql } from '../store/index.ts';
import { type Conditions, conditionsOf } from './filter.ts';
import { isSummed, sumJobs } from './jobCounts.ts';
import { readJobs } from './records.ts';
import { allTruncatedForList, type JobRow } from './row.ts';
import { hiddenParams, NOT_HIDDEN, withoutHidden } from './unfinishedBatch.ts';

/** The order of the Queue page: jobs in progress, waiting jobs in the order in which they are sent, then all others, newest first. */

type Filter = CallParsed<'jobs.list'>;

const WAITING = `state IN ('queued', 'blocked')`;
const IN_PROGRESS = `state IN ('sending', 'running', 'fetching')`;

const stateIn = (states: readonly JobState[]): string => `state IN (${states.map((state) => `'${state}'`).join(', ')})`;

interface Group {
  states: readonly JobState[];
  /** The table, its index and the condition of the group; the filter's conditions are appended. */
  from: string;
  /** The condition for rows after the previous page. */
  after: string;
  order: string;
}

/** Waiting jobs have a partial index in their order. */
const WAITING_INDEX = `jobs INDEXED BY jobs_waiting WHERE ${WAITING}`;
const BY_POSITION = { after: '(position, seq) > ($position, $seq)', order: 'position, seq' };
const GROUPS: readonly Group[] = [
  { states: ['sending', 'running', 'fetching'], from: `jobs WHERE ${IN_PROGRESS}`, ...BY_POSITION },
  { states: ['queued', 'blocked'], from: WAITING_INDEX, ...BY_POSITION },
  {
    states: ['uncertain', 'succeeded', 'failed', 'canceled'],
    from: `jobs WHERE NOT +${WAITING} AND NOT +${IN_PROGRESS}`,
    after: 'seq < $seq',
    order: 'seq DESC',
  },
];

const waitingSum = sql(
  'jobs.waitingSum',
  `SELECT play, count(*) AS count, sum(reserved_nano) AS reservedNano, sum((price = 'null')) AS unpriced
   FROM ${WAITING_INDEX} AND ${NOT_HIDDEN} GROUP BY play`,
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
export function listInQueueOrder(db: ReadDb, filter: Filter, isPlay: boolean): JobPage {
  const all = conditionsOf(filter, { anyIndex: false });
  const conditions = withoutHidden(db, all);
  const summed = isSummed(filter, conditions.where === all.where);
  const counts = GROUPS.map((group) => countOf(db, group, filter, conditions, summed));
  const found =
    filter.cursor === undefined ? fromOffset(db, filter, conditions, counts) : fromCursor(db, filter, conditions);
  const shown = found.slice(0, filter.limit);
  const rows = shown.map(({ row }) => row);
  const page: JobPage = {
    jobs: withPlaces(db, rows, allTruncatedForList(readJobs(db, rows), rows)),
    total: counts.reduce((sum, count) => sum + count, 0),
    waiting: waitingMoney(db, isPlay),
  };
  const last = shown.at(-1);
  if (found.length <= filter.limit || !last) return page;
  return { ...page, nextCursor: `${last.group}.${last.row.seq}.${last.row.position}` };
}

function waitingMoney(db: ReadDb, isPlay: boolean): JobPage['waiting'] {
  const sides = db.all<WaitingMoney & { play: 0 | 1; count: number }>(waitingSum, hiddenParams(db));
  const of = (play: boolean): WaitingMoney => {
    const { reservedNano, unpriced } = sides.find((side) => (side.play === 1) === play) ?? NO_MONEY;
    return { reservedNano, unpriced };
  };
  return { count: sides.reduce((sum, { count }) => sum + count, 0), ...of(isPlay), elsewhere: of(!isPlay) };
}

const isIncluded = ({ states }: Group, filter: Filter): boolean =>
  !filter.states || filter.states.length === 0 || states.some((state) => filter.states?.includes(state));

function countOf(db: ReadDb, group: Group, filter: Filter, { where, params }: Conditions, summed: boolean): number {
  if (!isIncluded(group, filter)) return 0;
  if (summed) return sumJobs(db, { where: `${where} AND ${stateIn(group.states)}`, params });
  const count = sql('jobs.countInQueue', `SELECT count(*) AS n FROM ${group.from} AND ${where}`);
  return db.one<{ n: number }>(count, params)?.n ?? 0;
}

function fromOffset(db: ReadDb, filter: Filter, conditions: Conditions, counts: readonly number[]): GroupedRow[] {
  const found: GroupedRow[] = [];
  let skip = filter.offset ?? 0;
  for (const [index, group] of GROUPS.entries()) {
    const count = counts[index] ?? 0;
    const missing = filter.limit + 1 - found.length;
    if (missing > 0 && skip < count)
      found.push(...read(db, group, index, conditions, { limit: missing, offset: skip }));
    skip = Math.max(0, skip - count);
  }
  return found;
}

function fromCursor(db: ReadDb, filter: Filter, conditions: Conditions): GroupedRow[] {
  const cursor = cursorOf(filter.cursor ?? '');
  const found: GroupedRow[] = [];
  for (const [index, group] of GROUPS.entries()) {
    const missing = filter.limit + 1 - found.length;
    if (index < cursor.group || missing === 0 || !isIncluded(group, filter)) continue;
    const { seq, position } = cursor;
    const after = index === cursor.group ? { after: group.after, params: { seq, position } } : {};
    found.push(...read(db, group, index, conditions, { limit: missing, offset: 0, ...after }));
  }
  return found;
}

interface Slice {
  limit: number;
  offset: number;
  after?: string;
  params?: SqlParams;
}

function read(db: ReadDb, group: Group, index: number, { where, params }: Conditions, slice: Slice): GroupedRow[] {
  const after = slice.after === undefined ? '' : `AND ${slice.after}`;
  const page = sql(
    'jobs.listInQueue',
    `SELECT * FROM jobs WHERE seq IN (SELECT seq FROM ${group.from} AND ${where} ${after}
       ORDER BY ${group.order} LIMIT $limit OFFSET $offset) ORDER BY ${group.order}`,
  );
  const values = { ...params, ...pick(after, slice.params), limit: slice.limit, offset: slice.offset };
  return db.all<JobRow>(page, values).map((row) => ({ group: index, row }));
}

/** The parameters that a statement names; it accepts no others. */
const pick = (text: string, params: SqlParams = {}): SqlParams =>
  Object.fromEntries(Object.entries(params).filter(([name]) => text.includes(`$${name}`)));

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
