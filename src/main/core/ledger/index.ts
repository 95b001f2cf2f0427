import type { StudioRequest } from '../../../shared/kinds/index.ts';
import { priceKindOf, quantityOf } from '../../../shared/kinds/index.ts';
import type { Estimate } from '../../../shared/ledger.ts';
import { costOf, isSettled, type Price, priceFor } from '../../../shared/price.ts';
import type { Profile } from '../../../shared/profile.ts';

export {
  committedUnder,
  type ExceededCap,
  exceededCap,
  exceededSoftCaps,
  fitsUnder,
  hardCaps,
  headroomFor,
  listBudgets,
  periodHeadroom,
  setBudget,
  setRunCapSide,
  spendOfRun,
} from './budgets.ts';
export { dayOf, monthOf } from './calendar.ts';
export { ledgerHeadroom } from './journal.ts';
export { LedgerWriter } from './ledgerWriter.ts';
export {
  expectedIfMismatch,
  type MismatchRow,
  mismatchById,
  openMismatchOf,
  type PriceKey,
  priceFromMismatch,
  recordMismatch,
  setMismatchState,
  stoppingMismatches,
  stoppingMismatchFor,
  stoppingMismatchOf,
} from './mismatches.ts';
export { chargedQuantityOf, isReserved, priceOf } from './moneyRow.ts';
export { PriceBook } from './priceBook.ts';
export { previewImport, pricesFromImport } from './priceImport.ts';
export { entries, isExact, moneyOfRun, totals } from './reports.ts';
export { type AcceptedCost, acceptStatedCost } from './statedCost.ts';
export { billableTokens } from './tokenUsage.ts';

/** The highest and lowest cost of a request at the profile's prices; `price` is null if the price book has none for it. */
export function estimate(profile: Profile, request: StudioRequest): Estimate & { price: Price | null } {
  const model = 'model' in request ? request.model : undefined;
  const price = priceFor(profile.prices, priceKindOf(request), model);
  if (!price) return { nano: 0, lowNano: 0, settled: false, source: '', unpriced: true, price: null };
  const cost = costOf(price, quantityOf(request, profile.limits.outputTokens));
  return { ...cost, settled: isSettled(price), source: price.source, price };
}
