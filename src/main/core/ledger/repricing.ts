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

type Row = MoneyRow & { state: string; request: string; stated_nano: Nano | null };

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
export function reprice(
  db: WriteDb,
  poster: Poster,
  profile: Profile,
  change: { changed: readonly Price[]; origin: PriceOrigin },
): Repriced {
  const concerned = (row: Row) => concernedBy(change.changed, profile, row);
  const costNow = (row: Row, price: Price) => costNowOf(profile, row, price);
  const repriced: Repriced = { waitingIds: [], beforeNano: 0, afterNano: 0, unpricedBefore: 0, unpricedAfter: 0 };
  for (const row of db.all<Row>(waiting, { profileId: profile.id })) {
    const found = concerned(row);
    if (!found) continue;
    const before = { nano: row.estimate_nano, isKnown: priceOf(row) !== null };
    const { price = null } = found;
    poster.priceChanges.repriceWaiting(db, row, price, price ? costNow(row, price) : { nano: 0, lowNano: 0 });
    if (row.estimate_nano === before.nano && before.isKnown === (price !== null)) continue;
    repriced.waitingIds.push(row.id);
    repriced.beforeNano += before.nano;
    repriced.afterNano += row.estimate_nano;
    if (!before.isKnown) repriced.unpricedBefore += 1;
    if (price === null) repriced.unpricedAfter += 1;
  }
  const holdsFor = (row: Row): Price | undefined =>
    change.origin === 'hand' || priceOf(row) === null ? concerned(row)?.price : undefined;
  for (const row of db.all<Row>(sentUncharged, { profileId: profile.id })) {
    const price = holdsFor(row);
    if (price) poster.priceChanges.repriceSent(db, row, price, costNow(row, price));
  }
  for (const row of db.all<Row>(chargedUnsettled, { profileId: profile.id })) {
    const price = holdsFor(row);
    if (!price || (!isSettled(price) && row.unpriced === 0)) continue;
    if (row.unpriced > 0) poster.priceChanges.learnPrice(db, row, price, costNow(row, price));
    poster.priceChanges.correct(db, row, costOf(price, JSON.parse(row.quantity ?? '{}') as Quantity), price);
  }
  return repriced;
}

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

/** Whether an order that is open, or a charge that would be corrected, would cost more with this book than any order does. */
export function makesTooDear(db: ReadDb, profile: Profile, changed: readonly Price[]): boolean {
  const { id: profileId } = profile;
  const open = [...db.all<Row>(waiting, { profileId }), ...db.all<Row>(sentUncharged, { profileId })];
  const isTooDear = (row: Row, costs: (price: Price) => Cost): boolean => {
    const price = concernedBy(changed, profile, row)?.price;
    return price !== undefined && costs(price).nano > MOST_ORDER_NANO;
  };
  return (
    open.some((row) => isTooDear(row, (price) => costNowOf(profile, row, price))) ||
    db
      .all<Row>(chargedUnsettled, { profileId })
      .some((row) => isTooDear(row, (price) => costOf(price, JSON.parse(row.quantity ?? '{}') as Quantity)))
  );
}
