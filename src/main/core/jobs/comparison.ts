import { assetRowsOfJob } from '../library/index.ts';
import type { ReadDb } from '../store/index.ts';
import type { Comparison } from './kinds/driver.ts';
import { taskDriverOf } from './kinds/index.ts';
import { type JobRow, requestOf } from './row.ts';

/** Compares the results of a job with its request, by the facts of the verified files. */
export function compareResults(db: ReadDb, row: JobRow): Comparison {
  const all = assetRowsOfJob(db, row.id);
  const here = all.filter(({ state }) => state === 'local');
  return taskDriverOf(row)?.compare(db, row, requestOf(row), { all, here }) ?? { differs: [] };
}
