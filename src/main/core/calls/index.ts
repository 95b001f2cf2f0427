export { handlersOf } from './handlers.ts';
