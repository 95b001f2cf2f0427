import { formatNano, type Nano } from '../../../shared/money.ts';
import type { ColumnRole } from '../../../shared/statement/statement.ts';
import { t } from '../../../shared/texts.ts';

/** Rows of a bill that are no lines of it. Each is reported with its line number. */

const TOTALS = new Set([
  'total',
  'totals',
  'grand total',
  'subtotal',
  'sub total',
  'sum',
  'amount due',
  'total due',
  'balance',
  'balance due',
  'summe',
  'gesamt',
  'gesamtsumme',
]);

/** A row that names no order and says "Total", wherever that stands. */
export function isTotal(cells: readonly string[], used: Record<ColumnRole, string>): boolean {
  if (used.requestKey !== '' || used.amount === '') return false;
  const says = (cell: string): boolean => TOTALS.has(cell.trim().replace(/[:*]/g, '').trim().toLowerCase());
  if (used.remoteId !== '' && !says(used.remoteId)) return false;
  return cells.some((cell) => cell.length < 40 && says(cell));
}

/** Whether a row of totals agrees with the lines above it. */
export function totalSays(totalNano: Nano | undefined, sumNano: Nano): string {
  if (totalNano === undefined) return t`It is a row of totals.`;
  return totalNano === sumNano
    ? t`It is a row of totals, and agrees with the lines above it: ${formatNano(totalNano)}.`
    : t`It is a row of totals of ${formatNano(totalNano)}, and the lines above it are ${formatNano(sumNano)}.`;
}
