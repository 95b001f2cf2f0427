/** What a request came to: accepted, refused or unknown, with the cost that its answer states. */

export { isAccepted, refused, withStated } from './outcome.ts';
export { isRefusedAsInvalid, retryWithNextSpelling } from './retryWithNextSpelling.ts';
export { recordCost, statedCost, statesSome } from './statedCost.ts';
