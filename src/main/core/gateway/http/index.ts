/** HTTP: one transport that knows whether a request may have left, its addresses, and the events of a stream. */

export { allowedNear, literalAddress, literalScope } from './address.ts';
export { BrokenBody, connectionFailure, type Failure } from './failure.ts';
export { basePathOf, originOf, pathAtOrigin, segmentOf, urlAtOrigin, urlOf } from './origin.ts';
export { createEventReader, type ServerEvent } from './sse.ts';
export { createTransport, type Response, type Transport } from './transport.ts';
