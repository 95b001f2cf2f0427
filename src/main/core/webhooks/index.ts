export { SOCKET_LIMITS } from './receiver.ts';
export { startWebhooks, type Webhooks } from './webhooks.ts';
