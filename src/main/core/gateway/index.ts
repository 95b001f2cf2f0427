/** The gateway room: the client of one service. */

export { hasRecord } from './account/recordedCost.ts';
export { createChatStreamReader } from './chat/stream.ts';
export { createGateway } from './gateway.ts';
export { statesSome } from './outcomes/statedCost.ts';
export { hintedTask } from './tasks/taskId.ts';
export type * from './types.ts';
