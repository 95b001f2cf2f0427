import { expect, test } from 'vitest';
import { run } from './chains.ts';

test('killed in the middle of chains enqueued whole, by day and by night: nothing lost, nothing doubled, each take from the right one', async () => {
  const lines = await run({ short: true });
  expect(lines[0]).toContain('6 kills of 2 chains');
  expect(lines[0]).toContain('1 for a night');
});
