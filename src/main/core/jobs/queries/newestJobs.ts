import type { CallParsed } from '../../../../shared/contract/contract.ts';
import { JOB_STATES, type JobState } from '../../../../shared/jobs/job.ts';
import { type JobFilter, type JobPage, jobFilterSchema } from '../../../../shared/jobs/lists.ts';
import {
  type BlockSums,
  type PlaceInBlocks,
  placeInBlocks,
  type ReadDb,
  type SqlParams,
  sql,
} from '../../store/index.ts';
import type { JobRow } from '../row.ts';
import { askedIn, type Conditions, isFiltered, ofWholeProjects, sourceOf } from './filter.ts';

/** The jobs that a filter matches, newest first: rows of a page, and how many there are. */

interface Slice {
  limit: number;
  offset: number;
  /** Only those with a lesser number. */
  before?: number;
}

export function newestRows(db: ReadDb, filter: JobFilter, slice: Slice): JobRow[] {
  const { from, by, counted: _, ...conditions } = sourceOf(filter);
  const { where, params } = ofWholeProjects(db, conditions);
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
  const { where, params } = ofWholeProjects(db, conditions);
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

/** What the sums of `job_counts` have a column for, under the same name as the table of jobs. */
const SUMMED = ['kinds', 'states', 'models', 'projectId', 'verdict', 'play'] satisfies (keyof JobFilter)[];
const NOT_SUMMED = Object.keys(jobFilterSchema.shape).filter(
  (name) => !(SUMMED as string[]).includes(name),
) as (keyof JobFilter)[];

const asksFor = (value: JobFilter[keyof JobFilter]): boolean =>
  typeof value === 'string' ? value.trim() !== '' : value !== undefined;

/**
 * Whether the sums that triggers keep can tell how many jobs match: else all that could match have to be counted. `isAllShown`: no job is
 * hidden from lists now.
 */
export const isSummed = (filter: JobFilter, isAllShown: boolean): boolean =>
  isAllShown && NOT_SUMMED.every((name) => !asksFor(filter[name]));

/** How many jobs match; the conditions name nothing but what is summed ({@link isSummed}). */
export const sumJobs = (db: ReadDb, { where, params }: Conditions): number =>
  db.one<{ n: number }>(sql('jobs.sum', `SELECT coalesce(sum(n), 0) AS n FROM job_counts WHERE ${where}`), params)?.n ??
  0;

/** What is counted by blocks beside the state, each alone. */
const FACETS: Partial<Record<keyof JobFilter, (filter: JobFilter) => readonly string[]>> = {
  kinds: ({ kinds = [] }) => kinds,
  models: ({ models = [] }) => models,
  projectId: ({ projectId = '' }) => [projectId],
  play: ({ play }) => [play ? '1' : '0'],
  verdict: ({ verdict = 'none' }) => [verdict],
};
const NAMES: Readonly<Record<string, string>> = { kinds: 'kind', models: 'model', projectId: 'project' };

/** Open jobs are counted as one: which of these states they are in changes often. */
const OPEN_STATES = ['queued', 'blocked', 'sending', 'running', 'fetching'] as const satisfies JobState[];
const isOpen = (state: string): boolean => (OPEN_STATES as readonly string[]).includes(state);
export const ENDED_STATES = JOB_STATES.filter((state) => !isOpen(state));

/** The sums of blocks that count what matches; undefined where none do. */
function blocksOf(filter: JobFilter): BlockSums | undefined {
  const [by, ...others] = askedIn(filter).filter((name) => name !== 'states');
  const valuesOf = by === undefined ? () => [''] : FACETS[by];
  const { states = [] } = filter;
  if (!valuesOf || others.length > 0 || states.some(isOpen)) return undefined;
  const params: SqlParams = {
    facet: by === undefined ? 'all' : (NAMES[by] ?? by),
    values: JSON.stringify(valuesOf(filter)),
    ended: JSON.stringify(states.length > 0 ? states : ['open', ...ENDED_STATES]),
  };
  const oneOf = (column: string, name: string) => `b.${column} IN (SELECT value FROM json_each($${name}))`;
  return {
    name: 'jobs.blocks',
    table: 'job_blocks',
    where: `b.facet = $facet AND ${oneOf('value', 'values')} AND ${oneOf('ended', 'ended')}`,
    params,
  };
}

type Listed = Pick<CallParsed<'jobs.list'>, 'order' | keyof JobFilter>;

/** Whether sums of blocks lead to any page of it; in the order of the queue those of open jobs are few. */
export const isInBlocks = ({ order, ...filter }: Listed): boolean =>
  blocksOf(order === 'queue' ? { ...filter, states: undefined } : filter) !== undefined;

/** Whether an index has the few jobs among which all that match are: open ones, those in doubt, what waits for another. */
export const isOfFew = ({ states = [], costInDoubt, waitsFor }: Listed): boolean =>
  costInDoubt === true || waitsFor !== undefined || (states.length > 0 && states.every(isOpen));
