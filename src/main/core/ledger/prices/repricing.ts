import type { Profile } from '../../../../shared/gateway/profile.ts';
import { priceKindOf, quantityOf, type StudioRequest } from '../../../../shared/kinds/index.ts';
import { MAX_REQUEST_NANO, type Nano } from '../../../../shared/money/money.ts';
import { type Cost, costOf, isSettled, type Price, priceFor } from '../../../../shared/money/price.ts';
import type { Quantity } from '../../../../shared/money/quantity.ts';
import type { ReadDb, WriteDb } from '../../store/index.ts';
import type { LedgerWriter } from '../ledgerWriter.ts';
import { type MoneyRow, priceOf } from '../moneyRow.ts';
import { isChargeOpen } from './priceChanges.ts';

type Row = MoneyRow & { state: string; request: string };

/** The jobs that a price may concern, by profile. */
export interface PricedJobs {
  /** Charged, but not finally: at an open reading of the price, or at an unknown one. */
  chargedUnsettled(db: ReadDb, profileId: string): Row[];
  /** In the order of the queue. */
  waitingOfProfile(db: ReadDb, profileId: string): Row[];
  /** With the service, in doubt, or ended with money in doubt: a request was sent and its bill is open. */
  sentUncharged(db: ReadDb, profileId: string): Row[];
}

/**
 * `manual`: the user knows the price from the bill, so it applies to everything whose bill is open.
 *
 * `import`: what the service asks from now on; earlier requests were made at the earlier price.
 */
export type PriceOrigin = 'manual' | 'import';

export interface Repriced {
  /** Waiting jobs whose cost changed, in queue order; they have to fit under the caps again. */
  waitingIds: string[];
  beforeNano: Nano;
  afterNano: Nano;
  /** How many had no known price before, and how many have none now; the amounts do not include them. */
  unpricedBefore: number;
  unpricedAfter: number;
}

/**
 * The price book of a profile has changed; `profile` has the new book and `before` is the one until now. Called in the transaction that
 * makes it durable.
 *
 * - A waiting job will be billed at the price that applies when it is sent. It is estimated again, higher or lower, and must reserve
 *   that before it is sent: the claim never reserves less than the price. The caller tells the user.
 * - A request that is with the service, or in doubt, keeps its price when a list changes. A manual price applies to it: its reservation
 *   or doubt follows, up or down, whatever the caps say, since it may be on the bill.
 * - A charge keeps its price, and a stated charge its amount. If the price was not settled and the user settles it manually, a correction
 *   is added.
 * - What was sent or charged at an unknown price gets the first one that becomes known, from either origin.
 * - If no price is left, waiting jobs have an unknown one; sent ones keep theirs.
 *
 * No entry is ever rewritten.
 */
export function reprice(db: WriteDb, ledger: LedgerWriter, profile: Profile, change: Change): Repriced {
  const repriced = noneRepriced();
  for (const { row, price, cost } of pricedWaiting(db, profile, change)) {
    const before = { nano: row.estimate_nano, isKnown: priceOf(row) !== null };
    const isCounted = price !== null && (change.origin === 'manual' || row.unpriced_doubt > 0);
    ledger.priceChanges.repriceWaiting(db, row, price, cost);
    // It was sent before and will be sent again; the bill of the earlier attempt is open.
    if (isCounted) ledger.priceChanges.repriceDoubts(db, row, cost);
    addWaiting(repriced, row, before);
  }
  for (const { row, price, cost } of pricedSent(db, profile, change))
    ledger.priceChanges.repriceSent(db, row, price, cost);
  for (const { row, price, cost } of pricedCharged(db, profile, change)) {
    if (row.unpriced > 0) ledger.priceChanges.setFirstPrice(db, row, price, costAt(profile, row, price));
    ledger.priceChanges.correct(db, row, cost, price);
  }
  return repriced;
}

const noneRepriced = (): Repriced => ({
  waitingIds: [],
  beforeNano: 0,
  afterNano: 0,
  unpricedBefore: 0,
  unpricedAfter: 0,
});

/**
 * What an answer may come to has changed (`limits.outputTokens`): what waits is estimated anew at the price that it has. What was sent keeps
 * its estimate.
 */
export function reestimate(db: WriteDb, ledger: LedgerWriter, profile: Profile, jobs: PricedJobs): Repriced {
  const repriced = noneRepriced();
  for (const { row, price, cost } of waitingOtherwise(db, profile, jobs)) {
    const before = { nano: row.estimate_nano, isKnown: true };
    ledger.priceChanges.repriceWaiting(db, row, price, cost);
    addWaiting(repriced, row, before);
  }
  return repriced;
}

/** Whether a waiting request would cost more at the limits of this profile than one request may. */
export const exceedsAtLimits = (db: ReadDb, profile: Profile, jobs: PricedJobs): boolean =>
  waitingOtherwise(db, profile, jobs).some(({ cost }) => cost.nano > MAX_REQUEST_NANO);

/** The waiting jobs whose cost at their price is another than their estimate. */
function waitingOtherwise(db: ReadDb, profile: Profile, jobs: PricedJobs): Priced[] {
  return jobs.waitingOfProfile(db, profile.id).flatMap((row) => {
    const price = priceOf(row);
    if (!price) return [];
    const cost = costAt(profile, row, price);
    return cost.nano === row.estimate_nano && cost.lowNano === row.estimate_low_nano ? [] : [{ row, price, cost }];
  });
}

/**
 * A charge that is open again, since a decision about it was taken back, gets the price that became known or was settled meanwhile: of its
 * own readings, one. Nobody would correct it later.
 */
