import { afterAll } from 'vitest';
import { removeTempDirs } from './testPorts.ts';
import { forgetThreads } from './threads.ts';

/** Setup file of a vitest project: puts temporary folders into memory if there is room (`temporaryFolder.ts`). */
const { TEST_FOLDER_IN_MEMORY } = process.env;
if (TEST_FOLDER_IN_MEMORY) process.env.TMPDIR = TEST_FOLDER_IN_MEMORY;

// A process runs a hundred files: without this, their folders would fill the memory.
afterAll(() => {
  removeTempDirs();
  forgetThreads();
});
