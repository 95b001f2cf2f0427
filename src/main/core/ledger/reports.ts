import {
  type Budget,
  type LedgerEntry,
  type MoneyTotals,
  NO_MONEY,
  type TotalsRow,
} from '../../../shared/money/ledger.ts';
import {
  allOf,
  type List,
  type PageRange,
  type ReadDb,
  readPage,
  type Sql,
  type SqlParams,
  sql,
  whereIf,
} from '../store/index.ts';
import { IS_PRICE_SETTLED } from './prices/priceChanges.ts';

export type GroupBy = 'day' | 'model' | 'kind' | 'project' | 'gateway';

/** `total`, since `sum` throws on an integer overflow; the figures are exact while they are safe integers. */
const SUMS = `total(settled_nano) AS settledNano, total(settled_low_nano) AS settledLowNano, total(reserved_nano) AS reservedNano,
  total(uncertain_nano) AS uncertainNano, total(unpriced) AS unpriced`;

/** Only of the gateways in `$profileIds` if given. */
const OF_PROFILES = '($profileIds IS NULL OR profile_id IN (SELECT value FROM json_each($profileIds)))';
/** Entries of one side. */
export const OF_SIDE = `play = $play AND ${OF_PROFILES}`;

/** Test money or real money; all gateways of that side, or the named ones. */
export interface Side {
  play?: boolean;
  profileIds?: readonly string[] | undefined;
}

export const paramsOf = ({ play = false, profileIds }: Side): SqlParams => ({
  play: play ? 1 : 0,
  profileIds: profileIds ? JSON.stringify(profileIds) : null,
});

/** The days that lie wholly in the period; `isWhole` if no day lies partly in it and none is missing between. */
const daysWithin = sql(
  'ledger.daysWithin',
  `SELECT coalesce(min(day) FILTER (WHERE first_at >= $from AND last_at < $to), '') AS first,
     coalesce(max(day) FILTER (WHERE first_at >= $from AND last_at < $to), '') AS last,
     count(*) FILTER (WHERE first_at >= $from AND last_at < $to) AS inside,
     count(*) FILTER (WHERE last_at >= $from AND first_at < $to) AS touched
   FROM ledger_days WHERE play = $play`,
);
const daysBetween = sql(
  'ledger.daysBetween',
  'SELECT count(*) AS n FROM ledger_days WHERE play = $play AND day BETWEEN $first AND $last',
);
/** Sums are also kept by gateway: those of each kind, with the kind removed, are the gateway's. */
const KEYS = { own: 'key', gateway: 'profile_id' } as const;
type Key = keyof typeof KEYS;
const ofKey = (name: string, text: (key: string) => string): Record<Key, Sql> => ({
  own: sql(name, text(KEYS.own)),
  gateway: sql(`${name}.gateway`, text(KEYS.gateway)),
});
const keyOf = (by: GroupBy): Key => (by === 'gateway' ? 'gateway' : 'own');
/** The grouping in the table. */
const groupIn = (by: GroupBy): GroupBy => (by === 'gateway' ? 'kind' : by);
/** Columns as stored: a day of one gateway is one row, so grouping would only be slower. */
const sumsByDay = sql(
  'ledger.sums',
  `SELECT day AS key, settled_nano AS settledNano, settled_low_nano AS settledLowNano, reserved_nano AS reservedNano,
     uncertain_nano AS uncertainNano, unpriced, job_count AS jobs FROM ledger_sums
   WHERE play = $play AND grouped_by = $by AND day BETWEEN $first AND $last AND ${OF_PROFILES} ORDER BY day`,
);
/** Whether the months of the first and the last day have days outside the period. */
const besideDays = sql(
  'ledger.besideDays',
  `SELECT EXISTS (SELECT 1 FROM ledger_days WHERE play = $play AND day >= substr($first, 1, 7) AND day < $first) AS before,
     EXISTS (SELECT 1 FROM ledger_days WHERE play = $play AND day > $last AND day < substr($last, 1, 7) || '~') AS after`,
);
const OF_GROUP = `play = $play AND grouped_by = $by AND ${OF_PROFILES}`;
const OF_MONTHS = `${OF_GROUP} AND month >= $fromMonth AND month < $toMonth`;
const sumsOfMonths = ofKey(
  'ledger.monthSums',
  (key) =>
    `SELECT ${key} AS key, ${SUMS}, sum(job_count) AS jobs FROM ledger_months WHERE ${OF_MONTHS} GROUP BY 1 ORDER BY 1`,
);
/** Whole months, and the days before and after them. */
const sumsOfMonthsAndDays = ofKey(
  'ledger.monthAndDaySums',
  (key) => `SELECT ${key} AS key, ${SUMS}, sum(job_count) AS jobs FROM (
     SELECT * FROM ledger_months WHERE ${OF_MONTHS}
     UNION ALL SELECT * FROM ledger_sums WHERE ${OF_GROUP} AND day BETWEEN $first AND $headEnd
     UNION ALL SELECT * FROM ledger_sums WHERE ${OF_GROUP} AND day BETWEEN $tailStart AND $last)
   GROUP BY 1 ORDER BY 1`,
);
/** By key: how often a job was counted on an earlier day of the period. */
const countedBefore = ofKey(
  'ledger.revisits',
  (key) => `SELECT ${key} AS key, count(*) AS jobs FROM ledger_revisits
   WHERE play = $play AND grouped_by = $by AND day BETWEEN $first AND $last AND earlier_day >= $first AND ${OF_PROFILES} GROUP BY 1`,
);

