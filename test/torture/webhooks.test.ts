import { expect, test } from 'vitest';
import { run } from './webhooks.ts';

test('thousands of forged, slow, idle and repeated webhooks cause only one poll, for the true one', async () => {
  expect((await run({ short: true })).length).toBeGreaterThan(0);
});