export function repriceReopened(db: WriteDb, ledger: LedgerWriter, profile: Profile, row: Row): void {
  const price = priceFor(profile.prices, priceKindOf(row.kind), row.model ?? undefined);
  const isOpen = row.charged_nano !== row.charged_low_nano || row.unpriced > 0;
  if (!price || row.quantity === null || !isOpen) return;
  const { nano } = costOf(price, JSON.parse(row.quantity) as Quantity);
  const origin = isReadingOf(row, nano) ? 'manual' : 'import';
  const jobs = { chargedUnsettled: () => [row], waitingOfProfile: () => [], sentUncharged: () => [] };
  const own = priceOf(row);
  reprice(db, ledger, profile, { before: own ? [own] : [], origin, jobs });
}

function isReadingOf(row: Row, nano: Nano): boolean {
  const own = priceOf(row);
  const quantity = JSON.parse(row.quantity ?? '{}') as Quantity;
  const says = (reading: Price['readings'][number]): Nano =>
    costOf({ ...(own as Price), readings: [reading], settledReading: null }, quantity).nano;
  return own?.readings.some((reading) => says(reading) === nano) ?? false;
}

/** Counts a waiting job whose cost is another than before. */
function addWaiting(repriced: Repriced, row: Row, before: { nano: Nano; isKnown: boolean }): void {
  const isKnown = priceOf(row) !== null;
  if (row.estimate_nano === before.nano && before.isKnown === isKnown) return;
  repriced.waitingIds.push(row.id);
  repriced.beforeNano += before.nano;
  repriced.afterNano += row.estimate_nano;
  if (!before.isKnown) repriced.unpricedBefore += 1;
  if (!isKnown) repriced.unpricedAfter += 1;
}

interface Change {
  /** The price book until now. */
  before: readonly Price[];
  origin: PriceOrigin;
  jobs: PricedJobs;
}

/** A job with the price that now applies and its cost at that price. */
interface Priced<P = Price> {
  row: Row;
  price: P;
  cost: Cost;
}

const NOTHING: Cost = { nano: 0, lowNano: 0 };

function pricedWaiting(db: ReadDb, profile: Profile, { before, jobs }: Change): Priced<Price | null>[] {
  const newPriceOf = newPrices(before, profile);
  return jobs.waitingOfProfile(db, profile.id).flatMap((row) => {
    const found = newPriceOf(row);
    if (!found) return [];
    const { price = null } = found;
    return [{ row, price, cost: price ? costAt(profile, row, price) : NOTHING }];
  });
}

function pricedSent(db: ReadDb, profile: Profile, change: Change): Priced[] {
  const priceOfSent = applicablePrices(change, profile);
  return change.jobs.sentUncharged(db, profile.id).flatMap((row) => {
    const price = priceOfSent(row);
    return price ? [{ row, price, cost: costAt(profile, row, price) }] : [];
  });
}

function pricedCharged(db: ReadDb, profile: Profile, change: Change): Priced[] {
  const priceOfSent = applicablePrices(change, profile);
  return change.jobs.chargedUnsettled(db, profile.id).flatMap((row) => {
    const price = priceOfSent(row);
    if (!price || (!isSettled(price) && row.unpriced === 0)) return [];
    return [{ row, price, cost: costOf(price, JSON.parse(row.quantity ?? '{}') as Quantity) }];
  });
}

/** A sent request keeps its price, unless the user sets another one or it had none. */
function applicablePrices({ before, origin }: Change, profile: Profile): (row: Row) => Price | undefined {
  const newPriceOf = newPrices(before, profile);
  return (row) => (origin === 'manual' || priceOf(row) === null ? newPriceOf(row)?.price : undefined);
}

/**
 * The price that now applies to a job, if it is another than until now, or the first for a job of unknown price; `{ price: undefined }` if
 * none is left for it. A model without an entry of its own may have its price from several others (`priceFor`), and any of them changes it.
 * Each model is looked up once, since many jobs have the same.
 */
function newPrices(
  before: readonly Price[],
  { prices }: Profile,
): (row: Row) => { price: Price | undefined } | undefined {
  const known = new Map<string, { price: Price | undefined; isNew: boolean }>();
  const lookUp = ({ kind, model }: Row) => {
    const priceIn = (book: readonly Price[]) => priceFor(book, priceKindOf(kind), model ?? undefined);
    const price = priceIn(prices);
    return { price, isNew: JSON.stringify(price) !== JSON.stringify(priceIn(before)) };
  };
  return (row) => {
    const key = JSON.stringify([row.kind, row.model]);
    const found = known.get(key) ?? lookUp(row);
    known.set(key, found);
    const { price, isNew } = found;
    const isUnknown = priceOf(row) === null;
    if (!price) return isUnknown ? undefined : { price };
    return isNew || isUnknown ? { price } : undefined;
  };
}

const costAt = (profile: Profile, row: Row, price: Price): Cost =>
  costOf(price, quantityOf(JSON.parse(row.request) as StudioRequest, profile.limits.outputTokens));

/** Whether an open request, or a charge to be corrected, would cost more with this change than one request may. */
export function exceedsRequestLimit(db: ReadDb, profile: Profile, change: Change): boolean {
  const learnt = pricedCharged(db, profile, change);
  const costs = [
    ...pricedWaiting(db, profile, change),
    ...pricedSent(db, profile, change),
    // A stated or billed amount stays the charge, whatever its quantity.
    ...learnt.filter(({ row }) => isChargeOpen(db, row)),
    ...learnt.filter(({ row }) => row.unpriced > 0).map(({ row, price }) => ({ cost: costAt(profile, row, price) })),
  ];
  return costs.some(({ cost }) => cost.nano > MAX_REQUEST_NANO);
}
