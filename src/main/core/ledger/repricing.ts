import { MOST_ORDER_NANO, type Nano } from '../../../shared/money.ts';
import {
  type Cost,
  costOf,
  isSettled,
  type Price,
  priceFor,
  type Quantity,
  quantityOf,
} from '../../../shared/price.ts';
import type { Profile } from '../../../shared/profile.ts';
import type { StudioRequest } from '../../../shared/request.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';
import { type MoneyRow, priceOf } from './moneyRow.ts';
import type { Poster } from './posting.ts';
import { isChargedAsStated } from './priceChanges.ts';

type Row = MoneyRow & { state: string; request: string };

const chargedUnsettled = sql(
  'ledger.chargedUnsettled',
  `SELECT * FROM jobs WHERE profile_id = $profileId AND quantity IS NOT NULL AND (charged_nano <> charged_low_nano OR unpriced > 0)`,
);
const waiting = sql(
  'ledger.waiting',
  `SELECT * FROM jobs WHERE profile_id = $profileId AND state IN ('draft', 'queued', 'blocked') ORDER BY position`,
);
/** With the service, in doubt, or ended with money in doubt: an order was sent, and its bill is open. */
const sentUncharged = sql(
  'ledger.sentUncharged',
  `SELECT * FROM jobs WHERE profile_id = $profileId AND quantity IS NULL
     AND (state IN ('sending', 'running', 'fetching', 'uncertain') OR (state IN ('failed', 'canceled') AND (uncertain_nano > 0 OR unpriced_doubt > 0)))`,
);

/**
 * `hand`: the user knows it from the bill, so it holds for everything whose bill is open.
 * `list`: what the service asks from now on; what was ordered before was ordered at the price before.
 */
export type PriceOrigin = 'hand' | 'list';

export interface Repriced {
  /** Waiting jobs that cost something else now, in their order; they have to find room under the caps again. */
  waitingIds: string[];
  beforeNano: Nano;
  afterNano: Nano;
  /** How many of them had no known price, and how many have none now: the amounts leave them out. */
  unpricedBefore: number;
  unpricedAfter: number;
}

/**
 * The price book of a profile has changed; `profile` has the new one and `changed` its new entries. Called in the transaction that makes it durable.
 *
 * - A job that waits was not ordered yet, and will be billed at what holds when it is sent. It is estimated again, dearer or cheaper,
 *   and has to reserve that before it is sent: the claim never reserves less than what is asked. The caller tells the user.
 * - An order that is with the service, or in doubt, keeps the price it was sent with when a list changes. A price set by hand holds for it:
 *   its reservation or its doubt follows, up or down, whatever the caps say, since it may be on the bill.
 * - A charge keeps the price it was made with, and one that was stated its amount. Where that was not settled and the user settles it by hand, a correction is added.
 * - What was sent or charged at an unknown price has none to keep: it is counted at the first that becomes known, from wherever.
 * - Where no price is left, what waits has an unknown one; what was sent keeps its own.
 *
 * No entry is ever rewritten.
 */
export function reprice(db: WriteDb, poster: Poster, profile: Profile, change: Change): Repriced {
  const repriced: Repriced = { waitingIds: [], beforeNano: 0, afterNano: 0, unpricedBefore: 0, unpricedAfter: 0 };
  for (const { row, price, cost } of waitingAt(db, profile, change)) {
    const before = { nano: row.estimate_nano, isKnown: priceOf(row) !== null };
    const isCounted = price !== null && (change.origin === 'hand' || row.unpriced_doubt > 0);
    poster.priceChanges.repriceWaiting(db, row, price, cost);
    // It was sent before and is to be sent again; the bill of that order is open.
    if (isCounted) poster.priceChanges.repriceDoubts(db, row, cost);
    if (row.estimate_nano === before.nano && before.isKnown === (price !== null)) continue;
    repriced.waitingIds.push(row.id);
    repriced.beforeNano += before.nano;
    repriced.afterNano += row.estimate_nano;
    if (!before.isKnown) repriced.unpricedBefore += 1;
    if (price === null) repriced.unpricedAfter += 1;
  }
  for (const { row, price, cost } of sentAt(db, profile, change)) poster.priceChanges.repriceSent(db, row, price, cost);
  for (const { row, price, cost } of chargedAt(db, profile, change)) {
    if (row.unpriced > 0) poster.priceChanges.learnPrice(db, row, price, costNowOf(profile, row, price));
    poster.priceChanges.correct(db, row, cost, price);
  }
  return repriced;
}

