import { expect, test } from 'vitest';
import { run } from './claimers.ts';

test('many killed claimers on one file never exceed a hard cap, and entries, sums and jobs agree', async () => {
  expect(await run({ short: true })).toHaveLength(3);
});
