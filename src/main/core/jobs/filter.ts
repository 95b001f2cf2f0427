import { isTerminal } from '../../../shared/job.ts';
import type { JobFilter } from '../../../shared/lists.ts';
import { matchOf } from '../../../shared/search/question.ts';
import { matching, type SqlParams } from '../store/index.ts';
import { IN_DOUBT } from './statements.ts';

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

/** `anyIndex: false` if the statement has an order and an index of its own, which the filter must not change. */
export function conditionsOf(filter: JobFilter, { anyIndex = true } = {}): Conditions {
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
    equals(`seq IN (${matching('job')})`, 'match', matchOf(filter.text));
  }
  return { where: conditions.length === 0 ? '1' : conditions.join(' AND '), params };
}
