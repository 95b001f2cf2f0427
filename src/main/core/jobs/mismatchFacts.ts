import { limitsSchema } from '../../../shared/gateway/profileLimits.ts';
import { quantityOf } from '../../../shared/kinds/index.ts';
import type { PriceMismatch } from '../../../shared/money/ledger.ts';
import { MAX_NANO, type Nano, sumNano } from '../../../shared/money/money.ts';
import { costOf } from '../../../shared/money/price.ts';
import { adoptionOf, type MismatchRow } from '../ledger/index.ts';
import { type ReadDb, sql } from '../store/index.ts';
import { SAME_PRICE, samePriceParams } from './charging.ts';
import type { EngineDeps } from './deps.ts';
import { type JobRow, requestOf } from './row.ts';

/** Facts about a mismatch between a stated cost and the price book: the jobs that it blocks, and the price that it implies. */

const waitingAtPrice = sql(
  'jobs.waitingAtPrice',
  `SELECT * FROM jobs WHERE state IN ('queued', 'blocked') AND ${SAME_PRICE} ORDER BY position`,
);

type Deps = Pick<EngineDeps, 'profiles'>;

export const isStopping = ({ state }: MismatchRow): boolean => state === 'open' || state === 'disputed';

export const jobsWaitingFor = (db: ReadDb, { profile_id, kind, model }: MismatchRow): JobRow[] =>
  db.all<JobRow>(waitingAtPrice, samePriceParams({ profileId: profile_id, kind, model }));

export const limitsOf = ({ profiles }: Deps, { profile_id }: MismatchRow) =>
  profiles.get(profile_id)?.limits ?? limitsSchema.parse({});

/** The row in the contract's shape, with the jobs that it blocks. */
export function toPriceMismatch(deps: Deps, db: ReadDb, row: MismatchRow): PriceMismatch {
  const adoption = adoptionOf(db, row);
  const { adopts, keeps } = adoption;
  const { outputTokens } = limitsOf(deps, row);
  const waiting = isStopping(row) ? jobsWaitingFor(db, row) : [];
  const sum = (cost: (job: JobRow) => Nano) => sumNano(waiting.map(cost)) ?? MAX_NANO;
  const now = (job: JobRow) => job.estimate_nano;
  const then = (job: JobRow) => (adopts ? costOf(adopts, quantityOf(requestOf(job), outputTokens)).nano : 0);
  return {
    id: row.id,
    profileId: row.profile_id,
    kind: row.kind,
    model: row.model,
    jobId: row.job_id,
    ...(row.run_id === null ? {} : { runId: row.run_id }),
    expectedNano: row.expected_nano,
    expectedLowNano: row.expected_low_nano,
    statedNano: row.stated_nano,
    statedBy: row.stated_by,
    at: row.at,
    state: row.state,
    waiting: { count: waiting.length, nowNano: sum(now), thenNano: sum(keeps ? now : then) },
    ...adoption,
  };
}
