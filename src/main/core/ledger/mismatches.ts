import type { MismatchState, PriceMismatch } from '../../../shared/money/ledger.ts';
import type { Nano } from '../../../shared/money/money.ts';
import { type Cost, costOf, type Price } from '../../../shared/money/price.ts';
import type { Quantity } from '../../../shared/money/quantity.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';
import { dayOf, type MoneyRow, priceOf } from './moneyRow.ts';
import { allowedCost, differsFromBook, priceFromStatedCost } from './statedCost.ts';

/** A stated cost that disagrees with the price book, as stored. */
export interface MismatchRow {
  id: string;
  profile_id: string;
  kind: Price['kind'];
  /** `*` for pictures, which are requested without a model. */
  model: string;
  job_id: string;
  run_id: string | null;
  expected_nano: Nano;
  expected_low_nano: Nano;
  stated_nano: Nano;
  stated_by: string;
  state: MismatchState;
  at: number;
  resolved_at: number | null;
}

/** What has one price, and is therefore stopped and resumed together. */
export interface PriceKey {
  profileId: string;
  kind: Price['kind'];
  model: string;
}

const insert = sql(
  'mismatches.insert',
  `INSERT INTO price_mismatches (id, profile_id, kind, model, job_id, run_id, expected_nano, expected_low_nano, stated_nano, stated_by, state, at)
   VALUES ($id, $profileId, $kind, $model, $jobId, $runId, $expectedNano, $expectedLowNano, $statedNano, $statedBy, 'open', $at)`,
);
const byId = sql('mismatches.byId', 'SELECT * FROM price_mismatches WHERE id = $id');
const stopping = sql(
  'mismatches.stopping',
  `SELECT * FROM price_mismatches WHERE state IN ('open', 'disputed') ORDER BY seq DESC`,
);
const stoppingAlike = sql(
  'mismatches.stoppingAlike',
  `SELECT * FROM price_mismatches WHERE profile_id = $profileId AND kind = $kind AND model = $model AND state IN ('open', 'disputed')`,
);
const openOfJob = sql(
  'mismatches.openOfJob',
  `SELECT * FROM price_mismatches WHERE job_id = $jobId AND state = 'open'`,
);
const stoppingOfJob = sql(
  'mismatches.stoppingOfJob',
  `SELECT * FROM price_mismatches WHERE job_id = $jobId AND state IN ('open', 'disputed')`,
);
const charged = sql(
  'mismatches.chargedSince',
  `SELECT DISTINCT job_id AS jobId FROM ledger_entries WHERE type IN ('charge', 'correction')
     AND seq >= (SELECT max(seq) FROM ledger_entries WHERE job_id = $jobId AND type = 'charge')`,
);
/** Adopted, or allowed once, for requests that had already been sent. */
const decidedAlike = sql(
  'mismatches.decidedAlike',
  `SELECT * FROM price_mismatches WHERE profile_id = $profileId AND kind = $kind AND model = $model
     AND state IN ('adopted', 'once') AND resolved_at > $sentAt`,
);
const chargeOfJob = sql('mismatches.chargeOf', 'SELECT price, quantity FROM jobs WHERE id = $jobId');
const saveState = sql(
  'mismatches.saveState',
  'UPDATE price_mismatches SET state = $state, resolved_at = $resolvedAt WHERE id = $id',
);

export const mismatchById = (db: ReadDb, id: string): MismatchRow | undefined => db.one<MismatchRow>(byId, { id });
/** Mismatches that block requests, newest first. */
export const stoppingMismatches = (db: ReadDb): MismatchRow[] => db.all<MismatchRow>(stopping);
export const openMismatchOf = (db: ReadDb, jobId: string): MismatchRow | undefined =>
  db.one<MismatchRow>(openOfJob, { jobId });
export const stoppingMismatchOf = (db: ReadDb, jobId: string): MismatchRow | undefined =>
  db.one<MismatchRow>(stoppingOfJob, { jobId });
export const stoppingMismatchFor = (db: ReadDb, { profileId, kind, model }: PriceKey): MismatchRow | undefined =>
  db.one<MismatchRow>(stoppingAlike, { profileId, kind, model });

export function setMismatchState(db: WriteDb, id: string, state: MismatchState, at: number): void {
  db.run(saveState, { id, state, resolvedAt: state === 'open' || state === 'disputed' ? null : at });
}

