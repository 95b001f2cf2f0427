import { expect, test } from 'vitest';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';

const openStudio = studiosOfThisFile();

test('a job made again stays with the profile of the old one', async () => {
  const { ask } = await openStudio();
  await ask('queue.pause');
  const { jobs } = await ask('jobs.enqueue', { requests: [{ kind: 'imagine', prompt: 'A quay' }] });
  const id = jobs[0]?.id ?? '';
  await ask('jobs.cancel', { id });
  const { id: other } = await ask('profiles.save', { baseUrl: 'http://127.0.0.1:9' });
  await ask('profiles.activate', { id: other });
  expect((await ask('jobs.retry', { id })).profileId).toBe('sandbox');
});
