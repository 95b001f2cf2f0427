import { beforeEach, expect, it } from 'vitest';
import { navigate } from '../../app/index.ts';
import { freshQueue } from '../../testing/freshQueue.ts';
import { acting, aJob, fakeStudio, jobsPage, show, until } from '../../testing/page.tsx';
import { QueuePage } from './QueuePage.tsx';
import { selectJob, useQueueView } from './state.ts';

beforeEach(freshQueue);

const selected = () => useQueueView.getState().selectedId;

it('chooses a job that is asked for once more', async () => {
  const jobs = ['a', 'b'].map((id, position) => aJob({ id, position }));
  fakeStudio({ 'jobs.list': (filter) => jobsPage(jobs, filter) });
  window.location.hash = '#/queue?job=a';
  await show(<QueuePage />);
  await until(() => expect(selected()).toBe('a'));
  await acting(() => selectJob('b'));
  await acting(() => navigate('queue', { job: 'a' }));
  expect(selected()).toBe('a');
});
