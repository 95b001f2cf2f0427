import { beforeEach, expect, it } from 'vitest';
import type { Job } from '../../../shared/job.ts';
import { navigate } from '../../app/index.ts';
import { aQueueStatus } from '../../testing/aQueueStatus.ts';
import { acting, aJob, click, jobsPage, scroll, until } from '../../testing/page.tsx';
import { freshQueue, openQueue } from '../../testing/queuePage.tsx';
import { selectJob, useQueueView } from './state.ts';

beforeEach(() => freshQueue(aQueueStatus()));

const jobsOf = (name: string, count: number, state: Job['state']): Job[] =>
  Array.from({ length: count }, (_, n) => aJob({ id: `${name}${n}`, state, position: n }));

it('the range has what stands between its ends now, over the groups too', async () => {
  const waiting = jobsOf('waits', 3, 'queued');
  let ended = jobsOf('old', 300, 'failed');
  const studio = await openQueue([], { 'jobs.list': (filter) => jobsPage([...waiting, ...ended], filter) });
  const job = (id: string) => document.getElementById(`job-${id}`) ?? expect.fail(`${id} is not in view`);
  await until(() => job('waits0'));
  const list = document.querySelector('.qlist') as HTMLElement;
  for (const top of [3_000, 6_000, 100_000]) await scroll(list, top);
  await until(() => job('old299'));
  await click(job('old299'));
  await scroll(list, 0);
  const come = jobsOf('new', 50, 'failed');
  ended = [...come, ...ended];
  await studio.emit({ type: 'job.changed', job: come[0] as Job });
  await until(() => job('new0'));
  await click(job('waits1'), { shiftKey: true });
  await until(() => expect(useQueueView.getState().choice.ids.size).toBe(352));
});

it('chooses a job that is asked for once more', async () => {
  const jobs = ['a', 'b'].map((id, position) => aJob({ id, position }));
  window.location.hash = '#/queue?job=a';
  await openQueue(jobs);
  const selected = () => useQueueView.getState().selectedId;
  await until(() => expect(selected()).toBe('a'));
  await acting(() => selectJob('b'));
  await acting(() => navigate('queue', { job: 'a' }));
  expect(selected()).toBe('a');
});
