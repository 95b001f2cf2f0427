export { billedLines } from './billedLines.ts';
export { type StatementDeps, Statements } from './statements.ts';
