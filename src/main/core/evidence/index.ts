export { Evidence } from './evidence.ts';
export { addRecord, hasRecord, saltOf } from './records.ts';
