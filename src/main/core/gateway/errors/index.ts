/** What an error answer means: the error as the service put it, its kind, and whether the request was accepted. */

export { bareRefusal, kindOf } from './classify.ts';
export {
  failedOrder,
  failureError,
  faultError,
  gatewayError,
  refusalError,
  unreadableError,
  withoutEchoOf,
} from './gatewayError.ts';
export { refusalsIn } from './rules/codes.ts';
export type { Source } from './rules/sources.ts';
export { explicitFault, type Fault, faultInside, faultOf, isAllRight, saysError } from './serviceError.ts';
