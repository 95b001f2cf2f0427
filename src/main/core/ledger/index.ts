import type { Estimate } from '../../../shared/ledger.ts';
import {
  costOf,
  isSettled,
  type Price,
  priceFor,
  priceKindOf,
  type Quantity,
  quantityOf,
} from '../../../shared/price.ts';
import type { Profile } from '../../../shared/profile.ts';
import type { StudioRequest } from '../../../shared/request.ts';
import type { Clock, Ids } from '../ports.ts';
import { sql, type WriteDb } from '../store/index.ts';
import { type MoneyRow, Poster } from './posting.ts';

export {
  type BrokenCap,
  brokenCap,
  countedIn,
  exceededSoftCaps,
  hardCaps,
  listBudgets,
  roomUnderCaps,
  setBudget,
  spendOfRun,
} from './budgets.ts';
export { dayOf, monthOf } from './calendar.ts';
export { Poster } from './posting.ts';
export { entries, moneyOfRun, totals } from './reports.ts';

/** What a request would cost at most and at least, with the profile's price book. */
export function estimate(profile: Profile, request: StudioRequest): Estimate & { price: Price } {
  const model = 'model' in request ? request.model : undefined;
  const price = priceFor(profile.prices, request.kind, model);
  const cost = costOf(price, quantityOf(request, profile.limits.outputTokens));
  return { ...cost, settled: isSettled(price), source: price.source, price };
}

const chargedUnsettled = sql(
  'ledger.chargedUnsettled',
  `SELECT * FROM jobs WHERE profile_id = $profileId AND quantity IS NOT NULL AND charged_nano <> charged_low_nano`,
);
/** A canceled one whose bill is still to come is open as far as money goes. */
const openJobs = sql(
  'ledger.openJobs',
  `SELECT * FROM jobs WHERE profile_id = $profileId AND quantity IS NULL
     AND (state NOT IN ('succeeded', 'failed', 'canceled') OR (state = 'canceled' AND uncertain_nano > 0))`,
);
const savePrice = sql('ledger.savePrice', 'UPDATE jobs SET price = $price WHERE id = $id');

/**
 * A price of the book has been settled: what was charged under it gets a correction, what is open will be charged with it.
 * No entry is rewritten.
 */
export function settlePrice(
  db: WriteDb,
  deps: { clock: Pick<Clock, 'now'>; ids: Pick<Ids, 'id'> },
  profile: Profile,
  price: Price,
): void {
  const poster = new Poster(deps);
  const text = JSON.stringify(price);
  type Row = MoneyRow & { quantity: string | null };
  const concerned = (row: Row) =>
    priceKindOf(row.kind as StudioRequest['kind']) === price.kind &&
    priceFor(profile.prices, row.kind as StudioRequest['kind'], row.model ?? undefined).model === price.model;
  if (isSettled(price)) {
    for (const row of db.all<Row>(chargedUnsettled, { profileId: profile.id }).filter(concerned)) {
      const quantity = JSON.parse(row.quantity ?? '{}') as Quantity;
      poster.correct(db, row, costOf(price, quantity), text);
    }
  }
  for (const row of db.all<Row>(openJobs, { profileId: profile.id }).filter(concerned)) {
    db.run(savePrice, { id: row.id, price: text });
  }
}
