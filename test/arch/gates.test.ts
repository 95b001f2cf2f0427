import { expect, test } from 'vitest';
import { checkCommands, root, runTool } from './tools.ts';

// Each of them mostly keeps one core busy.
test.concurrent.each(checkCommands())('the tree passes: %s', async (command) => {
  const { ok, said } = await runTool(command, root);
  expect(ok, said).toBe(true);
});
