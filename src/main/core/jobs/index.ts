export type { BatchItem } from './commands/bulkWrites.ts';
export { endedJobsOf, priceOfJob, removeHiddenJobs } from './commands/importedJobs.ts';
export type { JobCommands } from './commands/jobCommands.ts';
export { countUnconfirmed } from './commands/jobsFromBackup.ts';
export { Engine } from './engine.ts';
export { atGateways } from './gatewayLastSeen.ts';
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
export { foundJobs, jobTable, referencedInJobs, type SentSince, sentSince } from './queries/jobTable.ts';
export type { MadeJobs } from './queries/listJobs.ts';
