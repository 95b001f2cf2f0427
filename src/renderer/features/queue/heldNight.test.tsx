import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { useEntities, useStudio } from '../../app/index.ts';
import { planned, statusOf } from '../../testing/aNight.ts';
import { aQueueStatus } from '../../testing/aQueueStatus.ts';
import { freshQueue } from '../../testing/freshQueue.ts';
import { aJob, byText, fakeStudio, jobsPage, show, until } from '../../testing/page.tsx';
import { QueuePage } from './QueuePage.tsx';

beforeEach(() => {
  window.location.hash = '#/queue';
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  freshQueue();
  useStudio.setState({ queue: aQueueStatus({ waiting: 2 }) });
});

it('a job of the night that is held says so, and one of another night does not', async () => {
  const held = { state: 'blocked', reason: 'window' } as const;
  const jobs = [aJob({ id: 'a', ...held, runId: planned.id }), aJob({ id: 'b', ...held, runId: 'night_14' })];
  fakeStudio({
    'jobs.list': (filter) => jobsPage(jobs, filter),
    'jobs.ended': () => ({ made: 0, kept: 0, failed: 0, refused: 0, inDoubt: 0 }),
    'night.get': () => statusOf({ ...planned, state: 'open', held: 'battery' }),
  });
  await show(<QueuePage />);
  const reasons = () => [...document.querySelectorAll('.qrow .wait')].map(({ textContent }) => textContent);
  await until(() =>
    expect(reasons()).toEqual([
      expect.stringContaining(labels.heldTheMachineRunsOn),
      expect.stringContaining(labels.itsNightIsOver),
    ]),
  );
  expect(byText('Night', 'aside.tonight').textContent).toContain('held: the machine runs on battery');
});
