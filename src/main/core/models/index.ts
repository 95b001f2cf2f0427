export { type ModelCallDeps, ModelCalls } from './modelCalls.ts';
