export { billedLines } from './billedLines.ts';
export { Statements } from './statements.ts';
