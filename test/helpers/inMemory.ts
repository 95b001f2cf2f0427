import { afterAll } from 'vitest';
import { removeTempDirs } from './testPorts.ts';
import { forgetThreads } from './threads.ts';

/** Set up in each file of a project: its temporary folders are in memory where the machine has room for them (`temporaryFolder.ts`). */
const { TEST_FOLDER_IN_MEMORY } = process.env;
if (TEST_FOLDER_IN_MEMORY) process.env.TMPDIR = TEST_FOLDER_IN_MEMORY;

// A process runs a hundred files: what one has left would take memory until the last.
afterAll(() => {
  removeTempDirs();
  forgetThreads();
});
