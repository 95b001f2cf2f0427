import { expect, test } from 'vitest';
import { run } from './disk.ts';

test('on a full disk nothing acknowledged is lost, nothing is sent without its claim, and work continues once there is room', async () => {
  const lines = await run({ short: true });
  expect(lines[0]).toContain('full at 4 points');
});
