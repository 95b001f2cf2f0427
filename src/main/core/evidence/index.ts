export { Evidence } from './evidence.ts';
export { addRecord, hasRecord } from './evidenceRecords.ts';
