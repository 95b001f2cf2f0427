import { expect, test } from 'vitest';
import { run } from './chains.ts';

test('after kills during chains, by day and overnight, nothing is lost or doubled, and each take is from the right one', async () => {
  const lines = await run({ short: true });
  expect(lines[0]).toContain('6 kills of 2 chains');
  expect(lines[0]).toContain('1 for a night');
});
