import { quantityOf } from '../../../shared/kinds/index.ts';
import type { MismatchEvidence, MismatchState, PriceMismatch } from '../../../shared/ledger.ts';
import { costOf } from '../../../shared/price.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import {
  chargedQuantityOf,
  expectedIfMismatch,
  type MismatchRow,
  mismatchById,
  priceFromMismatch,
  setMismatchState,
  stoppingMismatches,
  stoppingMismatchOf,
} from '../ledger/index.ts';
import { sql, type WriteDb } from '../store/index.ts';
import { mismatchInput, SAME_PRICE, samePriceParams } from './charging.ts';
import type { EngineDeps } from './deps.ts';
import { chargePriceBook, chargeStated } from './disputes.ts';
import { isStopping, jobsWaitingFor, limitsOf, toPriceMismatch } from './mismatchFacts.ts';
import { evidenceOf } from './priceEvidence.ts';
import { type JobRow, requestOf } from './row.ts';
import { reevaluateReservation } from './waiting.ts';

/** In the order of the ledger, whatever the clock was set to meanwhile: what is charged from the stopping charge on. */
const statedSince = sql(
  'jobs.statedSince',
  `SELECT * FROM jobs WHERE stated_nano IS NOT NULL AND quantity IS NOT NULL AND ${SAME_PRICE} AND id IN (
     SELECT job_id FROM ledger_entries WHERE type IN ('charge', 'correction')
       AND seq >= (SELECT max(seq) FROM ledger_entries WHERE job_id = $jobId AND type = 'charge'))
   ORDER BY seq`,
);

type Deps = Pick<EngineDeps, 'store' | 'clock' | 'ledger' | 'profiles' | 'emit'>;

/** What a stated cost has stopped, and the ways on. `announce` is called after each commit. */
export class PriceMismatches {
  private readonly deps: Deps;
  private readonly announce: (ids: string[]) => void;

  constructor(deps: Deps, announce: (ids: string[]) => void) {
    this.deps = deps;
    this.announce = announce;
    deps.store.onRevised('price_mismatches', (ids) => {
      for (const mismatch of ids.flatMap((id) => this.get(id) ?? [])) deps.emit({ type: 'mismatch.changed', mismatch });
    });
  }

  /** What one is judged by; undefined where there is no such. */
  evidence(id: string): MismatchEvidence | undefined {
    return evidenceOf(this.deps, id);
  }

  list(): PriceMismatch[] {
    return this.deps.store.readTransaction((db) =>
      stoppingMismatches(db).map((row) => toPriceMismatch(this.deps, db, row)),
    );
  }

  get(id: string): PriceMismatch | undefined {
    const { store } = this.deps;
    const row = mismatchById(store.read, id);
    return row && toPriceMismatch(this.deps, store.read, row);
  }

  /** The user has chosen. For `adopt` the price is set before; here what waits goes on, or stays. */
  resolve(id: string, as: 'adopt' | 'dispute' | 'once'): Result<PriceMismatch> {
    const { store, clock } = this.deps;
    const changed = store.transaction((db): Result<string[]> => {
      const mismatch = mismatchById(db, id);
      if (!mismatch) return noSuchMismatch;
      if (!isStopping(mismatch)) return fail('wrong_state', 'It is resolved already.');
      if (as === 'dispute' && mismatch.state === 'disputed') return fail('wrong_state', 'It is disputed already.');
      const moved = this.moveMoney(db, mismatch, as);
      setMismatchState(db, id, STATE_AFTER[as], clock.now());
      return ok([mismatch.job_id, ...moved, ...(as === 'dispute' ? [] : release(this.deps, db, mismatch))]);
    });
    if (!changed.ok) return changed;
    this.announce(changed.data);
    const mismatch = this.get(id);
    return mismatch ? ok(mismatch) : noSuchMismatch;
  }

  /** What the choice does to charges and to what is set aside. Returns the ids of its jobs. */
  private moveMoney(db: WriteDb, mismatch: MismatchRow, as: 'adopt' | 'dispute' | 'once'): string[] {
    if (as === 'dispute') return this.moveCharges(db, mismatch, chargePriceBook);
    if (as === 'once') return this.repriceWaiting(db, mismatch);
    // A dispute is given up: what the answers stated is charged after all.
    return mismatch.state === 'disputed' ? this.moveCharges(db, mismatch, chargeStated) : [];
  }

  /** A dispute is about the price: each charge that was stated at it since it was stopped goes the same way. Returns their ids. */
  private moveCharges(db: WriteDb, mismatch: MismatchRow, move: typeof chargePriceBook): string[] {
    const { job_id: jobId, profile_id: profileId, kind, model } = mismatch;
    return db.all<JobRow>(statedSince, { jobId, ...samePriceParams({ profileId, kind, model }) }).flatMap((job) => {
      const stated = { ...mismatchInput(job, chargedQuantityOf(job)), statedNano: job.stated_nano ?? 0 };
      const expected = expectedIfMismatch(db, job, stated);
      return expected && move(this.deps.ledger, db, job, expected) ? [job.id] : [];
    });
  }

  /** What waits now is set aside at what was stated, so that no cap is passed by it; what is ordered later has the book's price. */
  private repriceWaiting(db: WriteDb, mismatch: MismatchRow): string[] {
    const price = priceFromMismatch(db, mismatch);
    if (!price) return [];
    const { outputTokens } = limitsOf(this.deps, mismatch);
    const waiting = jobsWaitingFor(db, mismatch);
    // Shared out anew in the order of the queue.
    for (const row of waiting) this.deps.ledger.release(db, row, 'the price was changed');
    return waiting.map((row) => {
      this.deps.ledger.priceChanges.repriceWaiting(
        db,
        row,
        price,
        costOf(price, quantityOf(requestOf(row), outputTokens)),
      );
      return row.id;
    });
  }
}

const STATE_AFTER: Record<'adopt' | 'dispute' | 'once', MismatchState> = {
  adopt: 'adopted',
  dispute: 'disputed',
  once: 'once',
};

const noSuchMismatch = fail('not_found', 'id: there is no such mismatch.', { field: 'id' });

/** What waits is looked at again. Returns its ids. */
function release(deps: Pick<Deps, 'clock' | 'ledger'>, db: WriteDb, mismatch: MismatchRow): string[] {
  const waiting = jobsWaitingFor(db, mismatch).map(({ id }) => id);
  for (const id of waiting) reevaluateReservation(deps, db, id);
  return waiting;
}

/**
 * The charge that a job's answer stated is taken back: there is nothing left to adopt or to dispute, so what it stopped goes on. The
 * next answer that states too much stops it again. Returns the ids that changed.
 */
export function closeMismatchOf(deps: Pick<Deps, 'clock' | 'ledger'>, db: WriteDb, jobId: string): string[] {
  const mismatch = stoppingMismatchOf(db, jobId);
  if (!mismatch) return [];
  setMismatchState(db, mismatch.id, STATE_AFTER.once, deps.clock.now());
  return release(deps, db, mismatch);
}
