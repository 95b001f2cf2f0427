import { expect, test } from 'vitest';
import { checkCommands, root, runTool } from './tools.ts';

test.each(checkCommands())('the tree passes: %s', (command) => {
  const { ok, said } = runTool(command, root);
  expect(ok, said).toBe(true);
});
