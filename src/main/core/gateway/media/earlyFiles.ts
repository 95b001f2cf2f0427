import { wordingsOf } from '../errors/index.ts';

/** How the place of a result says that it is not there yet, in words that say less about a task. */
export const EARLY_FILES = wordingsOf('early-files', [
  ['filePrograms', 'in progress|inprogress|not available yet|not yet available|try again later'],
]);
