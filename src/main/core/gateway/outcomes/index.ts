/** What a request came to: accepted, refused or unknown, with the cost that its answer states. */

export {
  isAccepted,
  isRefusedAsInvalid,
  recordCost,
  refused,
  retryWithNextSpelling,
  statedCost,
  statesSome,
  withStated,
} from './outcome.ts';
