export { Evidence } from './evidence.ts';
export { addRecord, saltOf } from './records.ts';
