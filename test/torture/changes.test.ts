import { expect, test } from 'vitest';
import { run } from './changes.ts';

test('after kills during changes of many jobs, each applies to all of them or to none', async () => {
  const [line] = await run({ short: true });
  expect(line).toMatch(/^4 kills while 300 waiting jobs were canceled, put into a night or taken out: /);
});
