import { expect, test } from 'vitest';
import { run } from './migrations.ts';

test('killed while a newer version opens the folder of an older one, nothing is lost and it opens again', async () => {
  expect((await run({ short: true })).length).toBeGreaterThan(0);
});
