export type { EngineDeps } from './deps.ts';
export { createEngine, type Engine } from './engine.ts';
export type { EnqueueInput } from './enqueue.ts';
