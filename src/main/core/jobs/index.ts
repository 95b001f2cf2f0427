export { Engine } from './engine.ts';
export { priceChanged } from './enqueue.ts';
