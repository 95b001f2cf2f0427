import { afterEach } from 'vitest';
import { openStudio, type TestStudio } from './testStudio.ts';

/** Opens studios for the tests of one file, and closes after each test what it opened. */
export function studiosOfThisFile(): typeof openStudio {
  const opened: TestStudio[] = [];
  afterEach(async () => {
    for (const studio of opened.splice(0)) await studio.close();
  });
  return async (options) => {
    const studio = await openStudio(options);
    opened.push(studio);
    return studio;
  };
}
