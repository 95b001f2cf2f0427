/** HTTP: one transport that knows whether a request may have left, its addresses, and the events of a stream. */

export { allowedFrom, writtenAddress, writtenReach } from './address.ts';
export { BrokenBody, connectionFailure, type Failure } from './failure.ts';
export { homePath, homeUrl, originOf, prefixOf, segmentOf, urlOf } from './origin.ts';
export { createEventReader, type ServerEvent } from './sse.ts';
export { createTransport, type Response, type Transport } from './transport.ts';
