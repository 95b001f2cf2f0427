import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import { limitsSchema } from '../../../../shared/gateway/profileLimits.ts';
import { quantityOf } from '../../../../shared/kinds/index.ts';
import type { MismatchEvidence, MismatchState, PricedRequest, PriceMismatch } from '../../../../shared/money/ledger.ts';
import { MAX_NANO, type Nano, sumNano } from '../../../../shared/money/money.ts';
import { type Cost, costOf, type Price } from '../../../../shared/money/price.ts';
import type { Quantity } from '../../../../shared/money/quantity.ts';
import { en } from '../../../../shared/text/texts.ts';
import {
  adoptionOf,
  chargedQuantityOf,
  chargedSince,
  expectedIfMismatch,
  type MismatchRow,
  mismatchById,
  periodHeadroom,
  priceFromMismatch,
  priceOf,
  setMismatchState,
  stoppingMismatches,
  stoppingMismatchOf,
} from '../../ledger/index.ts';
import { type KeyedCall, onceByKey } from '../../requestKeys/index.ts';
import { type ReadDb, sql, type WriteDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import { readJob, rowById } from '../jobRepository.ts';
import { confirmUpTo, reevaluateReservation } from '../reevaluate.ts';
import { type JobRow, requestOf, truncatedForList } from '../row.ts';
import { mismatchInput, SAME_PRICE, samePriceParams } from './charging.ts';
import { chargePriceBook, chargeStated } from './disputes.ts';

const statedAmong = sql(
  'jobs.statedAmong',
  `SELECT * FROM jobs WHERE stated_nano IS NOT NULL AND quantity IS NOT NULL AND ${SAME_PRICE}
     AND id IN (SELECT value FROM json_each($charged)) ORDER BY seq`,
);

type Deps = Pick<EngineDeps, 'store' | 'clock' | 'ledger' | 'profiles' | 'emit'>;

/** Mismatches between stated costs and the price book, and how the user resolves them. `changed` is called after each commit. */
export class PriceMismatches {
  private readonly deps: Deps;
  private readonly changed: () => void;

  constructor(deps: Deps, changed: () => void) {
    this.deps = deps;
    this.changed = changed;
    deps.store.onRevised('price_mismatches', (ids) => {
      for (const mismatch of ids.flatMap((id) => this.get(id) ?? [])) deps.emit({ type: 'mismatch.changed', mismatch });
    });
  }

  /** The facts for the user's decision; undefined if there is no such mismatch. */
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

  /** Resolves a mismatch as the user has chosen, once for the key of the call. For `adopt` the caller has already set the price. */
  resolve(id: string, as: 'adopt' | 'dispute' | 'once', call?: KeyedCall): Result<PriceMismatch> {
    const { store, clock } = this.deps;
    const resolved = store.transaction((db) => onceByKey(db, call, clock.now(), () => this.resolveIn(db, id, as)));
    if (!resolved.ok) return resolved;
    if (!resolved.data.isRepeat) this.changed();
    const mismatch = this.get(id);
    return mismatch ? ok(mismatch) : noSuchMismatch;
  }

  private resolveIn(db: WriteDb, id: string, as: 'adopt' | 'dispute' | 'once'): Result<null> {
    const mismatch = mismatchById(db, id);
    if (!mismatch) return noSuchMismatch;
    if (!isStopping(mismatch)) return fail('wrong_state', en`It is resolved already.`);
    if (as === 'dispute' && mismatch.state === 'disputed') return fail('wrong_state', en`It is disputed already.`);
    this.moveMoney(db, mismatch, as);
    if (as !== 'dispute') this.confirmStated(db, mismatch);
    setMismatchState(db, id, STATE_AFTER[as], this.deps.clock.now());
    if (as !== 'dispute') release(this.deps, db, mismatch);
    return ok(null);
  }

  /**
   * Confirms the stated cost, which was shown as the price of the waiting jobs. A higher price set by hand was not shown, so it is not
   * confirmed.
   */
  private confirmStated(db: WriteDb, mismatch: MismatchRow): void {
    const price = priceFromMismatch(db, mismatch);
    if (!price) return;
    const costAt = costAtPrice(this.deps, mismatch, price);
    for (const row of jobsWaitingFor(db, mismatch)) confirmUpTo(db, row, costAt(row).nano);
  }

  /** Changes charges and reservations as the user has chosen. */
  private moveMoney(db: WriteDb, mismatch: MismatchRow, as: 'adopt' | 'dispute' | 'once'): void {
    if (as === 'dispute') this.moveCharges(db, mismatch, chargePriceBook);
    else if (as === 'once') this.repriceWaiting(db, mismatch);
    // The dispute ends: the stated costs are charged after all.
    else if (mismatch.state === 'disputed') this.moveCharges(db, mismatch, chargeStated);
  }

  /**
   * A dispute concerns the price, so every stated charge at it since the mismatch changes the same way. Earlier versions compared
   * differently, so the charge of the mismatch itself moves too, and on the way back every charge that the dispute has moved.
   */
  private moveCharges(db: WriteDb, mismatch: MismatchRow, move: typeof chargePriceBook): void {
    const { job_id: jobId, profile_id: profileId, kind, model } = mismatch;
    const charged = JSON.stringify(chargedSince(db, jobId));
    for (const job of db.all<JobRow>(statedAmong, { charged, ...samePriceParams({ profileId, kind, model }) })) {
      const quantity = chargedQuantityOf(job);
      const stated = { ...mismatchInput(job, quantity), statedNano: job.stated_nano ?? 0 };
      const price = job.id === jobId || move === chargeStated ? priceOf(job) : null;
      const expected = price ? costOf(price, quantity) : expectedIfMismatch(db, job, stated);
      if (expected) move(this.deps.ledger, db, job, expected);
    }
  }

  /** Waiting jobs now reserve the stated cost, so that they exceed no budget; jobs enqueued later have the price book's price. */
  private repriceWaiting(db: WriteDb, mismatch: MismatchRow): void {
    const price = priceFromMismatch(db, mismatch);
    if (!price) return;
    const costAt = costAtPrice(this.deps, mismatch, price);
    const waiting = jobsWaitingFor(db, mismatch);
    // Reserved again in queue order.
    for (const row of waiting) this.deps.ledger.release(db, row, 'the price was changed');
    for (const row of waiting) this.deps.ledger.priceChanges.repriceWaiting(db, row, price, costAt(row));
  }
}

const STATE_AFTER: Record<'adopt' | 'dispute' | 'once', MismatchState> = {
  adopt: 'adopted',
  dispute: 'disputed',
  once: 'once',
};

const noSuchMismatch = fail('not_found', 'id: there is no such mismatch.', { field: 'id' });

/** Reevaluates the jobs that the mismatch blocked. */
function release(deps: Pick<Deps, 'clock' | 'ledger'>, db: WriteDb, mismatch: MismatchRow): void {
  for (const { id } of jobsWaitingFor(db, mismatch)) reevaluateReservation(deps, db, id);
}

/**
 * Closes the mismatch of a job whose stated charge is reversed: nothing is left to adopt or to dispute, so the blocked jobs resume. The
 * next answer that states another cost blocks the price again.
 */
export function closeMismatchOf(deps: Pick<Deps, 'clock' | 'ledger'>, db: WriteDb, jobId: string): void {
  const mismatch = stoppingMismatchOf(db, jobId);
  if (!mismatch) return;
  setMismatchState(db, mismatch.id, STATE_AFTER.once, deps.clock.now());
  release(deps, db, mismatch);
}

/** Reads backwards by the primary key, so that a long history is not sorted. */
const chargedAtPrice = sql(
  'jobs.chargedAtPrice',
  `SELECT * FROM jobs WHERE +state = 'succeeded' AND quantity IS NOT NULL AND ${SAME_PRICE} ORDER BY seq DESC LIMIT $limit`,
);

const MAX_SUCCEEDED = 60;
const MAX_WAITING = 100;

/**
 * The facts for deciding a mismatch: earlier charges at its price, and the jobs that wait for it; undefined if there is no such mismatch.
 */
function evidenceOf(deps: Pick<Deps, 'store' | 'clock' | 'profiles'>, id: string): MismatchEvidence | undefined {
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

function waitingOf(
  deps: Pick<Deps, 'profiles'>,
  db: ReadDb,
  row: MismatchRow,
  jobs: readonly JobRow[],
): MismatchEvidence['waiting'] {
  const adopts = priceFromMismatch(db, row);
  const costAt = adopts && costAtPrice(deps, row, adopts);
  return jobs.map((job) => ({
    job: truncatedForList(readJob(db, job)),
    nowNano: job.estimate_nano,
    thenNano: costAt?.(job).nano ?? job.estimate_nano,
  }));
}

/** The money left under the budgets, including the reservations of the waiting jobs. */
function headroomLeft(db: ReadDb, row: MismatchRow, waiting: readonly JobRow[], now: number): number | undefined {
  const isPlay = rowById(db, row.job_id)?.play === 1;
  const reservedNano = waiting.reduce((sum, job) => sum + job.reserved_nano, 0);
  const left = periodHeadroom(db, isPlay, now) + reservedNano;
  return Number.isFinite(left) ? Math.max(0, left) : undefined;
}

/** Facts about a mismatch between a stated cost and the price book: the jobs that it blocks, and the price that it implies. */

const waitingAtPrice = sql(
  'jobs.waitingAtPrice',
  `SELECT * FROM jobs WHERE state IN ('queued', 'blocked') AND ${SAME_PRICE} ORDER BY position`,
);

const isStopping = ({ state }: MismatchRow): boolean => state === 'open' || state === 'disputed';

const jobsWaitingFor = (db: ReadDb, { profile_id, kind, model }: MismatchRow): JobRow[] =>
  db.all<JobRow>(waitingAtPrice, samePriceParams({ profileId: profile_id, kind, model }));

/** The cost of a job at this price, with the limits of the gateway. */
function costAtPrice({ profiles }: Pick<Deps, 'profiles'>, { profile_id }: MismatchRow, price: Price) {
  const { outputTokens } = profiles.get(profile_id)?.limits ?? limitsSchema.parse({});
  return (job: JobRow): Cost => costOf(price, quantityOf(requestOf(job), outputTokens));
}

/** The row in the contract's shape, with the jobs that it blocks. */
function toPriceMismatch(deps: Pick<Deps, 'profiles'>, db: ReadDb, row: MismatchRow): PriceMismatch {
  const adoption = adoptionOf(db, row);
  const { adopts, keeps } = adoption;
  const costAt = adopts && costAtPrice(deps, row, adopts);
  const waiting = isStopping(row) ? jobsWaitingFor(db, row) : [];
  const sum = (cost: (job: JobRow) => Nano) => sumNano(waiting.map(cost)) ?? MAX_NANO;
  const now = (job: JobRow) => job.estimate_nano;
  const then = (job: JobRow) => costAt?.(job).nano ?? 0;
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
