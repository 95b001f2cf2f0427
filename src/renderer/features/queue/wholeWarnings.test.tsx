import { beforeEach, expect, it } from 'vitest';
import type { Job } from '../../../shared/job.ts';
import { useEntities, useStudio } from '../../app/index.ts';
import { aQueueStatus } from '../../testing/aQueueStatus.ts';
import { freshQueue } from '../../testing/freshQueue.ts';
import { aJob, byText, fakeStudio, jobsPage, show, until } from '../../testing/page.tsx';
import { QueuePage } from './QueuePage.tsx';

beforeEach(() => {
  window.location.hash = '#/queue';
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  freshQueue();
  useStudio.setState({ queue: aQueueStatus({ waiting: 1 }), budgets: [], profiles: [] });
});

const message = 'The gateway refused the prompt: it names a living person. Change the prompt, then request it again.';
const note = 'Charged for 4 clips, and 2 were made.';
const money = { ...aJob().money, uncertainNano: 400_000_000 };
const error = { kind: 'moderation', message, retryable: false } as const;
const request = { kind: 'imagine', prompt: 'A lamp' } as const;

it.each<[string, Job, string]>([
  ['why it failed', aJob({ id: 'f', state: 'failed', error, request, money }), message],
  ['what was charged', aJob({ id: 's', state: 'succeeded', request, money: { ...money, note } }), note],
  ['why it waits', aJob({ id: 'b', state: 'blocked', request, money, reason: 'budget' }), 'Raise the cap on Spend'],
])('a row says to its end %s', async (_, job, words) => {
  fakeStudio({
    'jobs.list': (filter) => jobsPage([job], filter),
    'jobs.ended': () => ({ made: 0, kept: 0, failed: 0, refused: 0, inDoubt: 0 }),
  });
  await show(<QueuePage />);
  await until(() => byText(words, '.qrow'));
  const said = [...document.querySelectorAll('.qrow *')].filter(({ textContent }) => textContent?.includes(words));
  expect(said.flatMap(({ classList }) => [...classList])).not.toContain('cut');
});
