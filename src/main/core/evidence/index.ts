export { Evidence } from './evidence.ts';
export { addRecord, hasRecord } from './records.ts';
