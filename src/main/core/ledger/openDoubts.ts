import type { Nano } from '../../../shared/money/money.ts';
import { type ReadDb, sql } from '../store/index.ts';
import { type MoneyChange, type MoneyRow, priceOf, unpricedReserved } from './moneyRow.ts';

/** What is in doubt for a job on one day and in one night. */
export interface Doubt {
  countedAt: number;
  /** When it was reserved: before it counted, where a planned night began early. */
  since: number;
  runId: string | null;
  /** 1: the amount was charged before and moved into doubt by a correction; 0: the answers to attempts were lost. */
  wasCharged: number;
  /** Number of attempts in doubt. */
  attempts: number;
  /** Amounts that the answers to some of these stated where they exceed the reservation, highest first. */
  stated: Nano[];
  nano: Nano;
  unpriced: number;
}

/**
 * Entries that put an attempt in doubt, or end its doubt, have no price; entries that follow from a price change have one. An end of doubt
 * that was undone has a counter-entry of the same type.
 */
const inDoubt = sql(
  'ledger.doubts',
  `SELECT counted_at AS countedAt, min(counted_at, min(at)) AS since, run_id AS runId, type = 'correction' AS wasCharged, sum(uncertain_nano) AS nano, sum(unpriced_doubt) AS unpriced,
     iif(type = 'correction', 1, max(1, sum(type = 'doubt' AND price IS NULL) - sum(iif(type = 'resolve' AND price IS NULL, iif(uncertain_nano > 0 OR unpriced_doubt > 0, -1, 1), 0))
       - sum(type = 'charge' AND (uncertain_nano < 0 OR unpriced_doubt < 0)))) AS attempts,
     json_group_array(uncertain_nano) FILTER (WHERE type = 'doubt' AND price IS NULL AND uncertain_nano + reserved_nano > 0) AS stated
   FROM ledger_entries WHERE job_id = $jobId
   GROUP BY counted_at, run_id, wasCharged HAVING sum(uncertain_nano) > 0 OR sum(unpriced_doubt) > 0 ORDER BY counted_at`,
);

/** Oldest first. */
export const doubtsOf = (db: ReadDb, jobId: string): Doubt[] =>
  db.all<Omit<Doubt, 'stated'> & { stated: string }>(inDoubt, { jobId }).map((doubt) => {
    const stated = JSON.parse(doubt.stated) as Nano[];
    return { ...doubt, stated: stated.sort((a, b) => b - a) };
  });

/** The doubt about an attempt that was sent at `sentAt`: it was reserved before that, and any later one after it. */
export const doubtSentAt = (db: ReadDb, jobId: string, sentAt: number): Doubt | undefined =>
  doubtsOf(db, jobId)
    .filter(({ wasCharged, since }) => wasCharged === 0 && since <= sentAt)
    .sort((one, other) => one.since - other.since)
    .at(-1);

/**
 * The open amounts of the current attempt: its reservation or, if its answer was lost, its doubt. Doubt about earlier attempts of the
 * same job remains (it was knowingly sent again): the service may bill those as well.
 */
export function openAttempt(db: ReadDb, row: MoneyRow): OpenAttempt {
  const reserved = unpricedReserved(row);
  if (row.reserved_nano > 0 || reserved > 0)
    return { reservedNano: 0 - row.reserved_nano, uncertainNano: 0, unpriced: 0 - reserved, unpricedDoubt: 0 };
  // A free attempt has no reservation: only what its own answer stated is in doubt.
  const last = costsNothing(row) && !row.stated_nano ? undefined : doubtsOf(db, row.id).at(-1);
  if (!last) return { reservedNano: 0, uncertainNano: 0, unpriced: 0, unpricedDoubt: 0 };
  const unpriced = priceOf(row) === null ? Math.min(1, last.unpriced) : 0;
  const most = last.attempts === 1 ? last.nano : Math.max(row.estimate_nano, last.stated[0] ?? 0);
  const uncertainNano = 0 - Math.min(last.nano, most);
  return { reservedNano: 0, uncertainNano, unpriced: 0 - unpriced, unpricedDoubt: 0 - unpriced };
}

type OpenAttempt = Required<Pick<MoneyChange, 'reservedNano' | 'uncertainNano' | 'unpriced' | 'unpricedDoubt'>>;

/** Whether the price is known to be zero: there is no reservation that could be in doubt. */
export const costsNothing = (row: MoneyRow): boolean => priceOf(row) !== null && row.estimate_nano === 0;
