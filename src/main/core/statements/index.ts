export { type StatementDeps, Statements } from './statements.ts';
