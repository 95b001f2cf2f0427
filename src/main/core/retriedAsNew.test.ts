import { expect, test } from 'vitest';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';

/** What `jobs.retry` means for the documents that name a job: a new job that nothing names would be paid for and never seen. */

const openStudio = studiosOfThisFile();

/** With the queue paused, so that nothing is sent. */
async function open() {
  const { ask } = await openStudio();
  await ask('queue.pause');
  return ask;
}

test('a retried take is in its shot, and replaces the failed one', async () => {
  const ask = await open();
  const { id: projectId } = await ask('projects.create', { name: 'Film' });
  const shots = [{ id: 'one', prompt: 'A quay', model: 'video-standard' }];
  await ask('storyboard.save', { projectId, revision: 0, shots });
  const { job } = await ask('storyboard.makeTake', { projectId, shotId: 'one' });
  await ask('jobs.cancel', { id: job.id });
  const again = await ask('jobs.retry', { id: job.id });
  const board = await ask('storyboard.get', { projectId });
  expect(board.shots[0]).toMatchObject({ takes: [job.id, again.id], activeTake: again.id });
  expect(again).toMatchObject({ projectId, state: 'blocked', reason: 'paused' });
});

test('a retried answer appears in its message', async () => {
  const ask = await open();
  const { conversationId } = await ask('chat.create', {});
  const sent = await ask('chat.send', { conversationId, text: 'Hello', model: 'language' });
  await ask('jobs.cancel', { id: sent.jobId });
  const again = await ask('jobs.retry', { id: sent.jobId });
  const { messages } = await ask('chat.get', { conversationId });
  expect(messages.map(({ id, role, jobId }) => ({ id, role, jobId }))).toMatchObject([
    { role: 'user' },
    { role: 'assistant', id: sent.messageId, jobId: again.id },
  ]);
});

test('a job made again stays with the profile of the old one', async () => {
  const ask = await open();
  const { jobs } = await ask('jobs.enqueue', { requests: [{ kind: 'imagine', prompt: 'A quay' }] });
  const id = jobs[0]?.id ?? '';
  await ask('jobs.cancel', { id });
  const { id: other } = await ask('profiles.save', { baseUrl: 'http://127.0.0.1:9' });
  await ask('profiles.activate', { id: other });
  expect((await ask('jobs.retry', { id })).profileId).toBe('sandbox');
});
