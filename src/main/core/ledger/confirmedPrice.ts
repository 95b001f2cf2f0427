import type { Nano } from '../../../shared/money.ts';
import { sql, type WriteDb } from '../store/index.ts';
import { type MoneyRow, priceOf } from './moneyRow.ts';

/** A job is sent at no higher price than the user has confirmed. */

const saveConfirmed = sql('ledger.saveConfirmed', 'UPDATE jobs SET confirmed_nano = $nano WHERE id = $id');

/**
 * Whether the job may cost more than was confirmed. One that was confirmed at an unknown price has the first known one as its highest; one
 * whose known price was removed may cost anything.
 */
export const hasPriceRisen = (row: Pick<MoneyRow, 'confirmed_nano' | 'price' | 'estimate_nano'>): boolean =>
  row.confirmed_nano !== null && (priceOf(row) === null || row.estimate_nano > row.confirmed_nano);

/** What the present price of a job would have to be confirmed as; null while it is unknown. */
const confirmable = (row: Pick<MoneyRow, 'price' | 'estimate_nano'>): Nano | null =>
  priceOf(row) === null ? null : row.estimate_nano;

/** The user has confirmed the job at this amount, or at an unknown one. */
export function confirmPrice(db: WriteDb, row: MoneyRow, nano: Nano | null = confirmable(row)): void {
  row.confirmed_nano = nano;
  db.run(saveConfirmed, { id: row.id, nano });
}

/** The user has seen a higher price of a job, up to this amount; what was confirmed before holds as well. */
export function confirmUpTo(db: WriteDb, row: MoneyRow, nano: Nano | null = confirmable(row)): void {
  if (row.confirmed_nano === null || (nano !== null && nano <= row.confirmed_nano)) return;
  confirmPrice(db, row, nano);
}
