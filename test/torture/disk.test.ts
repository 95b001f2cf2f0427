import { expect, test } from 'vitest';
import { run } from './disk.ts';

test('a full disk loses nothing that was acknowledged, sends nothing without its intent, and is over when there is room', async () => {
  const lines = await run({ short: true });
  expect(lines[0]).toContain('full at 4 points');
});