/** For a period with partial days: the entries themselves. */
const ofEntries = (by: GroupBy, column: string): Sql =>
  sql(
    `ledger.totalsBy.${by}`,
    `SELECT coalesce(${column}, '') AS key, ${SUMS}, count(DISTINCT job_id) AS jobs FROM ledger_entries
     WHERE counted_at >= $from AND counted_at < $to AND ${OF_SIDE} GROUP BY 1 ORDER BY 1`,
  );
const BY: Record<GroupBy, Sql> = {
  day: ofEntries('day', 'day'),
  model: ofEntries('model', 'model'),
  kind: ofEntries('kind', 'kind'),
  project: ofEntries('project', 'project_id'),
  gateway: ofEntries('gateway', 'profile_id'),
};

interface Days {
  first: string;
  last: string;
}

/** Sorts behind every day and month. */
const NEVER = '~';

/** The period as whole days; undefined if it has partial ones. */
function wholeDays(db: ReadDb, period: { play: number; from: number; to: number }): Days | undefined {
  if (period.from <= 0 && period.to === Number.MAX_SAFE_INTEGER) return { first: '', last: NEVER };
  const days = db.one<Days & { inside: number; touched: number }>(daysWithin, period);
  if (!days || days.inside < days.touched) return undefined;
  const { first, last, inside } = days;
  const between = db.one<{ n: number }>(daysBetween, { play: period.play, first, last })?.n;
  return between === inside ? { first, last } : undefined;
}

/** Selects no days, for a period without days before the first whole month or after the last. */
const NO_HEAD = '';
const NO_TAIL = NEVER + NEVER;

/** The whole months of the period, and the days before and after them. */
function monthsOf(db: ReadDb, play: 0 | 1, { first, last }: Days): Record<string, string> {
  const beside = db.one<{ before: 0 | 1; after: 0 | 1 }>(besideDays, { play, first, last });
  const [firstMonth, lastMonth] = [first.slice(0, 7), last.slice(0, 7)];
  const noHead = { fromMonth: firstMonth, headEnd: NO_HEAD };
  const noTail = { toMonth: lastMonth + NEVER, tailStart: NO_TAIL };
  if (!beside?.before && !beside?.after) return { ...noHead, ...noTail };
  if (firstMonth === lastMonth) return { ...noHead, ...noTail, toMonth: '', headEnd: last };
  const endOfFirst = firstMonth + NEVER;
  return {
    ...(beside.before ? { fromMonth: endOfFirst, headEnd: endOfFirst } : noHead),
    ...(beside.after ? { toMonth: lastMonth, tailStart: lastMonth } : noTail),
  };
}

function sumsOfDays(db: ReadDb, by: GroupBy, side: SqlParams, days: Days): TotalsRow[] {
  const params = { ...side, by: groupIn(by), ...days };
  if (by === 'day') return ofAllGateways(db.all<TotalsRow>(sumsByDay, params));
  const months = monthsOf(db, side.play === 1 ? 1 : 0, days);
  const isWhole = months.headEnd === NO_HEAD && months.tailStart === NO_TAIL;
  return db.all<TotalsRow>((isWhole ? sumsOfMonths : sumsOfMonthsAndDays)[keyOf(by)], { ...params, ...months });
}

/** Rows of one key are adjacent. */
function ofAllGateways(rows: readonly TotalsRow[]): TotalsRow[] {
  const merged: TotalsRow[] = [];
  for (const row of rows) {
    const before = merged.at(-1);
    if (before?.key !== row.key) merged.push(row);
    else merged[merged.length - 1] = { ...addMoney(before, row), key: row.key, jobs: before.jobs + row.jobs };
  }
  return merged;
}

function rowsOfDays(db: ReadDb, by: GroupBy, side: SqlParams, { first, last }: Days): TotalsRow[] {
  const rows = sumsOfDays(db, by, side, { first, last });
  // A job counts once a day.
  if (by === 'day') return rows;
  const params = { ...side, by: groupIn(by), first, last };
  const again = new Map(
    db.all<{ key: string; jobs: number }>(countedBefore[keyOf(by)], params).map(({ key, jobs }) => [key, jobs]),
  );
  return again.size === 0 ? rows : rows.map((row) => ({ ...row, jobs: row.jobs - (again.get(row.key) ?? 0) }));
}

