import type { MismatchState } from '../../../shared/ledger.ts';
import type { Nano } from '../../../shared/money.ts';
import { type Cost, costOf, type Price, type Quantity } from '../../../shared/price.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';
import { dayOf } from './calendar.ts';
import { type MoneyRow, priceOf } from './moneyRow.ts';
import { adoptedPrice, isApart } from './stated.ts';

/** A stated cost that does not agree with the price book, as its table holds it. */
export interface MismatchRow {
  id: string;
  profile_id: string;
  kind: Price['kind'];
  /** Of pictures, which are ordered without a model: `*`. */
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

/** What is ordered at one price: it stops and goes on together. */
export interface PricedAlike {
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
/** Adopted or waved on, for orders that were sent by then. */
const decidedAlike = sql(
  'mismatches.decidedAlike',
  `SELECT * FROM price_mismatches WHERE profile_id = $profileId AND kind = $kind AND model = $model
     AND state IN ('adopted', 'once') AND resolved_at > $sentAt`,
);
const chargeOf = sql('mismatches.chargeOf', 'SELECT price, quantity FROM jobs WHERE id = $jobId');
const saveState = sql(
  'mismatches.saveState',
  'UPDATE price_mismatches SET state = $state, resolved_at = $resolvedAt WHERE id = $id',
);

export const mismatchById = (db: ReadDb, id: string): MismatchRow | undefined => db.one<MismatchRow>(byId, { id });
/** Those that stop something, newest first. */
export const stoppingMismatches = (db: ReadDb): MismatchRow[] => db.all<MismatchRow>(stopping);
export const openMismatchOf = (db: ReadDb, jobId: string): MismatchRow | undefined =>
  db.one<MismatchRow>(openOfJob, { jobId });
export const stoppingMismatchOf = (db: ReadDb, jobId: string): MismatchRow | undefined =>
  db.one<MismatchRow>(stoppingOfJob, { jobId });
export const mismatchStopping = (db: ReadDb, { profileId, kind, model }: PricedAlike): MismatchRow | undefined =>
  db.one<MismatchRow>(stoppingAlike, { profileId, kind, model });

export function setMismatchState(db: WriteDb, id: string, state: MismatchState, at: number): void {
  db.run(saveState, { id, state, resolvedAt: state === 'open' || state === 'disputed' ? null : at });
}

/** The price by which its order costs what was stated; undefined where its charge was taken back, or counted nothing. */
export function priceStated(db: ReadDb, mismatch: MismatchRow): Price | undefined {
  const { job_id: jobId, model, stated_nano: nano, stated_by, at } = mismatch;
  const job = db.one<Pick<MoneyRow, 'price' | 'quantity'>>(chargeOf, { jobId });
  const price = job ? priceOf(job) : null;
  if (!job || price === null || job.quantity === null) return undefined;
  const source = `stated by ${stated_by} on ${dayOf(at)}`;
  return adoptedPrice(price, JSON.parse(job.quantity) as Quantity, { nano, model, source });
}

/** What was found in an answer. */
interface Stated extends PricedAlike {
  statedNano: Nano;
  quantity: Quantity;
  sentAt: number;
}

interface Found extends Stated {
  id: string;
  statedBy: string;
  at: number;
}

/**
 * The user has decided about this very cost since the order was sent: the price was adopted, or waved on once. What was under way by then
 * brings nothing new. A charge that was taken back was decided by nobody.
 */
function isDecided(db: ReadDb, { profileId, kind, model, sentAt, statedNano, quantity }: Stated): boolean {
  return db.all<MismatchRow>(decidedAlike, { profileId, kind, model, sentAt }).some((decided) => {
    const price = priceStated(db, decided);
    return price !== undefined && !isApart(statedNano, costOf(price, quantity));
  });
}

/**
 * What an order comes to by the price that it was made at, where what was stated is apart from that by more than the readings allow, and
 * the user has not decided about it since the order was sent.
 */
export function expectedWhereApart(db: ReadDb, row: MoneyRow, stated: Stated): Cost | undefined {
  const price = priceOf(row);
  if (price === null) return undefined;
  const expected = costOf(price, stated.quantity);
  return isApart(stated.statedNano, expected) && !isDecided(db, stated) ? expected : undefined;
}

/**
 * Sets a cost that was stated, and charged, beside the price that the order was made at. Where it is apart by more than the readings
 * allow, that is noted, once until the user has chosen; the caller stops what would be ordered at that price. What the user has decided
 * about since it was sent is no news.
 */
export function noteMismatch(db: WriteDb, row: MoneyRow, found: Found): MismatchRow | undefined {
  const expected = expectedWhereApart(db, row, found);
  if (!expected || mismatchStopping(db, found)) return undefined;
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
