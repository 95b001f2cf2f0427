import { EXTENSION_SECONDS, GENERATION_SECONDS, UINT32_MAX } from './kinds/video.ts';
import { formatCount } from './texts.ts';

/** What cells of tables hold, and the rules that a table of shots and one of requests share. */

/** The number that a cell holds, or undefined if it is no whole number from 0 on. */
export function wholeNumber(cell: string): number | undefined {
  const value = [...cell].every((character) => '0123456789.'.includes(character)) ? Number(cell) : Number.NaN;
  return cell !== '' && Number.isSafeInteger(value) ? value : undefined;
}

const YES_NO: Readonly<Record<string, boolean>> = { true: true, yes: true, 1: true, false: false, no: false, 0: false };

export const yesOrNo = (cell: string): boolean | undefined => {
  const word = cell.toLowerCase();
  return Object.hasOwn(YES_NO, word) ? YES_NO[word] : undefined;
};

export const LENGTH_RULE = `must be ${GENERATION_SECONDS.join(', ')}, or ${EXTENSION_SECONDS} when extending.`;
export const SEED_RULE = `must be a whole number from 0 to ${formatCount(UINT32_MAX)}.`;
export const YES_NO_RULE = 'must be true or false.';
/** What is printed of a name that is none: a file that is no table has no short names. */
export const MAX_PRINTED_NAME = 40;
