export type { BatchOrder } from './batchWriter.ts';
export { noSuchProject } from './commandErrors.ts';
export { Engine } from './engine.ts';
export type { JobCommands } from './jobCommands.ts';
export { JobQueries } from './jobQueries.ts';
export { jobTable } from './jobTable.ts';
export type { TaskDriver } from './kinds/driver.ts';
export { registerDriver } from './kinds/index.ts';
export type { MadeJobs } from './listJobs.ts';
