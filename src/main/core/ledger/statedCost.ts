import { ALLOWED_APART, type MismatchState, type PriceMismatch } from '../../../shared/money/ledger.ts';
import { formatNano, NANO_PER_DOLLAR, type Nano } from '../../../shared/money/money.ts';
import {
  type Cost,
  costOf,
  mapFigures,
  openInterpretations,
  type Price,
  type PriceInterpretation,
} from '../../../shared/money/price.ts';
import type { Quantity } from '../../../shared/money/quantity.ts';
import { t } from '../../../shared/text/texts.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';
import { dayOf, type MoneyRow, priceOf } from './moneyRow.ts';

/** The accepted part of a stated cost. */
export interface AcceptedCost {
  /** The amount to charge; absent if the price book decides. */
  chargeNano?: Nano;
  rejectedBecause?: string;
}

/** A stated cost this many times the estimate, itself a maximum, has another unit or a misplaced decimal point. */
const MAX_TIMES_ESTIMATE = 100;
/** The largest plausible cost of one request with a small price or none. */
const MAX_WITHOUT_PRICE_NANO = 10 * NANO_PER_DOLLAR;

/**
 * A stated cost is charged if its unit and currency are known. Neither a missing cost nor a stated zero means free: it may be an unfilled
 * field, or the gateway's share of something billed elsewhere.
 */
export function acceptStatedCost({ nano, by }: { nano: Nano; by: string }, estimateNano: Nano): AcceptedCost {
  if (nano <= 0) return {};
  if (nano <= Math.max(MAX_WITHOUT_PRICE_NANO, MAX_TIMES_ESTIMATE * estimateNano)) return { chargeNano: nano };
  return {
    rejectedBecause: t`The answer states ${formatNano(nano)} (${by}); at most ${formatNano(estimateNano > 0 ? estimateNano : MAX_WITHOUT_PRICE_NANO)} was expected. The price book is used instead.`,
  };
}

/**
 * The least and the most that a gateway may state for a quantity at a price. Cached tokens cost the book's price, else between nothing and
 * the input price. Tokens written to the cache cost the input price, the book's price, or up to twice the input price (Anthropic, for an
 * hour). If cached tokens are not counted, any part of the prompt that was not written may be cached.
 */
export function allowedCost(price: Price, quantity: Quantity): Cost {
  const { nano } = costOf(price, withHighestCachePrice(price, quantity));
  return { nano, lowNano: leastNano(price, quantity) };
}

const leastNano = (price: Price, quantity: Quantity): Nano =>
  costOf({ ...price, readings: price.readings.map(withCache) }, fewestTokens(quantity)).lowNano;

/** The lowest cache prices: a book may also have less than the input price for writing. */
function withCache(reading: PriceInterpretation): PriceInterpretation {
  if (reading.unit !== 'token') return reading;
  const { inputNano, cachedNano = 0, cacheWriteNano = inputNano } = reading;
  return { ...reading, cachedNano, cacheWriteNano: Math.min(inputNano, cacheWriteNano) };
}

/** More cache tokens than prompt tokens are counted in addition to the prompt. */
const isCacheSeparate = ({ inputTokens = 0, cachedTokens = 0, cacheWriteTokens = 0 }: Quantity): boolean =>
  cachedTokens + cacheWriteTokens > inputTokens;

/** With all tokens that were, or may have been, cached. */
function fewestTokens(quantity: Quantity): Quantity {
  const { inputTokens, cachedTokens, cacheWriteTokens = 0 } = quantity;
  if (inputTokens === undefined || isCacheSeparate(quantity)) return quantity;
  return { ...quantity, cachedTokens: cachedTokens ?? inputTokens - cacheWriteTokens };
}

/** Written cache tokens count twice. */
function mostTokens(quantity: Quantity): Quantity {
  const { inputTokens, cachedTokens = 0, cacheWriteTokens = 0, ...rest } = quantity;
  if (inputTokens === undefined) return rest;
  const besideTokens = isCacheSeparate(quantity) ? cachedTokens + cacheWriteTokens : 0;
  return { ...rest, inputTokens: inputTokens + besideTokens + cacheWriteTokens };
}

/** The book's price for writing may exceed twice the input price. */
function withHighestCachePrice(price: Price, quantity: Quantity): Quantity {
  const most = mostTokens(quantity);
  return costOf(price, quantity).nano > costOf(price, most).nano ? quantity : most;
}

/** Whether a stated cost differs from every interpretation of the price by more than the tolerance. */
export function differsFromBook(statedNano: Nano, { nano, lowNano }: { nano: Nano; lowNano: Nano }): boolean {
  const allowed = (expected: Nano) => Math.max(ALLOWED_APART.nano, expected * ALLOWED_APART.share);
  return statedNano > nano + allowed(nano) || statedNano < lowNano - allowed(lowNano);
}

/**
 * The price at which this quantity costs the stated amount. Every open interpretation keeps its unit, since one request cannot distinguish
 * them: $0.80 for 4 s is $0.20 a second or $0.80 a video. Cache costs are unknown, so the price moves no further than proven: down to that
 * of the lowest possible cost, or up to that of the highest. Undefined if the quantity is empty.
 */
export function priceFromStatedCost(
  price: Price,
  quantity: Quantity,
  stated: { nano: Nano; model: string; source: string },
): Price | undefined {
  const isCheaper = stated.nano < leastNano(price, quantity);
  const counted = isCheaper ? fewestTokens(quantity) : withHighestCachePrice(price, quantity);
  const readings = openInterpretations(price).flatMap((reading) => {
    const priced = isCheaper ? withCache(reading) : reading;
    const before = costOf({ ...price, readings: [priced], settledReading: null }, counted).nano;
    return scaled(reading, counted, { nano: stated.nano, before }) ?? [];
  });
  const distinct = readings.filter(
    (one, at) => readings.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === at,
  );
  if (distinct.length === 0) return undefined;
  const { model, source } = stated;
  return { kind: price.kind, model, readings: distinct, settledReading: null, source: source.slice(0, 300) };
}

