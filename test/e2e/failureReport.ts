import { afterAll, afterEach } from 'vitest';
import { Program } from './program.ts';

/** Shows the pages' content when a test or hook fails: "timeout" alone does not. */

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') for (const program of Program.open) console.error(await program.shown());
});

// When a hook fails there is no failed test, and the programs have stopped by now.
// biome-ignore lint/correctness/noEmptyPattern: vitest wants a pattern here, though none of it is needed.
afterAll(({}, suite) => {
  const isToldByTest = suite.tasks.some(({ result }) => result?.state === 'fail');
  if (suite.result?.state === 'fail' && !isToldByTest) for (const shown of Program.lastShown) console.error(shown);
});
