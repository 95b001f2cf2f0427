/** The gateway room: the client of one service. */
export { createGateway } from './gateway.ts';
export type * from './types.ts';
