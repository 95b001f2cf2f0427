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
export { costPerKept } from './costPerKept.ts';
export { billableTokens, estimate, estimateQuantity } from './estimate.ts';
export { entriesSince, ledgerFromBackup, ledgerHeadroom } from './journal.ts';
export { exportLedger, reviewOf } from './ledgerExport.ts';
export { LedgerWriter } from './ledgerWriter.ts';
export { chargedQuantityOf, dayOf, isReserved, monthOf, priceOf } from './moneyRow.ts';
export { PriceBook } from './prices/priceBook.ts';
export { noSuchProfile, PriceCalls, priceChanged, shownPriceOf, sumOfPrices } from './prices/priceCalls.ts';
export { repriceReopened } from './prices/repricing.ts';
export { entries, isExact, moneyOfRun, totals } from './reports.ts';
export {
  type AcceptedCost,
  acceptStatedCost,
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
  setUnpricedAllowed,
  stoppingMismatches,
  stoppingMismatchFor,
  stoppingMismatchOf,
  writeStatedCost,
} from './statedCost.ts';
