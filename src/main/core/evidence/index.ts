export { addRecord } from './records.ts';
