import { expect, test } from 'vitest';
import { run } from './batches.ts';

test('after kills during batches each exists whole or not at all, and its repeat adds nothing', async () => {
  const [line] = await run({ short: true });
  expect(line).toMatch(/^4 kills while 300 lines were enqueued: /);
});
