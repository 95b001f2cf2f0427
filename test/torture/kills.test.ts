import { expect, test } from 'vitest';
import { run } from './kills.ts';

test('after kills at random moments nothing is lost or sent twice, and the ledger agrees with the bill', async () => {
  const lines = await run({ short: true });
  expect(lines[0]).toContain('5 kills');
});
