import { expect, test } from 'vitest';
import { run } from './webhooks.ts';

test('thousands of forged, slow, idle and repeated webhooks have no effect but one look for a true one', async () => {
  expect((await run({ short: true })).length).toBeGreaterThan(0);
});
