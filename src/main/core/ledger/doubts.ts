import type { Nano } from '../../../shared/money.ts';
import { type ReadDb, sql } from '../store/index.ts';

/** What is in doubt for a job, on one day and in one night. */
export interface Doubt {
  countedAt: number;
  runId: string | null;
  nano: Nano;
  unpriced: number;
}
const inDoubt = sql(
  'ledger.doubts',
  `SELECT counted_at AS countedAt, run_id AS runId, sum(uncertain_nano) AS nano, sum(unpriced_doubt) AS unpriced
   FROM ledger_entries WHERE job_id = $jobId
   GROUP BY counted_at, run_id HAVING sum(uncertain_nano) > 0 OR sum(unpriced_doubt) > 0 ORDER BY counted_at`,
);

/** The oldest first. */
export const doubtsOf = (db: ReadDb, jobId: string): Doubt[] => db.all<Doubt>(inDoubt, { jobId });
