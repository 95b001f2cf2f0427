export type { BatchOrder } from './batchWriter.ts';
export {
  type BillChange,
  type BilledEntry,
  type BilledJob,
  billedJobs,
  type JobBills,
} from './billing/jobBills.ts';
export { noSuchProject } from './commandErrors.ts';
export { Engine } from './engine.ts';
export type { JobCommands } from './jobCommands.ts';
export { JobQueries } from './jobQueries.ts';
export { foundJobs, jobTable, namedInJobs, type SentSince, sentSince } from './jobTable.ts';
export type { TaskDriver } from './kinds/driver.ts';
export { registerDriver } from './kinds/index.ts';
export { laneOf } from './limits/lanes.ts';
export type { MadeJobs } from './listJobs.ts';
export { isInBlocks, isOfFew } from './newestJobs.ts';
export { inDoubt } from './restorableJobs.ts';
export { atGateways } from './seen.ts';
export { endedJobsOf, priceOfJob, removeUnseenJobs } from './writeMade.ts';