/** The charge that a mismatch is about; undefined if it was reversed or has no quantity. */
function chargeOf(db: ReadDb, { job_id: jobId }: MismatchRow): { price: Price; quantity: Quantity } | undefined {
  const job = db.one<Pick<MoneyRow, 'price' | 'quantity'>>(chargeOfJob, { jobId });
  const price = job ? priceOf(job) : null;
  if (!job || price === null || job.quantity === null) return undefined;
  return { price, quantity: JSON.parse(job.quantity) as Quantity };
}

/**
 * What adopting does: `adopts` is the price at which its request costs what was stated. The price of its request is kept if it allows that,
 * as far as is known by now: earlier versions did not count what a cache had of a prompt, and stopped a price for what that saves. Neither
 * if no price follows.
 */
export function adoptionOf(db: ReadDb, mismatch: MismatchRow): Pick<PriceMismatch, 'adopts' | 'keeps'> {
  const { model, stated_nano: nano, stated_by, at } = mismatch;
  const charge = chargeOf(db, mismatch);
  if (!charge) return {};
  const { price, quantity } = charge;
  const isUncounted = quantity.inputTokens !== undefined && quantity.cachedTokens === undefined;
  if (isUncounted && !differsFromBook(nano, allowedCost(price, quantity))) return { keeps: true };
  const adopts = priceFromStatedCost(price, quantity, {
    nano,
    model,
    source: `stated by ${stated_by} on ${dayOf(at)}`,
  });
  return adopts ? { adopts } : {};
}

export const priceFromMismatch = (db: ReadDb, mismatch: MismatchRow): Price | undefined =>
  adoptionOf(db, mismatch).adopts;

/** A stated cost found in an answer. */
interface StatedCharge extends PriceKey {
  statedNano: Nano;
  quantity: Quantity;
  sentAt: number;
}

interface FoundMismatch extends StatedCharge {
  id: string;
  statedBy: string;
  at: number;
}

/**
 * Whether the user has decided about this very cost since the request was sent, by adopting the price or allowing it once: a request that
 * was then under way brings nothing new. A reversed charge was never decided about.
 */
function isDecided(db: ReadDb, { profileId, kind, model, sentAt, statedNano, quantity }: StatedCharge): boolean {
  return db.all<MismatchRow>(decidedAlike, { profileId, kind, model, sentAt }).some((decided) => {
    const price = priceFromMismatch(db, decided);
    return price !== undefined && !differsFromBook(statedNano, allowedCost(price, quantity));
  });
}

/**
 * What the request costs at the price it was made at, if the stated cost disagrees with that and the user has not decided about it since
 * the request was sent.
 */
export function expectedIfMismatch(db: ReadDb, row: MoneyRow, stated: StatedCharge): Cost | undefined {
  const price = priceOf(row);
  if (price === null) return undefined;
  const { statedNano, quantity } = stated;
  const isAllowed = !differsFromBook(statedNano, allowedCost(price, quantity)) || isDecided(db, stated);
  return isAllowed ? undefined : costOf(price, quantity);
}

/**
 * Compares a stated and charged cost with the price that the request was made at, and records a mismatch, one at a time until the user
 * has chosen; the caller then stops further requests at that price. Returns undefined if there is none, or the user has already decided
 * about it.
 */
export function recordMismatch(db: WriteDb, row: MoneyRow, found: FoundMismatch): MismatchRow | undefined {
  const expected = expectedIfMismatch(db, row, found);
  if (!expected || stoppingMismatchFor(db, found)) return undefined;
  db.run(insert, {
    id: found.id,
    profileId: found.profileId,
    kind: found.kind,
    model: found.model,
    jobId: row.id,
    runId: row.run_id,
    expectedNano: expected.nano,
    expectedLowNano: expected.lowNano,
    statedNano: found.statedNano,
    statedBy: found.statedBy,
    at: found.at,
  });
  return mismatchById(db, found.id);
}

/** Jobs that were charged from this job's charge on, in the order of the ledger, whatever the clock was set to meanwhile. */
export const chargedSince = (db: ReadDb, jobId: string): string[] =>
  db.all<{ jobId: string }>(charged, { jobId }).map((row) => row.jobId);
