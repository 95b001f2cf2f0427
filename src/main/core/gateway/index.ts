/** The gateway room: the client of one service. */
export { hintedTask } from './decode/hint.ts';
export { type ChatStreamReader, createChatStreamReader } from './decode/chatEvents.ts';
export { createGateway } from './gateway.ts';
export type * from './types.ts';
