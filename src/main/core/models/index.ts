export { ModelCalls } from './modelCalls.ts';
