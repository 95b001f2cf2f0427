/** The gateway module: the client of one service. */

export { hasRecord, untriedHeaders } from './account/index.ts';
export { isDenied, MAX_RETRY_AFTER_MS } from './errors/index.ts';
export { createGateway } from './gateway.ts';
export { bytesInAddress } from './media/index.ts';
export { statesSome } from './outcomes/index.ts';
export { taskFromWebhook } from './tasks/index.ts';
export type * from './types.ts';
