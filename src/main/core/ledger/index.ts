import type { Estimate } from '../../../shared/ledger.ts';
import { costOf, isSettled, type Price, priceFor, quantityOf } from '../../../shared/price.ts';
import type { Profile } from '../../../shared/profile.ts';
import type { StudioRequest } from '../../../shared/request.ts';

export {
  type BrokenCap,
  brokenCap,
  countedIn,
  exceededSoftCaps,
  fitsUnder,
  hardCaps,
  listBudgets,
  moveRunCap,
  roomFor,
  roomUnderCaps,
  setBudget,
  spendOfRun,
} from './budgets.ts';
export { dayOf, monthOf } from './calendar.ts';
export { countedTokens } from './claims.ts';
export { roomInLedger } from './journal.ts';
export {
  expectedWhereApart,
  type MismatchRow,
  mismatchById,
  mismatchStopping,
  noteMismatch,
  openMismatchOf,
  type PricedAlike,
  priceStated,
  setMismatchState,
  stoppingMismatches,
  stoppingMismatchOf,
} from './mismatches.ts';
export { countedOf, isSetAside, priceOf } from './moneyRow.ts';
export { Poster } from './posting.ts';
export { PriceBook } from './priceBook.ts';
export { entriesFor, previewOf } from './priceImport.ts';
export { entries, isExact, moneyOfRun, totals } from './reports.ts';
export { type Believed, believed } from './stated.ts';

/** What a request would cost at most and at least, with the profile's price book; `price` is null where that has none for it. */
export function estimate(profile: Profile, request: StudioRequest): Estimate & { price: Price | null } {
  const model = 'model' in request ? request.model : undefined;
  const price = priceFor(profile.prices, request.kind, model);
  if (!price) return { nano: 0, lowNano: 0, settled: false, source: '', unpriced: true, price: null };
  const cost = costOf(price, quantityOf(request, profile.limits.outputTokens));
  return { ...cost, settled: isSettled(price), source: price.source, price };
}
