export { Statements } from './statements.ts';
