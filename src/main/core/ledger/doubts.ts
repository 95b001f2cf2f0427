import type { Nano } from '../../../shared/money.ts';
import { type ReadDb, sql } from '../store/index.ts';
import { type Change, type MoneyRow, priceOf, unpricedAside } from './moneyRow.ts';

/** What is in doubt for a job, on one day and in one night. */
export interface Doubt {
  countedAt: number;
  runId: string | null;
  /** 1: it was charged before, and was moved out of the charge by a correction; else the answers to orders were lost. */
  moved: number;
  /** How many orders it is about. */
  orders: number;
  /** What the answers to some of these stated, where that is more than was set aside for them; the dearest first. */
  stated: Nano[];
  nano: Nano;
  unpriced: number;
}

/** An entry that puts an order in doubt, or ends its doubt, names no price; one that follows a price does. */
const inDoubt = sql(
  'ledger.doubts',
  `SELECT counted_at AS countedAt, run_id AS runId, type = 'correction' AS moved, sum(uncertain_nano) AS nano, sum(unpriced_doubt) AS unpriced,
     iif(type = 'correction', 1, max(1, sum(type = 'doubt' AND price IS NULL) - sum(type = 'resolve' AND price IS NULL)
       - sum(type = 'charge' AND (uncertain_nano < 0 OR unpriced_doubt < 0)))) AS orders,
     json_group_array(uncertain_nano) FILTER (WHERE type = 'doubt' AND price IS NULL AND uncertain_nano + reserved_nano > 0) AS stated
   FROM ledger_entries WHERE job_id = $jobId
   GROUP BY counted_at, run_id, moved HAVING sum(uncertain_nano) > 0 OR sum(unpriced_doubt) > 0 ORDER BY counted_at`,
);

/** The oldest first. */
export const doubtsOf = (db: ReadDb, jobId: string): Doubt[] =>
  db.all<Omit<Doubt, 'stated'> & { stated: string }>(inDoubt, { jobId }).map((doubt) => {
    const stated = JSON.parse(doubt.stated) as Nano[];
    return { ...doubt, stated: stated.sort((a, b) => b - a) };
  });

/**
 * What the order now under way has open: its reservation, or, where its answer was lost, its doubt. Doubt about earlier orders of the
 * same job stays (it was sent again knowingly): nothing says that the service does not bill those as well.
 */
export function openOrder(db: ReadDb, row: MoneyRow): OpenOrder {
  const aside = unpricedAside(row);
  if (row.reserved_nano > 0 || aside > 0)
    return { reservedNano: 0 - row.reserved_nano, uncertainNano: 0, unpriced: 0 - aside, unpricedDoubt: 0 };
  // An order that costs nothing has nothing set aside: only what its own answer stated is in doubt.
  const last = isFree(row) && !row.stated_nano ? undefined : doubtsOf(db, row.id).at(-1);
  if (!last) return { reservedNano: 0, uncertainNano: 0, unpriced: 0, unpricedDoubt: 0 };
  const unpriced = priceOf(row) === null ? Math.min(1, last.unpriced) : 0;
  const most = last.orders === 1 ? last.nano : Math.max(row.estimate_nano, last.stated[0] ?? 0);
  const uncertainNano = 0 - Math.min(last.nano, most);
  return { reservedNano: 0, uncertainNano, unpriced: 0 - unpriced, unpricedDoubt: 0 - unpriced };
}

type OpenOrder = Required<Pick<Change, 'reservedNano' | 'uncertainNano' | 'unpriced' | 'unpricedDoubt'>>;

/** Its price is known, and nothing: there is no reservation that could be in doubt. */
export const isFree = (row: MoneyRow): boolean => priceOf(row) !== null && row.estimate_nano === 0;
