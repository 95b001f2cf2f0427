import { expect, test } from 'vitest';
import { run } from './changes.ts';

test('killed in the middle of changes of many jobs: each is done for all of them or for none', async () => {
  const [line] = await run({ short: true });
  expect(line).toMatch(/^4 kills while 300 waiting jobs were canceled, put into a night or taken out: /);
});
