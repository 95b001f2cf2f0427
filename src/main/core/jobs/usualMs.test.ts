import { expect, test } from 'vitest';
import { acceptance, aVideo, finished } from '../../../../test/helpers/engineHarness.ts';
import { jobsOfThisFile } from '../../../../test/helpers/engineHarnesses.ts';

const aJob = jobsOfThisFile();

test('a running job names how long jobs of its model took from sending to the end, and nothing before one was made', async () => {
  const { script, clock, now, enqueue, ends, harness } = await aJob({ state: 'running' });
  expect(now().usualMs).toBeUndefined();
  await clock.advance(1_500);
  script.poll = [finished()];
  const { sentAt = 0, finishedAt = 0, usualMs } = await ends();
  expect(usualMs).toBeUndefined();
  script.submit = [acceptance(clock, 'task-2'), acceptance(clock, 'task-3')];
  const { id } = await enqueue(aVideo);
  expect((await harness.until(id, ({ state }) => state === 'running')).usualMs).toBe(finishedAt - sentAt);
  const other = await enqueue({ kind: 'video', model: 'video-pro', prompt: 'A quay' });
  expect((await harness.until(other.id, ({ state }) => state === 'running')).usualMs).toBeUndefined();
});
