import { quantityOf } from '../../../shared/kinds/index.ts';
import type { MismatchEvidence, PricedRequest } from '../../../shared/money/ledger.ts';
import { costOf } from '../../../shared/money/price.ts';
import type { Quantity } from '../../../shared/money/quantity.ts';
import { type MismatchRow, mismatchById, periodHeadroom, priceFromMismatch, priceOf } from '../ledger/index.ts';
import { type ReadDb, sql } from '../store/index.ts';
import { SAME_PRICE, samePriceParams } from './charging.ts';
import type { EngineDeps } from './deps.ts';
import { isStopping, jobsWaitingFor, limitsOf, toPriceMismatch } from './mismatchFacts.ts';
import { readJob, rowById } from './records.ts';
import { type JobRow, requestOf, truncatedForList } from './row.ts';

/** Reads backwards by the primary key, so that a long history is not sorted. */
const chargedAtPrice = sql(
  'jobs.chargedAtPrice',
  `SELECT * FROM jobs WHERE +state = 'succeeded' AND quantity IS NOT NULL AND ${SAME_PRICE} ORDER BY seq DESC LIMIT $limit`,
);

const MAX_SUCCEEDED = 60;
const MAX_WAITING = 100;

type Deps = Pick<EngineDeps, 'store' | 'clock' | 'profiles'>;

/** What the user decides a mismatch by: earlier charges at its price, and the jobs that wait for it; undefined if there is no such mismatch. */
export function evidenceOf(deps: Deps, id: string): MismatchEvidence | undefined {
  return deps.store.readTransaction((db) => {
    const row = mismatchById(db, id);
    if (!row) return undefined;
    const waiting = isStopping(row) ? jobsWaitingFor(db, row) : [];
    const leftNano = headroomLeft(db, row, waiting, deps.clock.now());
    return {
      mismatch: toPriceMismatch(deps, db, row),
      made: succeededAtPrice(db, row),
      waiting: waitingOf(deps, db, row, waiting.slice(0, MAX_WAITING)),
      ...(leftNano === undefined ? {} : { leftNano }),
    };
  });
}

function succeededAtPrice(db: ReadDb, { profile_id, kind, model }: MismatchRow): PricedRequest[] {
  const alike = samePriceParams({ profileId: profile_id, kind, model });
  return db
    .all<JobRow>(chargedAtPrice, { ...alike, limit: MAX_SUCCEEDED })
    .reverse()
    .flatMap(pricedRequest);
}

function pricedRequest(job: JobRow): PricedRequest[] {
  const price = priceOf(job);
  if (price === null || job.quantity === null) return [];
  const expected = costOf(price, JSON.parse(job.quantity) as Quantity);
  return [
    {
      jobId: job.id,
      at: job.finished_at ?? job.created_at,
      nano: job.charged_nano,
      expectedNano: expected.nano,
      isStated: job.stated_nano !== null && job.stated_nano === job.charged_nano,
    },
  ];
}

function waitingOf(deps: Deps, db: ReadDb, row: MismatchRow, jobs: readonly JobRow[]): MismatchEvidence['waiting'] {
  const adopts = priceFromMismatch(db, row);
  const { outputTokens } = limitsOf(deps, row);
  return jobs.map((job) => ({
    job: truncatedForList(readJob(db, job)),
    nowNano: job.estimate_nano,
    thenNano: adopts ? costOf(adopts, quantityOf(requestOf(job), outputTokens)).nano : job.estimate_nano,
  }));
}

/** The headroom under the caps, including what the waiting jobs have already reserved. */
function headroomLeft(db: ReadDb, row: MismatchRow, waiting: readonly JobRow[], now: number): number | undefined {
  const isPlay = rowById(db, row.job_id)?.play === 1;
  const reservedNano = waiting.reduce((sum, job) => sum + job.reserved_nano, 0);
  const left = periodHeadroom(db, isPlay, now) + reservedNano;
  return Number.isFinite(left) ? Math.max(0, left) : undefined;
}
