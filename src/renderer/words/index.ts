/** Shared page texts: states, reasons to wait, ratings, remaining budgets, bills and errors. */
export { billSentence, billWords } from './bills.ts';
export { BLOCK_WORDS } from './blockReasons.ts';
export { capOf, countedParts, leftOf, leftUnder, leftWords, neverFits, OVER_BUDGET } from './caps.ts';
export { ERROR_HINTS, errorText, fieldText, reasonsOf, reasonText } from './errors.ts';
export {
  attemptWords,
  failureWord,
  KEY_PLACE_WORDS,
  NOT_JUDGED,
  RESTORED_QUEUE,
  STATE_WORDS,
  STEP_WORDS,
  STORAGE_WORDS,
  storageWords,
  VERDICT_WORDS,
} from './states.ts';
