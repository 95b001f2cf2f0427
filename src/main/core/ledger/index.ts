export { lastEntry } from './billWriter.ts';
export {
  amountFor,
  capOfRun,
  committedUnder,
  countedOfRun,
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
export { estimate, estimateQuantity } from './estimate.ts';
export { ledgerHeadroom } from './journal.ts';
export { keptOf } from './kept.ts';
export { exportLedger } from './ledgerExport.ts';
export { reviewOf } from './ledgerFile.ts';
export { LedgerWriter } from './ledgerWriter.ts';
export {
  adoptionOf,
  chargedSince,
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
export { PriceCalls } from './priceCalls.ts';
export { entries, isExact, moneyOfRun, totals } from './reports.ts';
export { repriceReopened } from './repricing.ts';
export { entriesSince, restorableLedger } from './restorable.ts';
export { priceChanged, shownPriceOf } from './shownPrice.ts';
export { setUnpricedAllowed, writeStatedCost } from './statedColumns.ts';
export { type AcceptedCost, acceptStatedCost } from './statedCost.ts';
export { billableTokens } from './tokenUsage.ts';
