import { type ReadDb, sql, type WriteDb } from '../store/index.ts';
import { hasPrice, type JobRow } from './row.ts';

/** A job is sent at no higher price than the user has confirmed. */

const saveConfirmed = sql('jobs.saveConfirmed', 'UPDATE jobs SET confirmed_nano = $nano WHERE id = $id');

/** Whether the job may cost more than was confirmed; one whose known price was removed may cost anything. */
export const hasPriceRisen = (row: Pick<JobRow, 'confirmed_nano' | 'price' | 'estimate_nano'>): boolean =>
  row.confirmed_nano !== null && (!hasPrice(row) || row.estimate_nano > row.confirmed_nano);

const RISEN = `confirmed_nano IS NOT NULL AND (price = 'null' OR estimate_nano > confirmed_nano)`;
const risenOf = sql(
  'jobs.risenAmong',
  `SELECT jobs.* FROM json_each($ids) AS ids CROSS JOIN jobs ON jobs.id = ids.value WHERE ${RISEN}`,
);

/** Those of them for which {@link hasPriceRisen} holds; there may be thousands. */
export const risenAmong = (db: ReadDb, ids: readonly string[]): JobRow[] =>
  db.all<JobRow>(risenOf, { ids: JSON.stringify(ids) });

/** The user has confirmed the job at its present price, or at this amount; null stands for a price that is not known. */
export function confirmPrice(db: WriteDb, row: JobRow, nano = hasPrice(row) ? row.estimate_nano : null): void {
  row.confirmed_nano = nano;
  db.run(saveConfirmed, { id: row.id, nano });
}

/** The user has seen a higher price of a job, up to this amount; what was confirmed before holds as well. */
export function confirmUpTo(db: WriteDb, row: JobRow, nano = hasPrice(row) ? row.estimate_nano : null): void {
  if (nano !== null && row.confirmed_nano !== null && nano <= row.confirmed_nano) return;
  confirmPrice(db, row, nano);
}

/** A job that was confirmed at an unknown price: a later price is compared with the first known one. */
export function confirmFirstPrice(db: WriteDb, row: JobRow): void {
  if (row.confirmed_nano === null && hasPrice(row)) confirmPrice(db, row);
}
