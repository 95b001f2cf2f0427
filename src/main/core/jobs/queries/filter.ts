import { isTerminal } from '../../../../shared/jobs/job.ts';
import { type JobFilter, jobFilterSchema } from '../../../../shared/jobs/lists.ts';
import { matchOf } from '../../../../shared/library/search/question.ts';
import {
  allOf,
  type Conditions,
  hitsIn,
  IS_MATCH,
  is,
  matching,
  oneOf,
  type ReadDb,
  wholeOnly,
} from '../../store/index.ts';
import { IN_DOUBT } from '../statements.ts';

const OPEN = `NOT IN ('succeeded', 'failed', 'canceled')`;
const WAITS_FOR = `id IN (
  WITH RECURSIVE behind (id) AS (
    SELECT job_id FROM job_deps JOIN jobs ON jobs.id = job_id WHERE on_id = $waitsFor AND jobs.state ${OPEN}
    UNION SELECT job_id FROM behind JOIN job_deps ON on_id = behind.id JOIN jobs ON jobs.id = job_id WHERE jobs.state ${OPEN})
  SELECT id FROM behind)`;

/** Without the jobs of a project that is being written. */
export function ofWholeProjects(db: ReadDb, all: Conditions): Conditions {
  const { conditions, params } = wholeOnly(db, '+project_id');
  return allOf(all, ...conditions.map((where) => ({ where, params })));
}

interface Place {
  /** False if the statement has an order and an index of its own, which the filter must not change. */
  anyIndex?: boolean;
  /** No job with a lesser number is looked for: only greater ones are found by their text. */
  fromSeq?: number;
}

export function conditionsOf(filter: JobFilter, { anyIndex = true, fromSeq }: Place = {}): Conditions {
  const { states, play, verdict, costInDoubt, text = '' } = filter;
  // Jobs in doubt are few and have an index of their own (`jobs_in_doubt`). Ended jobs are by far the most: they are read in the order of
  // the list instead of being collected by state and sorted.
  const byState = anyIndex && !costInDoubt && !states?.some(isTerminal);
  return allOf(
    oneOf('+kind', 'kind', filter.kinds),
    oneOf(byState ? 'state' : '+state', 'state', states),
    oneOf('model', 'model', filter.models),
    is('+project_id = $projectId', 'projectId', filter.projectId),
    is('created_at >= $from', 'from', filter.from),
    is('created_at < $to', 'to', filter.to),
    costInDoubt ? `(${IN_DOUBT})` : undefined,
    is(WAITS_FOR, 'waitsFor', filter.waitsFor),
    is('+play = $play', 'play', play === undefined ? undefined : Number(play)),
    verdict === 'none' ? 'verdict IS NULL' : is('verdict = $verdict', 'verdict', verdict),
    text.trim() === '' ? undefined : hasWords(text, fromSeq),
  );
}

function hasWords(text: string, fromSeq: number | undefined): Conditions {
  const from = allOf(is('rowid >= $fromSeq', 'fromSeq', fromSeq));
  return { where: `seq IN (${matching('job')} AND ${from.where})`, params: { ...from.params, match: matchOf(text) } };
}

/** What the index of the list holds besides the number. */
const LISTED: ReadonlySet<string> = new Set<keyof JobFilter>(['kinds', 'states', 'projectId', 'play']);

const isAsked = (value: JobFilter[keyof JobFilter]): boolean =>
  value !== undefined && (typeof value === 'string' ? value.trim() !== '' : !Array.isArray(value) || value.length > 0);

/** What the filter asks for. */
const askedIn = (filter: JobFilter): (keyof JobFilter)[] =>
  (Object.keys(jobFilterSchema.shape) as (keyof JobFilter)[]).filter((name) => isAsked(filter[name]));

/** What the sums of `job_counts` have a column for, under the same name as the table of jobs. */
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

/** Whether an index has the few jobs among which all that match are: open ones, those in doubt, what waits for another. */
const isOfFew = ({ states = [], costInDoubt, waitsFor }: JobFilter): boolean =>
  costInDoubt === true || waitsFor !== undefined || (states.length > 0 && !states.some(isTerminal));

/** Whether most jobs may be walked to find a page of those that match. */
export const isWalked = (filter: JobFilter): boolean => askedIn(filter).length > 0 && !isOfFew(filter);

interface Source extends Conditions {
  from: string;
  /** The number of the job there. */
  by: string;
  /** What can be counted instead where no job is hidden. */
  counted?: { from: string; where: string };
}

/**
 * Where the newest jobs that match are read from, and the number by which they are ordered there. Where an index has the order, it is
 * named: the statistics by which one is chosen are those of a smaller table.
 */
export function sourceOf(filter: JobFilter): Source {
  const asked = askedIn(filter);
  const others = asked.filter((name) => !LISTED.has(name));
  if (others.length === 1 && others[0] === 'text') {
    const source = {
      from: `${hitsIn('job')} CROSS JOIN jobs INDEXED BY jobs_listed ON seq = hit.rowid`,
      by: 'hit.rowid',
      ...allOf(conditionsOf({ ...filter, text: undefined }), is(IS_MATCH, 'match', matchOf(filter.text ?? ''))),
    };
    return asked.length > 1 ? source : { ...source, counted: { from: hitsIn('job'), where: IS_MATCH } };
  }
  const index = indexOf(filter, others);
  return { from: `jobs ${index}`, by: 'seq', ...conditionsOf(filter) };
}

/** What each of these, asked for alone beside what is listed, is found by in the order of the list. */
const INDEX_OF: Partial<Record<keyof JobFilter, string>> = { models: 'jobs_by_model', verdict: 'jobs_by_verdict' };

function indexOf({ states = [], verdict, costInDoubt }: JobFilter, others: readonly (keyof JobFilter)[]): string {
  const [one = 'states', ...more] = others;
  // Open jobs are few: in the order of the list all that ever ended would be walked for them. Unconfirmed ones have an index of their own.
  if (states.length > 0 && !states.some(isTerminal)) return costInDoubt ? '' : 'INDEXED BY jobs_by_state';
  if (others.length === 0) return 'INDEXED BY jobs_listed';
  if (others.every((name) => name === 'from' || name === 'to')) return 'INDEXED BY jobs_by_time';
  const index = more.length === 0 && verdict !== 'none' ? INDEX_OF[one] : undefined;
  return index === undefined ? '' : `INDEXED BY ${index}`;
}
