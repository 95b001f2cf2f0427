/** The gateway room: the client of one service. */
export { createGateway } from './gateway.ts';
export { BrokenBody } from './transport/failure.ts';
export type * from './types.ts';
