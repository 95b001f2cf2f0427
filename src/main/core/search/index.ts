export { searchAll } from './searchAll.ts';
