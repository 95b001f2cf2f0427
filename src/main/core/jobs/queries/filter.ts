import type { CallParsed } from '../../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import { isTerminal } from '../../../../shared/jobs/job.ts';
import { type JobFilter, jobFilterSchema } from '../../../../shared/jobs/lists.ts';
import type { ChosenFigures, ChosenJobs } from '../../../../shared/jobs/queueCalls.ts';
import { ftsQuery } from '../../../../shared/library/search/searchQuery.ts';
import { en } from '../../../../shared/text/texts.ts';
import {
  allOf,
  type Conditions,
  hitsIn,
  IS_MATCH,
  isIn,
  matching,
  oneOf,
  type ReadDb,
  sql,
  walksMany,
  whereIf,
  withoutUnfinishedProject,
} from '../../store/index.ts';
import { IN_DOUBT } from './jobSql.ts';

const OPEN = `NOT IN ('succeeded', 'failed', 'canceled')`;
const WAITS_FOR = `id IN (
  WITH RECURSIVE behind (id) AS (
    SELECT job_id FROM job_deps JOIN jobs ON jobs.id = job_id WHERE on_id = $waitsFor AND jobs.state ${OPEN}
    UNION SELECT job_id FROM behind JOIN job_deps ON on_id = behind.id JOIN jobs ON jobs.id = job_id WHERE jobs.state ${OPEN})
  SELECT id FROM behind)`;

/** Without the jobs of a project that is being written. */
export const ofWholeProjects = (db: ReadDb, all: Conditions): Conditions =>
  allOf(all, withoutUnfinishedProject(db, '+project_id'));

interface Place {
  /** False if the statement has an order and an index of its own, which the filter must not change. */
  anyIndex?: boolean;
  /** Lower numbers are left out: only newer jobs are searched by their text. */
  fromSeq?: number;
}

export function conditionsOf(filter: JobFilter, { anyIndex = true, fromSeq }: Place = {}): Conditions {
  const { states, play, verdict, costInDoubt, text = '' } = filter;
  // Unconfirmed jobs are few and have an index of their own (`jobs_in_doubt`). Ended jobs are by far the most: they are read in list order
  // instead of being collected by state and sorted.
  const byState = anyIndex && !costInDoubt && !states?.some(isTerminal);
  return allOf(
    oneOf('+kind', 'kind', filter.kinds),
    oneOf(byState ? 'state' : '+state', 'state', states),
    oneOf('model', 'model', filter.models),
    whereIf('+project_id = $projectId', 'projectId', filter.projectId),
    whereIf('created_at >= $from', 'from', filter.from),
    whereIf('created_at < $to', 'to', filter.to),
    costInDoubt ? `(${IN_DOUBT})` : undefined,
    whereIf(WAITS_FOR, 'waitsFor', filter.waitsFor),
    whereIf('+play = $play', 'play', play === undefined ? undefined : Number(play)),
    verdict === 'none' ? 'verdict IS NULL' : whereIf('verdict = $verdict', 'verdict', verdict),
    text.trim() === '' ? undefined : hasWords(text, fromSeq),
  );
}

function hasWords(text: string, fromSeq: number | undefined): Conditions {
  const from = allOf(whereIf('rowid >= $fromSeq', 'fromSeq', fromSeq));
  return { where: `seq IN (${matching('job')} AND ${from.where})`, params: { ...from.params, match: ftsQuery(text) } };
}

/** Columns of the list's index, besides the number. */
const LISTED: ReadonlySet<string> = new Set<keyof JobFilter>(['kinds', 'states', 'projectId', 'play']);

const isAsked = (value: JobFilter[keyof JobFilter]): boolean =>
  value !== undefined && (typeof value === 'string' ? value.trim() !== '' : !Array.isArray(value) || value.length > 0);

/** The fields that the filter sets. */
const askedIn = (filter: JobFilter): (keyof JobFilter)[] =>
  (Object.keys(jobFilterSchema.shape) as (keyof JobFilter)[]).filter((name) => isAsked(filter[name]));

/** Fields with a column in `job_counts`, which has the same name as in the table of jobs. */
const SUMMED: ReadonlySet<string> = new Set<keyof JobFilter>([
  'kinds',
  'states',
  'models',
  'projectId',
  'verdict',
  'play',
]);

/** Whether the sums that triggers keep can tell how many jobs match: else all that could match have to be counted. */
export const isSummed = (filter: JobFilter): boolean => askedIn(filter).every((name) => SUMMED.has(name));

