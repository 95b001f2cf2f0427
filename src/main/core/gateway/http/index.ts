/** HTTP: one transport that knows whether a request may have left, its addresses, and the events of a stream. */

export { createEventReader, prepended, type ServerEvent } from './body.ts';
export { BrokenBody, type Failure } from './failure.ts';
export {
  allowedNear,
  basePathOf,
  literalAddress,
  literalScope,
  originOf,
  pathAtOrigin,
  segmentOf,
  urlAtOrigin,
  urlOf,
} from './origin.ts';
export { createTransport, type Response, type Transport } from './transport.ts';
