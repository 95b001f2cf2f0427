import { expect, test } from 'vitest';
import { run } from './migrations.ts';

test('a kill while a newer version opens an older folder loses nothing, and the folder opens again', async () => {
  expect((await run({ short: true })).length).toBeGreaterThan(0);
});
