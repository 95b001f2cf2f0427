import { type JobFilter, jobFilterSchema } from '../../../shared/jobs/lists.ts';
import { type ReadDb, sql } from '../store/index.ts';
import type { Conditions } from './filter.ts';

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