/** The stated cost, and the cost by the price. */
interface Scale {
  nano: Nano;
  before: Nano;
}

function scaled(reading: PriceInterpretation, quantity: Quantity, scale: Scale): PriceInterpretation | undefined {
  const { nano } = scale;
  const each = (count: number | undefined): number | undefined => (count ? Math.ceil(nano / count) : undefined);
  switch (reading.unit) {
    case 'second':
      return withNano('second', each(quantity.seconds));
    case 'video':
      return withNano('video', each(quantity.videos));
    case 'image':
      return withNano('image', each(quantity.images));
    case 'token':
      return scaledTokens(reading, scale);
  }
}

const withNano = (unit: 'second' | 'video' | 'image', nano: number | undefined): PriceInterpretation | undefined =>
  nano === undefined || nano > MAX_PRICE_NANO ? undefined : { unit, nano };

const MAX_PRICE_NANO = 1e15;
const MILLION = 1_000_000;

/** Scales all token prices alike, per million tokens, so that rounding loses little. */
function scaledTokens(
  reading: Extract<PriceInterpretation, { unit: 'token' }>,
  { nano, before }: Scale,
): PriceInterpretation | undefined {
  if (before === 0) return undefined;
  const toMillion = MILLION / (reading.perTokens ?? 1);
  const times = (amount: number) => Math.ceil((amount * nano) / before);
  const figures = mapFigures(reading, (figure) => times(figure * toMillion));
  if (Object.values(figures).some((figure) => figure > MAX_PRICE_NANO)) return undefined;
  const request = reading.requestNano === undefined ? {} : { requestNano: times(reading.requestNano) };
  return { unit: 'token', ...figures, perTokens: MILLION, ...request };
}

/** Money facts of a job besides its entries: the stated cost, and permission to be sent with no price set. */

const saveStated = sql(
  'ledger.saveStated',
  'UPDATE jobs SET stated_nano = $nano, stated_by = $by, stated_as = $as WHERE id = $id',
);
const saveUnpricedAllowed = sql(
  'ledger.saveUnpricedAllowed',
  'UPDATE jobs SET unpriced_allowed = $allowed WHERE id = $id',
);

interface StatedColumns {
  id: string;
  stated_nano: Nano | null;
  stated_by: string | null;
  stated_as: string | null;
}

/** `nano` is null for an amount not in dollars; all are null without a stated cost. */
export function writeStatedCost(
  db: WriteDb,
  row: StatedColumns,
  { nano, by, as }: { nano: Nano | null; by: string | null; as: string | null },
): void {
  row.stated_nano = nano;
  row.stated_by = by;
  row.stated_as = as;
  db.run(saveStated, { id: row.id, nano, by, as });
}

/** Stores whether the user allowed sending the job once with no price set. */
export function setUnpricedAllowed(db: WriteDb, row: { id: string; unpriced_allowed: number }, allowed: boolean): void {
  row.unpriced_allowed = allowed ? 1 : 0;
  db.run(saveUnpricedAllowed, { id: row.id, allowed: row.unpriced_allowed });
}

/** A stated cost that contradicts the price book, as stored. */
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

/** The key of a price. Jobs with the same key are blocked and released together. */
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
/** Mismatches that the user adopted or allowed once after a request was sent. */
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

/** The charge of a mismatch; undefined if it was reversed or has no quantity. */
function chargeOf(db: ReadDb, { job_id: jobId }: MismatchRow): { price: Price; quantity: Quantity } | undefined {
  const job = db.one<Pick<MoneyRow, 'price' | 'quantity'>>(chargeOfJob, { jobId });
  const price = job ? priceOf(job) : null;
  if (!job || price === null || job.quantity === null) return undefined;
  return { price, quantity: JSON.parse(job.quantity) as Quantity };
}

/**
 * The result of adopting: `adopts` is the price at which the request costs the stated amount; `keeps`: the request's price allows the stated
 * amount after all, since earlier versions ignored cached tokens. Neither if no price follows.
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
 * Whether the user decided about this very cost since the request was sent, by adopting the price or allowing it once: a request in progress
 * at that time brings nothing new. Reversed charges are never decided about.
 */
function isDecided(db: ReadDb, { profileId, kind, model, sentAt, statedNano, quantity }: StatedCharge): boolean {
  return db.all<MismatchRow>(decidedAlike, { profileId, kind, model, sentAt }).some((decided) => {
    const price = priceFromMismatch(db, decided);
    return price !== undefined && !differsFromBook(statedNano, allowedCost(price, quantity));
  });
}

/** The request's cost at its price, if the stated cost contradicts it and the user has not decided about that since the request was sent. */
export function expectedIfMismatch(db: ReadDb, row: MoneyRow, stated: StatedCharge): Cost | undefined {
  const price = priceOf(row);
  if (price === null) return undefined;
  const { statedNano, quantity } = stated;
  const isAllowed = !differsFromBook(statedNano, allowedCost(price, quantity)) || isDecided(db, stated);
  return isAllowed ? undefined : costOf(price, quantity);
}

/**
 * Compares a stated charge with the request's price and records a mismatch, one at a time until the user decides; the caller then stops
 * further requests at that price. Undefined if there is none, or if it is decided already.
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

/** Jobs charged from this job's charge on, in ledger order, whatever the clock. */
export const chargedSince = (db: ReadDb, jobId: string): string[] =>
  db.all<{ jobId: string }>(charged, { jobId }).map((row) => row.jobId);
