import { isTerminal } from '../../../../shared/jobs/job.ts';
import { type JobFilter, jobFilterSchema } from '../../../../shared/jobs/lists.ts';
import { matchOf } from '../../../../shared/library/search/question.ts';
import { hitsIn, IS_MATCH, matching, type ReadDb, type SqlParams, wholeOnly } from '../../store/index.ts';
import { IN_DOUBT } from '../statements.ts';

const OPEN = `NOT IN ('succeeded', 'failed', 'canceled')`;
const WAITS_FOR = `id IN (
  WITH RECURSIVE behind (id) AS (
    SELECT job_id FROM job_deps JOIN jobs ON jobs.id = job_id WHERE on_id = $waitsFor AND jobs.state ${OPEN}
    UNION SELECT job_id FROM behind JOIN job_deps ON on_id = behind.id JOIN jobs ON jobs.id = job_id WHERE jobs.state ${OPEN})
  SELECT id FROM behind)`;

/** A condition for any statement over `jobs`, and its parameters. */
export interface Conditions {
  where: string;
  params: SqlParams;
}

/** Without the jobs of a project that is being written. */
export function ofWholeProjects(db: ReadDb, { where, params }: Conditions): Conditions {
  const { conditions, params: own } = wholeOnly(db, '+project_id');
  return { where: [where, ...conditions].join(' AND '), params: { ...params, ...own } };
}

interface Place {
  /** False if the statement has an order and an index of its own, which the filter must not change. */
  anyIndex?: boolean;
  /** No job with a lesser number is looked for: only greater ones are found by their text. */
  fromSeq?: number;
}

export function conditionsOf(filter: JobFilter, { anyIndex = true, fromSeq }: Place = {}): Conditions {
  const params: SqlParams = {};
  const conditions: string[] = [];
  const oneOf = (column: string, values: readonly string[] | undefined, noIndex = false): void => {
    if (!values || values.length === 0) return;
    params[column] = JSON.stringify(values);
    conditions.push(`${noIndex ? '+' : ''}${column} IN (SELECT value FROM json_each($${column}))`);
  };
  oneOf('kind', filter.kinds, true);
  // Jobs in doubt are few and have an index of their own (`jobs_in_doubt`). Ended jobs are by far the most: they are read in the order of
  // the list instead of being collected by state and sorted.
  oneOf('state', filter.states, !anyIndex || filter.costInDoubt || filter.states?.some(isTerminal));
  oneOf('model', filter.models);
  const equals = (condition: string, name: string, value: string | number | undefined): void => {
    if (value === undefined) return;
    conditions.push(condition);
    params[name] = value;
  };
  equals('+project_id = $projectId', 'projectId', filter.projectId);
  equals('created_at >= $from', 'from', filter.from);
  equals('created_at < $to', 'to', filter.to);
  if (filter.costInDoubt) conditions.push(`(${IN_DOUBT})`);
  equals(WAITS_FOR, 'waitsFor', filter.waitsFor);
  if (filter.play !== undefined) equals('+play = $play', 'play', filter.play ? 1 : 0);
  if (filter.verdict === 'none') conditions.push('verdict IS NULL');
  else equals('verdict = $verdict', 'verdict', filter.verdict);
  if (filter.text && filter.text.trim() !== '') {
    const from = fromSeq === undefined ? '' : ' AND rowid >= $fromSeq';
    equals(`seq IN (${matching('job')}${from})`, 'match', matchOf(filter.text));
    if (fromSeq !== undefined) params.fromSeq = fromSeq;
  }
  return { where: conditions.length === 0 ? '1' : conditions.join(' AND '), params };
}

/** What the index of the list holds besides the number. */
const LISTED: ReadonlySet<string> = new Set<keyof JobFilter>(['kinds', 'states', 'projectId', 'play']);

const isAsked = (value: JobFilter[keyof JobFilter]): boolean =>
  value !== undefined && (typeof value === 'string' ? value.trim() !== '' : !Array.isArray(value) || value.length > 0);

/** What the filter asks for. */
export const askedIn = (filter: JobFilter): (keyof JobFilter)[] =>
  (Object.keys(jobFilterSchema.shape) as (keyof JobFilter)[]).filter((name) => isAsked(filter[name]));

export const isFiltered = (filter: JobFilter): boolean => askedIn(filter).length > 0;

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
    const { where, params } = conditionsOf({ ...filter, text: undefined });
    const source = {
      from: `${hitsIn('job')} CROSS JOIN jobs INDEXED BY jobs_listed ON seq = hit.rowid`,
      by: 'hit.rowid',
      where: `${where} AND ${IS_MATCH}`,
      params: { ...params, match: matchOf(filter.text ?? '') },
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