/** Whether an index covers the few jobs that can match: open ones, unconfirmed ones, or those that wait for another job. */
const isOfFew = ({ states = [], costInDoubt, waitsFor }: JobFilter): boolean =>
  costInDoubt === true || waitsFor !== undefined || (states.length > 0 && !states.some(isTerminal));

/** Whether most jobs may be walked to find a page of those that match. */
export const walksManyJobs = (filter: CallParsed<'jobs.list'>): boolean =>
  walksMany(filter) || (askedIn(filter).length > 0 && !isOfFew(filter));

interface Source extends Conditions {
  from: string;
  /** The number of the job there. */
  by: string;
  /** A cheaper source for counting, if no job is hidden. */
  counted?: { from: string; where: string };
}

/**
 * The source from which the newest matches are read, and the number that sorts them. An index in list order is named explicitly, because
 * the statistics for choosing one come from a smaller table.
 */
export function sourceOf(filter: JobFilter): Source {
  const asked = askedIn(filter);
  const others = asked.filter((name) => !LISTED.has(name));
  if (others.length === 1 && others[0] === 'text') {
    const source = {
      from: `${hitsIn('job')} CROSS JOIN jobs INDEXED BY jobs_listed ON seq = hit.rowid`,
      by: 'hit.rowid',
      ...allOf(conditionsOf({ ...filter, text: undefined }), whereIf(IS_MATCH, 'match', ftsQuery(filter.text ?? ''))),
    };
    return asked.length > 1 ? source : { ...source, counted: { from: hitsIn('job'), where: IS_MATCH } };
  }
  const index = indexOf(filter, others);
  return { from: `jobs ${index}`, by: 'seq', ...conditionsOf(filter) };
}

/** The index in list order for a filter by one of these fields alone, besides the listed columns. */
const INDEX_OF: Partial<Record<keyof JobFilter, string>> = { models: 'jobs_by_model', verdict: 'jobs_by_verdict' };

function indexOf({ states = [], verdict, costInDoubt }: JobFilter, others: readonly (keyof JobFilter)[]): string {
  const [one = 'states', ...more] = others;
  // Open jobs are few; in list order, all ended jobs would be read to find them. Unconfirmed jobs have an index of their own.
  if (states.length > 0 && !states.some(isTerminal)) return costInDoubt ? '' : 'INDEXED BY jobs_by_state';
  if (others.length === 0) return 'INDEXED BY jobs_listed';
  if (others.every((name) => name === 'from' || name === 'to')) return 'INDEXED BY jobs_by_time';
  const index = more.length === 0 && verdict !== 'none' ? INDEX_OF[one] : undefined;
  return index === undefined ? '' : `INDEXED BY ${index}`;
}

/** The jobs that a call about many names, by their ids or by a rule; read by one statement, however many they are. */

const WAITING = `state IN ('queued', 'blocked')`;
const CANCELABLE = `state IN ('queued', 'blocked', 'sending', 'running')`;
/** Cancelable jobs that may be billed: those at the gateway, and those sent again knowingly after an answer was lost. */
const MAY_BE_BILLED = `state IN ('sending', 'running') OR (${WAITING} AND (uncertain_nano > 0 OR unpriced_doubt > 0))`;
/** A job that was already retried is left out of bulk retries: the job that was made from it replaces it. */
const ENDED = `state IN ('failed', 'canceled') AND retried_as IS NULL`;
function conditionOf(db: ReadDb, { ids, filter, except }: ChosenJobs): Conditions {
  const left = except && isIn('id', 'exceptIds', except);
  return allOf(
    filter && ofWholeProjects(db, conditionsOf(filter)),
    ids && isIn('id', 'chosenIds', ids),
    left && { ...left, where: `NOT (${left.where})` },
  );
}

/** The error if one of the ids is of no job. */
export function unknownId(db: ReadDb, { ids }: ChosenJobs): Result<never> | undefined {
  if (!ids) return undefined;
  const known = sql('jobs.knownIds', 'SELECT id FROM jobs WHERE id IN (SELECT value FROM json_each($ids))');
  const found = new Set(db.all<{ id: string }>(known, { ids: JSON.stringify(ids) }).map(({ id }) => id));
  const index = ids.findIndex((id) => !found.has(id));
  const field = `ids.${index}`;
  return index < 0 ? undefined : fail('not_found', `${field}: there is no such job.`, { field });
}

const GROUPS = { waiting: WAITING, cancelable: CANCELABLE, ended: ENDED };

