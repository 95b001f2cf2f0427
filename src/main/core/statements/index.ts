export { billedLines } from './billJobs.ts';
export { Statements } from './statements.ts';
