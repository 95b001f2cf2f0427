export { SOCKET_LIMITS, type SocketLimits } from './socketGuard.ts';
export { startWebhooks, type Webhooks } from './webhooks.ts';
