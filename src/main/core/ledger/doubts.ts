import type { Nano } from '../../../shared/money.ts';
import { type ReadDb, sql } from '../store/index.ts';

/** What is in doubt for a job, on one day and in one night. */
export interface Doubt {
  countedAt: number;
  runId: string | null;
  /** 1: it was charged before, and was moved out of the charge by a correction; else the answers to orders were lost. */
  moved: number;
  /** How many orders it is about. */
  orders: number;
  nano: Nano;
  unpriced: number;
}

/** An entry that puts an order in doubt, or ends its doubt, names no price; one that follows a price does. */
const inDoubt = sql(
  'ledger.doubts',
  `SELECT counted_at AS countedAt, run_id AS runId, type = 'correction' AS moved, sum(uncertain_nano) AS nano, sum(unpriced_doubt) AS unpriced,
     iif(type = 'correction', 1, max(1, sum(type = 'doubt' AND price IS NULL) - sum(type = 'resolve' AND price IS NULL)
       - sum(type = 'charge' AND (uncertain_nano < 0 OR unpriced_doubt < 0)))) AS orders
   FROM ledger_entries WHERE job_id = $jobId
   GROUP BY counted_at, run_id, moved HAVING sum(uncertain_nano) > 0 OR sum(unpriced_doubt) > 0 ORDER BY counted_at`,
);

/** The oldest first. */
export const doubtsOf = (db: ReadDb, jobId: string): Doubt[] => db.all<Doubt>(inDoubt, { jobId });
