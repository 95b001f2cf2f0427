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
  /** Charged at an open price or with no price set. */
  chargedUnsettled(db: ReadDb, profileId: string): Row[];
  /** In queue order. */
  waitingOfProfile(db: ReadDb, profileId: string): Row[];
  /** At the gateway, unconfirmed, or ended with an unconfirmed cost: a request was sent and its bill is open. */
  sentUncharged(db: ReadDb, profileId: string): Row[];
}

/**
 * `manual`: the user knows the price from the bill, so it applies to everything whose bill is open. `import`: the gateway's price from now
 * on; earlier requests keep the earlier price.
 */
export type PriceOrigin = 'manual' | 'import';

export interface Repriced {
  /** Queued jobs whose cost changed, in queue order; they must fit under the budgets again. */
  waitingIds: string[];
  beforeNano: Nano;
  afterNano: Nano;
  /** How many had no price set before, and how many have none now; the amounts exclude them. */
  unpricedBefore: number;
  unpricedAfter: number;
}

/**
 * The price book of a profile has changed; `profile` has the new book and `before` is the old one. Called in the transaction that makes the
 * new book durable.
 *
 * - A waiting job will be billed at the price that applies when it is sent. It is estimated again, higher or lower, and must
 *   reserve that before it is sent: a claim never reserves less than the price. The caller tells the user.
 * - A request that is with the service, or unconfirmed, keeps its price when a list changes. A manual price applies to it: its
 *   reservation or unconfirmed cost follows, up or down, even beyond the budgets, since it may be on the bill.
 * - A charge keeps its price, and a stated charge its amount. If the price was ambiguous and the user settles it manually, a
 *   correction is added.
 * - Requests that were sent or charged at an unknown price get the first known one, from either origin.
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
    // The job waits to be sent again, and the bill of its earlier attempt is open.
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

/** The output limit changed (`limits.outputTokens`): queued jobs are estimated again at their price. Sent jobs keep their estimate. */
export function reestimate(db: WriteDb, ledger: LedgerWriter, profile: Profile, jobs: PricedJobs): Repriced {
  const repriced = noneRepriced();
  for (const { row, price, cost } of waitingAtOtherCost(db, profile, jobs)) {
    const before = { nano: row.estimate_nano, isKnown: true };
    ledger.priceChanges.repriceWaiting(db, row, price, cost);
    addWaiting(repriced, row, before);
  }
  return repriced;
}

/** Whether a queued job would exceed the limit of one request's cost at the profile's limits. */
export const exceedsAtLimits = (db: ReadDb, profile: Profile, jobs: PricedJobs): boolean =>
  waitingAtOtherCost(db, profile, jobs).some(({ cost }) => cost.nano > MAX_REQUEST_NANO);

/** The queued jobs whose cost differs from their estimate. */
function waitingAtOtherCost(db: ReadDb, profile: Profile, jobs: PricedJobs): Priced[] {
  return jobs.waitingOfProfile(db, profile.id).flatMap((row) => {
    const price = priceOf(row);
    if (!price) return [];
    const cost = costAt(profile, row, price);
    return cost.nano === row.estimate_nano && cost.lowNano === row.estimate_low_nano ? [] : [{ row, price, cost }];
  });
}

/**
 * A charge that is open again because a decision was taken back gets the price that was set or settled meanwhile, since nothing else would
 * correct it.
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

/** Counts a queued job whose cost changed. */
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
  /** The previous price book. */
  before: readonly Price[];
  origin: PriceOrigin;
  jobs: PricedJobs;
}

/** A job with the price that now applies and its cost. */
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
 * The price that now applies to a job, if it has changed or is the first; `{ price: undefined }` if none is left. A model without its own
 * entry may be priced by several others (`priceFor`), each of which changes it. Looked up once per model, since many jobs share one.
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

/** Whether an open job, or a charge to be corrected, would exceed the limit of one request's cost. */
export function exceedsRequestLimit(db: ReadDb, profile: Profile, change: Change): boolean {
  const learnt = pricedCharged(db, profile, change);
  const costs = [
    ...pricedWaiting(db, profile, change),
    ...pricedSent(db, profile, change),
    // A stated or billed amount stays, whatever its quantity.
    ...learnt.filter(({ row }) => isChargeOpen(db, row)),
    ...learnt.filter(({ row }) => row.unpriced > 0).map(({ row, price }) => ({ cost: costAt(profile, row, price) })),
  ];
  return costs.some(({ cost }) => cost.nano > MAX_REQUEST_NANO);
}
