export { startWebhooks } from './webhooks.ts';