/** The ids of the chosen jobs in one group of states, in the order of the queue; ended ones in the order in which they were made. */
export function chosenIds(db: ReadDb, chosen: ChosenJobs, group: keyof typeof GROUPS): Result<string[]> {
  const unknown = unknownId(db, chosen);
  if (unknown) return unknown;
  const { where, params } = conditionOf(db, chosen);
  const order = group === 'ended' ? 'seq' : 'position, seq';
  const read = sql('jobs.chosenIds', `SELECT id FROM jobs WHERE ${where} AND ${GROUPS[group]} ORDER BY ${order}`);
  return ok(db.all<{ id: string }>(read, params).map(({ id }) => id));
}

/** The jobs of these that still wait, in the same sequence. */
export function stillWaiting(db: ReadDb, ids: string[]): string[] {
  const read = sql(
    'jobs.stillWaiting',
    `SELECT jobs.id FROM json_each($ids) AS ids CROSS JOIN jobs ON jobs.id = ids.value WHERE ${WAITING} ORDER BY ids.key`,
  );
  return db.all<{ id: string }>(read, { ids: JSON.stringify(ids) }).map(({ id }) => id);
}

interface Sums {
  count: number;
  waiting: number;
  inNight: number;
  cancelable: number;
  sent: number;
  ended: number;
  plays: number;
  reservedNano: number;
  estimateNano: number;
  lowNano: number;
  unpriced: number;
}

function sumsOf(db: ReadDb, { where, params }: Conditions): Sums | undefined {
  const sums = sql(
    'jobs.chosenSums',
    `SELECT count(*) AS count, total(${WAITING}) AS waiting, total(${WAITING} AND run_id IS NOT NULL) AS inNight,
       total(${CANCELABLE}) AS cancelable, total(${MAY_BE_BILLED}) AS sent, total(${ENDED}) AS ended,
       total(play) AS plays, total(CASE WHEN ${WAITING} THEN reserved_nano END) AS reservedNano,
       total(CASE WHEN ${WAITING} AND price <> 'null' THEN estimate_nano END) AS estimateNano,
       total(CASE WHEN ${WAITING} AND price <> 'null' THEN estimate_low_nano END) AS lowNano,
       total(${WAITING} AND price = 'null') AS unpriced
     FROM jobs WHERE ${where}`,
  );
  return db.one<Sums>(sums, params);
}

/** How many of these jobs wait, and the price of those that do. */
export function waitingOf(db: ReadDb, ids: string[]): Pick<ChosenFigures, 'waiting' | 'bothSides' | 'waitingPrice'> {
  const sums = sumsOf(db, conditionOf(db, { ids }));
  const { count = 0, waiting = 0, plays = 0, estimateNano = 0, lowNano = 0, unpriced = 0 } = sums ?? {};
  return { waiting, bothSides: plays > 0 && plays < count, waitingPrice: { estimateNano, lowNano, unpriced } };
}

/** The number of chosen jobs, the possible actions, and the amounts involved. */
export function figuresOf(db: ReadDb, chosen: ChosenJobs): Result<ChosenFigures> {
  const unknown = unknownId(db, chosen);
  if (unknown) return unknown;
  const condition = conditionOf(db, chosen);
  const { where, params } = condition;
  const behind = sql(
    'jobs.chosenDependents',
    `WITH RECURSIVE chosen (id) AS (SELECT id FROM jobs WHERE ${where} AND ${CANCELABLE}),
       behind (id) AS (
         SELECT job_id FROM chosen JOIN job_deps ON on_id = chosen.id JOIN jobs ON jobs.id = job_id WHERE jobs.state ${OPEN}
         UNION SELECT job_id FROM behind JOIN job_deps ON on_id = behind.id JOIN jobs ON jobs.id = job_id WHERE jobs.state ${OPEN})
     SELECT count(*) AS dependents, total(reserved_nano) AS reservedNano FROM jobs
     WHERE id IN (SELECT id FROM behind) AND id NOT IN (SELECT id FROM chosen)`,
  );
  const all = sumsOf(db, condition);
  if (!all) return fail('internal', en`The jobs could not be counted.`);
  const others = db.one<{ dependents: number; reservedNano: number }>(behind, params);
  const { plays, reservedNano, estimateNano, lowNano, unpriced, ...counts } = all;
  const bothSides = plays > 0 && plays < all.count;
  return ok({
    ...counts,
    dependents: others?.dependents ?? 0,
    bothSides,
    play: plays > 0,
    givenBackNano: bothSides ? 0 : reservedNano + (others?.reservedNano ?? 0),
    waitingPrice: bothSides ? { estimateNano: 0, lowNano: 0, unpriced: 0 } : { estimateNano, lowNano, unpriced },
  });
}
