import { beforeEach, expect, it } from 'vitest';
import { useAnnouncements } from '../../app/announce.ts';
import { useCommandList } from '../../app/commands.ts';
import { useEntities, useStudio } from '../../app/index.ts';
import { aQueueStatus } from '../../testing/aQueueStatus.ts';
import { freshQueue } from '../../testing/freshQueue.ts';
import { aJob, byText, click, fakeStudio, jobsPage, press, show, until } from '../../testing/page.tsx';
import { QueuePage } from './QueuePage.tsx';

const status = aQueueStatus({ waiting: 3 });
const waiting = ['a', 'b', 'c'].map((id) => aJob({ id }));

const studioWith = (jobs: ReturnType<typeof aJob>[]) =>
  fakeStudio({
    'jobs.list': (filter) => jobsPage(jobs, filter),
    'jobs.ended': () => ({ made: 0, kept: 0, failed: 0, refused: 0, inDoubt: 0 }),
    'queue.resume': () => ({ ...status, revision: 2 }),
  });

beforeEach(() => {
  window.location.hash = '#/queue';
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  freshQueue();
  useStudio.setState({ queue: { ...status, paused: true }, link: 'up', profiles: [], budgets: [] });
  return () => useStudio.setState({ queue: undefined });
});

/** Bug: the key let all that waits go, also before its price was read. */
it('resumes by the chord that spends alone: its key goes to the button and says what goes on', async () => {
  const studio = studioWith(waiting);
  await show(<QueuePage />);
  await until(() => expect(byText('Resume all').textContent).toContain('$9.60'));
  await press('p');
  expect(studio.callsOf('queue.resume')).toEqual([]);
  expect(document.activeElement).toBe(byText('Resume all'));
  await until(() => expect(useAnnouncements.getState().polite).toBe('Resume all, $9.60: Ctrl ↵ sends it.'));
  await press('Enter', { ctrlKey: true }, byText('Resume all'));
  await until(() => byText('Pause all'));
  expect(studio.callsOf('queue.resume')).toHaveLength(1);
});

it('resumes nothing before the price of what waits is read', async () => {
  const studio = fakeStudio({ 'jobs.list': () => new Promise(() => {}) as never });
  await show(<QueuePage />);
  await press('p');
  await until(() => expect(useAnnouncements.getState().polite).toBe('The price is being read.'));
  await press('Enter', { ctrlKey: true }, byText('Resume all'));
  await click(byText('Resume all'));
  const commands = [...useCommandList.getState().byOwner.values()].flat();
  expect(commands).toMatchObject([{ price: 'price not known yet', off: 'The price is being read.' }]);
  expect(studio.callsOf('queue.resume')).toEqual([]);
});

it('resumes at once by its key where nothing waits, since that spends nothing', async () => {
  const studio = studioWith([]);
  await show(<QueuePage />);
  await until(() => expect(byText('Resume all').getAttribute('aria-disabled')).toBeNull());
  await press('p');
  await until(() => expect(studio.callsOf('queue.resume')).toHaveLength(1));
});