export interface Period extends Side {
  from?: number;
  to?: number;
}

/** Whether every figure is exact: sums beyond 2^53 are not, and are never shown. */
export const isExact = (totals: readonly MoneyTotals[]): boolean =>
  totals.every((row) =>
    [row.settledNano, row.settledLowNano, row.reservedNano, row.uncertainNano].every(Number.isSafeInteger),
  );

/** Sums of one side's entries in a period. The three figures are never added. */
export function totals(db: ReadDb, by: GroupBy, period: Period): { rows: TotalsRow[]; sum: MoneyTotals } {
  const { from = 0, to = Number.MAX_SAFE_INTEGER } = period;
  const side = paramsOf(period);
  const days = wholeDays(db, { play: period.play ? 1 : 0, from, to });
  const rows = days ? rowsOfDays(db, by, side, days) : db.all<TotalsRow>(BY[by], { ...side, from, to });
  return { rows, sum: rows.reduce(addMoney, NO_MONEY) };
}

const addMoney = (a: MoneyTotals, b: MoneyTotals): MoneyTotals => ({
  settledNano: a.settledNano + b.settledNano,
  settledLowNano: a.settledLowNano + b.settledLowNano,
  reservedNano: a.reservedNano + b.reservedNano,
  uncertainNano: a.uncertainNano + b.uncertainNano,
  unpriced: a.unpriced + b.unpriced,
});

const WITHIN: Record<Budget['scope'], Sql> = {
  day: sql('ledger.ofDay', `SELECT ${SUMS} FROM ledger_entries WHERE day = $key AND ${OF_SIDE}`),
  month: sql('ledger.ofMonth', `SELECT ${SUMS} FROM ledger_entries WHERE substr(day, 1, 7) = $key AND ${OF_SIDE}`),
  project: sql('ledger.ofProject', `SELECT ${SUMS} FROM ledger_entries WHERE project_id = $key AND ${OF_SIDE}`),
  run: sql('ledger.ofRun', `SELECT ${SUMS} FROM ledger_entries WHERE run_id = $key AND ${OF_SIDE}`),
};

/** The sums of one side, or of some of its gateways, for a day `2026-11-21`, a month `2026-11`, a project or a run. */
export const totalsOf = (
  db: ReadDb,
  { scope, key }: { scope: Budget['scope']; key: string },
  side: Side,
): MoneyTotals => db.one<MoneyTotals>(WITHIN[scope], { ...paramsOf(side), key }) ?? NO_MONEY;

const COLUMNS = `seq, id, job_id AS jobId, at, type, settled_nano AS settledNano, settled_low_nano AS settledLowNano,
  reserved_nano AS reservedNano, uncertain_nano AS uncertainNano, unpriced, price, note`;
export function entries(
  db: ReadDb,
  { jobId: ofJob, ...options }: Side & PageRange & { jobId?: string | undefined },
): { entries: LedgerEntry[]; nextCursor?: string } {
  const list: List<LedgerEntry & { seq: number }> = {
    ...{
      name: 'ledger.entries',
      view: `SELECT ${COLUMNS} FROM ledger_entries`,
      from: 'ledger_entries',
      direction: 'desc',
    },
    order: [{ column: 'seq', of: ({ seq }) => seq }],
    ...allOf({ where: OF_SIDE, params: paramsOf(options) }, whereIf('job_id = $jobId', 'jobId', ofJob)),
  };
  const { rows, ...next } = readPage(db, list, options);
  const shown = rows.map(({ seq: _seq, jobId, price, note, unpriced, ...entry }) => ({
    ...entry,
    ...(jobId ? { jobId } : {}),
    ...(unpriced ? { unpriced } : {}),
    ...(price ? { price } : {}),
    ...(note ? { note } : {}),
  }));
  return { entries: shown, ...next };
}

const runSums = (name: string, condition: string) =>
  sql(name, `SELECT ${SUMS} FROM ledger_entries WHERE play = $play AND run_id = $runId AND ${condition}`);
const spentInRun = runSums('ledger.spentInRun', `NOT ${IS_PRICE_SETTLED}`);
const correctedInRun = runSums('ledger.correctedInRun', IS_PRICE_SETTLED);

/**
 * A run's spend on one side, including later releases, disputes and bills, and separately the corrections by prices that were settled
 * later.
 */
export function moneyOfRun(db: ReadDb, play: boolean, runId: string): { spent: MoneyTotals; corrected: MoneyTotals } {
  const read = (statement: Sql) => db.one<MoneyTotals>(statement, { play: play ? 1 : 0, runId }) ?? NO_MONEY;
  const [spent, corrected] = [read(spentInRun), read(correctedInRun)];
  // Requests without a price when they were made are no longer unpriced once it is set.
  return {
    spent: { ...spent, unpriced: spent.unpriced + corrected.unpriced },
    corrected: { ...corrected, unpriced: 0 },
  };
}
