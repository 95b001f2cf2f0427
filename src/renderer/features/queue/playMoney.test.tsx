import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Job } from '../../../shared/job.ts';
import { useEntities, useStudio } from '../../app/index.ts';
import { aQueueStatus } from '../../testing/aQueueStatus.ts';
import { freshQueue } from '../../testing/freshQueue.ts';
import { aJob, byText, fakeStudio, jobsPage, show, until } from '../../testing/page.tsx';
import { QueuePage } from './QueuePage.tsx';

const status = aQueueStatus({ waiting: 1 });

const studioWith = (jobs: Job[]) =>
  fakeStudio({
    'jobs.list': (filter) => jobsPage(jobs, filter),
    'jobs.ended': () => ({ made: 0, kept: 0, failed: 0, refused: 0, inDoubt: 0 }),
  });

beforeEach(() => {
  window.location.hash = '#/queue';
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  freshQueue();
  return () => useStudio.setState({ activeProfileId: undefined });
});

it.each<[string, string, string]>([
  ['sandbox', 'sandbox', 'play $3.20'],
  ['sandbox', 'p', 'real $3.20'],
  ['p', 'sandbox', 'play $3.20'],
  ['p', 'p', '$3.20'],
])('with %s chosen, what waits for %s is named %s', async (activeProfileId, profileId, words) => {
  studioWith([aJob({ profileId })]);
  useStudio.setState({ queue: { ...status, paused: true }, activeProfileId });
  await show(<QueuePage />);
  await until(() => expect(byText(labels.resumeAll).querySelector('.price')?.textContent).toBe(words));
});

it('what is reserved for running jobs names its side as that of waiting ones does', async () => {
  studioWith([aJob({ id: 'r', state: 'running', profileId: 'sandbox' }), aJob({ id: 'w', profileId: 'sandbox' })]);
  useStudio.setState({ queue: status, activeProfileId: 'sandbox' });
  await show(<QueuePage />);
  const heads = () => [...document.querySelectorAll('.qlist .grp')].map(({ textContent }) => textContent);
  await until(() => expect(heads().filter((head) => head?.includes('play $3.20 reserved'))).toHaveLength(2));
});

it.each([
  ['p', 'p', '$3.20 and 1 unpriced reserved'],
  ['sandbox', 'p', 'real $3.20 and 1 unpriced reserved'],
  ['p', undefined, 'price not known reserved'],
])(
  'with %s chosen, what runs without a known price is counted beside what is reserved',
  async (active, other, words) => {
    const money = { ...aJob().money, reservedNano: 0, estimateNano: 0, estimateLowNano: 0, unpriced: true as const };
    const priced = other === undefined ? [] : [aJob({ id: 'r', state: 'running', profileId: other })];
    studioWith([...priced, aJob({ id: 'u', state: 'running', profileId: 'p', money })]);
    useStudio.setState({ queue: status, activeProfileId: active });
    await show(<QueuePage />);
    await until(() => expect(document.querySelector('.qlist .grp')?.textContent).toContain(words));
  },
);
