import { expect, test } from 'vitest';
import { run } from './kills.ts';

test('killed at random moments of a mixed load: nothing lost, nothing sent twice, the ledger agrees with the bill', async () => {
  const lines = await run({ short: true });
  expect(lines[0]).toContain('5 kills');
});
