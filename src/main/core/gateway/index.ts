/** The gateway module: the client of one service. */

export { hasRecord } from './account/freeAnswers.ts';
export { untriedHeaders } from './account/keyCheck.ts';
export { MAX_RETRY_AFTER_MS } from './errors/retryAfter.ts';
export { isDenied } from './errors/rules/codes.ts';
export { createGateway } from './gateway.ts';
export { bytesInAddress } from './media/mediaBody.ts';
export { statesSome } from './outcomes/outcome.ts';
export { taskFromWebhook } from './tasks/taskId.ts';
export type * from './types.ts';
