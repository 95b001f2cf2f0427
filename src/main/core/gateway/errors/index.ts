/** What an error answer means: the error as the service put it, its kind, and whether the request was accepted. */

export { blamesService, errorKindOf, errorOnlyBody } from './classify.ts';
export {
  bodyError,
  gatewayError,
  httpError,
  isNoSuchRoute,
  saysNoRoute,
  submitError,
  transportError,
  unreadableError,
  unreadableFile,
  withoutEchoedRequest,
} from './gatewayError.ts';
export { MAX_RETRY_AFTER_MS } from './retryAfter.ts';
export { codeRulesIn, isDenied } from './rules/codes.ts';
export { normalizeText, wordsInNames } from './rules/sentences.ts';
export {
  explicitError,
  isErrorValue,
  meansOk,
  nestedError,
  type ServiceError,
  serviceErrorOf,
} from './serviceError.ts';
