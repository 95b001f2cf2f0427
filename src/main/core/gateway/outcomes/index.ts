/** What a request came to: accepted, refused or unknown, with the cost that its answer states. */

export { isRefusedAsInvalid, refused, retryWithNextSpelling, withStated } from './outcome.ts';
export { recordCost, statedCost, statesSome } from './statedCost.ts';