interface Change {
  changed: readonly Price[];
  origin: PriceOrigin;
}

/** A job with the price that holds for it now, and what it costs at that. */
interface Priced<P = Price> {
  row: Row;
  price: P;
  cost: Cost;
}

const NOTHING: Cost = { nano: 0, lowNano: 0 };

function waitingAt(db: ReadDb, profile: Profile, { changed }: Change): Priced<Price | null>[] {
  return db.all<Row>(waiting, { profileId: profile.id }).flatMap((row) => {
    const found = concernedBy(changed, profile, row);
    if (!found) return [];
    const { price = null } = found;
    return [{ row, price, cost: price ? costNowOf(profile, row, price) : NOTHING }];
  });
}

function sentAt(db: ReadDb, profile: Profile, change: Change): Priced[] {
  return db.all<Row>(sentUncharged, { profileId: profile.id }).flatMap((row) => {
    const price = holdsFor(change, profile, row);
    return price ? [{ row, price, cost: costNowOf(profile, row, price) }] : [];
  });
}

function chargedAt(db: ReadDb, profile: Profile, change: Change): Priced[] {
  return db.all<Row>(chargedUnsettled, { profileId: profile.id }).flatMap((row) => {
    const price = holdsFor(change, profile, row);
    if (!price || (!isSettled(price) && row.unpriced === 0)) return [];
    return [{ row, price, cost: costOf(price, JSON.parse(row.quantity ?? '{}') as Quantity) }];
  });
}

/** What was sent keeps the price that it was sent with, unless a hand sets another one, or it had none. */
const holdsFor = ({ changed, origin }: Change, profile: Profile, row: Row): Price | undefined =>
  origin === 'hand' || priceOf(row) === null ? concernedBy(changed, profile, row)?.price : undefined;

/**
 * What a job is priced by now, if that is one of the entries that changed, or the first for a job of unknown price; without a price where
 * none is left for it.
 */
function concernedBy(changed: readonly Price[], profile: Profile, row: Row): { price: Price | undefined } | undefined {
  const price = priceFor(profile.prices, row.kind as StudioRequest['kind'], row.model ?? undefined);
  const isUnknown = priceOf(row) === null;
  if (!price) return isUnknown ? undefined : { price };
  const isNew = changed.some(({ kind, model }) => kind === price.kind && model === price.model);
  return isNew || isUnknown ? { price } : undefined;
}

const costNowOf = (profile: Profile, row: Row, price: Price): Cost =>
  costOf(price, quantityOf(JSON.parse(row.request) as StudioRequest, profile.limits.outputTokens));

/** Whether an order that is open, or a charge that would be corrected, would cost more by this change than any order does. */
export function makesTooDear(db: ReadDb, profile: Profile, change: Change): boolean {
  const learnt = chargedAt(db, profile, change);
  const costs = [
    ...waitingAt(db, profile, change),
    ...sentAt(db, profile, change),
    // What an answer stated stays what is charged, whatever was counted.
    ...learnt.filter(({ row }) => !isChargedAsStated(db, row)),
    ...learnt.filter(({ row }) => row.unpriced > 0).map(({ row, price }) => ({ cost: costNowOf(profile, row, price) })),
  ];
  return costs.some(({ cost }) => cost.nano > MOST_ORDER_NANO);
}
