export type { BatchItem } from './commands/bulkWrites.ts';
export type { JobCommands } from './commands/jobCommands.ts';
export { inDoubt } from './commands/restorableJobs.ts';
export { endedJobsOf, priceOfJob, removeUnseenJobs } from './commands/writeMade.ts';
export { Engine } from './engine.ts';
export type { TaskDriver } from './kinds/driver.ts';
export { registerDriver } from './kinds/index.ts';
export { laneOf } from './limits/lanes.ts';
export { noSuchProject } from './machine.ts';
export {
  type BillChange,
  type BilledEntry,
  type BilledJob,
  billedJobs,
  type JobBills,
  sumsTooLarge,
} from './money/jobBills.ts';
export { JobQueries } from './queries/jobQueries.ts';
export { foundJobs, jobTable, namedInJobs, type SentSince, sentSince } from './queries/jobTable.ts';
export type { MadeJobs } from './queries/listJobs.ts';
export { atGateways } from './seen.ts';
