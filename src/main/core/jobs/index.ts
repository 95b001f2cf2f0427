export type { EngineDeps } from './deps.ts';
export { Engine } from './engine.ts';
export type { EnqueueInput } from './enqueue.ts';
