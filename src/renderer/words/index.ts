/** What the pages say, each word once: states, reasons to wait, verdicts, what is left under a cap, bills and errors. */
export { billSentence, billWords, FAILURE_WORDS } from './bills.ts';
export { BLOCK_WORDS } from './blockReasons.ts';
export { capOf, countedParts, leftOf, leftUnder, leftWords, neverFits, SCOPE_WORDS } from './caps.ts';
export { STEP_WORDS } from './connection.ts';
export { ERROR_HINTS, errorText, fieldText, reasonsOf, reasonText } from './errors.ts';
export { KEY_PLACE_WORDS } from './keyPlaces.ts';
export { attemptWords, outcomeWords, STATE_WORDS, STORAGE_WORDS, storageWords } from './states.ts';
export { NOT_JUDGED, VERDICT_WORDS } from './verdicts.ts';
