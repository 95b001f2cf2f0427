import type { LedgerEntry, MoneyTotals, TotalsRow } from '../../../shared/ledger.ts';
import { type ReadDb, type Sql, sql } from '../store/index.ts';

export type GroupBy = 'day' | 'model' | 'kind' | 'project';

/** `total`, since `sum` throws where integers grow too large; the figures are exact as long as they are safe integers. */
const SUMS = `total(settled_nano) AS settledNano, total(settled_low_nano) AS settledLowNano, total(reserved_nano) AS reservedNano,
  total(uncertain_nano) AS uncertainNano, count(DISTINCT job_id) AS jobs`;

const grouped = (by: GroupBy, column: string): Sql =>
  sql(
    `ledger.totalsBy.${by}`,
    `SELECT coalesce(${column}, '') AS key, ${SUMS} FROM ledger_entries
     WHERE counted_at >= $from AND counted_at < $to GROUP BY 1 ORDER BY 1`,
  );

const BY: Record<GroupBy, Sql> = {
  day: grouped('day', 'day'),
  model: grouped('model', 'model'),
  kind: grouped('kind', 'kind'),
  project: grouped('project', 'project_id'),
};

export interface Period {
  from?: number;
  to?: number;
}

/** Whether every figure is exact: a sum beyond 2^53 is none, and is never shown as one. */
export const isExact = (totals: readonly MoneyTotals[]): boolean =>
  totals.every((row) =>
    [row.settledNano, row.settledLowNano, row.reservedNano, row.uncertainNano].every(Number.isSafeInteger),
  );

/** Sums of the entries of a period; the three figures stand beside each other and are never added up. */
export function totals(db: ReadDb, by: GroupBy, period: Period): { rows: TotalsRow[]; sum: MoneyTotals } {
  const rows = db.all<TotalsRow>(BY[by], { from: period.from ?? 0, to: period.to ?? Number.MAX_SAFE_INTEGER });
  const sum = (pick: (row: TotalsRow) => number) => rows.reduce((total, row) => total + pick(row), 0);
  return {
    rows,
    sum: {
      settledNano: sum((row) => row.settledNano),
      settledLowNano: sum((row) => row.settledLowNano),
      reservedNano: sum((row) => row.reservedNano),
      uncertainNano: sum((row) => row.uncertainNano),
    },
  };
}

const COLUMNS = `seq, id, job_id AS jobId, at, type, settled_nano AS settledNano, settled_low_nano AS settledLowNano,
  reserved_nano AS reservedNano, uncertain_nano AS uncertainNano, price, note`;
const newestEntries = sql(
  'ledger.newest',
  `SELECT ${COLUMNS} FROM ledger_entries WHERE seq < $before ORDER BY seq DESC LIMIT $limit`,
);
const entriesOfJob = sql(
  'ledger.ofJob',
  `SELECT ${COLUMNS} FROM ledger_entries WHERE job_id = $jobId AND seq < $before ORDER BY seq DESC LIMIT $limit`,
);

/** Entries, newest first. */
export function entries(
  db: ReadDb,
  options: { cursor?: string; limit: number; jobId?: string },
): { entries: LedgerEntry[]; nextCursor?: string } {
  const before = options.cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(options.cursor);
  const page = { before: Number.isFinite(before) ? before : 0, limit: options.limit + 1 };
  const rows = options.jobId
    ? db.all<LedgerEntry & { seq: number }>(entriesOfJob, { ...page, jobId: options.jobId })
    : db.all<LedgerEntry & { seq: number }>(newestEntries, page);
  const shown = rows.slice(0, options.limit);
  const list = shown.map(({ seq: _seq, price, note, ...entry }) => ({
    ...entry,
    ...(price ? { price } : {}),
    ...(note ? { note } : {}),
  }));
  const last = shown.at(-1);
  return rows.length > options.limit && last ? { entries: list, nextCursor: String(last.seq) } : { entries: list };
}

const runSums = (name: string, condition: string) =>
  sql(
    name,
    `SELECT total(settled_nano) AS settledNano, total(settled_low_nano) AS settledLowNano,
       total(reserved_nano) AS reservedNano, total(uncertain_nano) AS uncertainNano
     FROM ledger_entries WHERE run_id = $runId AND type ${condition} 'correction'`,
  );
const spentInRun = runSums('ledger.spentInRun', '<>');
const correctedInRun = runSums('ledger.correctedInRun', '=');

/** What a night spent, from its entries, and apart from it what later corrections of prices added or took off. */
export function moneyOfRun(db: ReadDb, runId: string): { spent: MoneyTotals; corrected: MoneyTotals } {
  const none: MoneyTotals = { settledNano: 0, settledLowNano: 0, reservedNano: 0, uncertainNano: 0 };
  const read = (statement: Sql) => db.one<MoneyTotals>(statement, { runId }) ?? none;
  return { spent: read(spentInRun), corrected: read(correctedInRun) };
}
