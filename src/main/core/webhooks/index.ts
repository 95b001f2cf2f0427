export { SOCKET_LIMITS } from './socketGuard.ts';
export { startWebhooks, type Webhooks } from './webhooks.ts';
