import type { CallParsed } from '../../../shared/contract.ts';
import type { Job } from '../../../shared/job.ts';
import { ftsQuery } from '../library/index.ts';
import { type ReadDb, type SqlParams, sql } from '../store/index.ts';
import { jobFrom } from './records.ts';
import { type JobRow, listed } from './row.ts';
import { IN_DOUBT } from './statements.ts';

/** `jobs.list`: newest first, by cursor; `total` counts everything the filter matches. */
export function listJobs(
  db: ReadDb,
  filter: CallParsed<'jobs.list'>,
): { jobs: Job[]; nextCursor?: string; total: number } {
  const { where, params } = conditionsOf(filter);
  const before = filter.cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(filter.cursor) || 0;
  const page = sql('jobs.list', `SELECT * FROM jobs WHERE ${where} AND seq < $before ORDER BY seq DESC LIMIT $limit`);
  const rows = db.all<JobRow>(page, { ...params, before, limit: filter.limit + 1 });
  const total =
    db.one<{ n: number }>(sql('jobs.count', `SELECT count(*) AS n FROM jobs WHERE ${where}`), params)?.n ?? 0;
  const shown = rows.slice(0, filter.limit);
  const jobs = shown.map((row) => listed(jobFrom(db, row)));
  const last = shown.at(-1);
  return rows.length > filter.limit && last ? { jobs, total, nextCursor: String(last.seq) } : { jobs, total };
}

function conditionsOf(filter: CallParsed<'jobs.list'>): { where: string; params: SqlParams } {
  const params: SqlParams = {};
  const conditions: string[] = [];
  const oneOf = (column: string, values: readonly string[] | undefined, noIndex = false): void => {
    if (!values || values.length === 0) return;
    params[column] = JSON.stringify(values);
    conditions.push(`${noIndex ? '+' : ''}${column} IN (SELECT value FROM json_each($${column}))`);
  };
  oneOf('kind', filter.kinds);
  // Few are in doubt, and they have an index of their own (`jobs_in_doubt`); by their states nearly all jobs would be read.
  oneOf('state', filter.states, filter.costInDoubt);
  oneOf('model', filter.models);
  const equals = (condition: string, name: string, value: string | number | undefined): void => {
    if (value === undefined) return;
    conditions.push(condition);
    params[name] = value;
  };
  equals('project_id = $projectId', 'projectId', filter.projectId);
  equals('created_at >= $from', 'from', filter.from);
  equals('created_at < $to', 'to', filter.to);
  if (filter.costInDoubt) conditions.push(`(${IN_DOUBT})`);
  if (filter.play !== undefined) equals('play = $play', 'play', filter.play ? 1 : 0);
  if (filter.verdict === 'none') conditions.push('verdict IS NULL');
  else equals('verdict = $verdict', 'verdict', filter.verdict);
  if (filter.text && filter.text.trim() !== '') {
    equals('seq IN (SELECT rowid FROM jobs_fts WHERE jobs_fts MATCH $match)', 'match', ftsQuery(filter.text));
  }
  return { where: conditions.length === 0 ? '1' : conditions.join(' AND '), params };
}
