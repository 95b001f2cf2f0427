import { afterAll } from 'vitest';
import { removeTempDirs } from './testPorts.ts';
import { forgetThreads } from './threads.ts';

/** Set up in each file of a project: temporary folders are in memory if there is room (`temporaryFolder.ts`). */
const { TEST_FOLDER_IN_MEMORY } = process.env;
if (TEST_FOLDER_IN_MEMORY) process.env.TMPDIR = TEST_FOLDER_IN_MEMORY;

// A process runs a hundred files: leftovers would take memory until the last.
afterAll(() => {
  removeTempDirs();
  forgetThreads();
});
