/** The gateway room: the client of one service. */

export { hasRecord } from './calls/recordedCost.ts';
export { createChatStreamReader } from './decode/chatEvents.ts';
export { hintedTask } from './decode/hint.ts';
export { statesSome } from './decode/statedCost.ts';
export { createGateway } from './gateway.ts';
export type * from './types.ts';
