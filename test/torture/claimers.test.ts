import { expect, test } from 'vitest';
import { run } from './claimers.ts';

test('many claimers on one file, killed in the middle: no hard cap is ever passed, and entries, sums and jobs agree', async () => {
  expect(await run({ short: true })).toHaveLength(3);
});
