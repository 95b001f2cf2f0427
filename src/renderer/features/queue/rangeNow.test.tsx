import { beforeEach, expect, it } from 'vitest';
import type { Job } from '../../../shared/job.ts';
import { useEntities, useStudio } from '../../app/index.ts';
import { aQueueStatus } from '../../testing/aQueueStatus.ts';
import { freshQueue } from '../../testing/freshQueue.ts';
import { aJob, click, fakeStudio, jobsPage, scroll, show, until } from '../../testing/page.tsx';
import { QueuePage } from './QueuePage.tsx';
import { useQueueView } from './state.ts';

const jobsOf = (name: string, count: number, state: Job['state']): Job[] =>
  Array.from({ length: count }, (_, n) => aJob({ id: `${name}${n}`, state, position: n }));

beforeEach(() => {
  window.location.hash = '#/queue';
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  freshQueue();
  useStudio.setState({ queue: aQueueStatus(), budgets: [], profiles: [], activeProfileId: 'p' });
});

it('the range has what stands between its ends now, over the groups too', async () => {
  const waiting = jobsOf('waits', 3, 'queued');
  let ended = jobsOf('old', 300, 'failed');
  const studio = fakeStudio({
    'jobs.list': (filter) => jobsPage([...waiting, ...ended], filter),
    'jobs.ended': () => ({ made: 0, kept: 0, failed: 0, refused: 0, inDoubt: 0 }),
  });
  await show(<QueuePage />);
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
