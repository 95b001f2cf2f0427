import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Job } from '../../../shared/job.ts';
import { fail } from '../../../shared/result.ts';
import { useAnnouncements } from '../../app/announce.ts';
import { useCommandList } from '../../app/commands.ts';
import { useStudio } from '../../app/index.ts';
import { aQueueStatus } from '../../testing/aQueueStatus.ts';
import { acting, aJob, byText, click, fakeStudio, jobsPage, press, release, show, until } from '../../testing/page.tsx';
import { freshQueue, openQueue } from '../../testing/queuePage.tsx';
import { QueuePage } from './QueuePage.tsx';

const status = aQueueStatus({ waiting: 3 });
const waiting = ['a', 'b', 'c'].map((id) => aJob({ id }));

const open = (jobs: Job[]) =>
  openQueue(jobs, {
    'queue.resume': () => ({ ...status, revision: 2 }),
  });

beforeEach(() => {
  freshQueue();
  useStudio.setState({ queue: { ...status, paused: true }, link: 'up', profiles: [], budgets: [] });
  return () => useStudio.setState({ queue: undefined });
});

it('resumes by the chord that spends alone: its key goes to the button and says what goes on', async () => {
  const studio = await open(waiting);
  await until(() => expect(byText(labels.resumeAll).textContent).toContain('$9.60'));
  await press('p');
  expect(studio.callsOf('queue.resume')).toEqual([]);
  expect(document.activeElement).toBe(byText(labels.resumeAll));
  await until(() => expect(useAnnouncements.getState().polite).toBe(`${labels.resumeAll}, $9.60: Ctrl ↵ sends it.`));
  await press('Enter', { ctrlKey: true }, byText(labels.resumeAll));
  await until(() => byText(labels.pauseAll));
  expect(studio.callsOf('queue.resume')).toHaveLength(1);
});

it('resumes nothing before the price of what waits is read', async () => {
  const studio = fakeStudio({ 'jobs.list': () => new Promise(() => {}) as never });
  await show(<QueuePage />);
  await press('p');
  await until(() => expect(useAnnouncements.getState().polite).toBe(labels.thePriceIsBeingRead));
  await press('Enter', { ctrlKey: true }, byText(labels.resumeAll));
  await click(byText(labels.resumeAll));
  const commands = [...useCommandList.getState().byOwner.values()].flat();
  expect(commands).toMatchObject([{ price: 'price not known yet', off: labels.thePriceIsBeingRead }]);
  expect(studio.callsOf('queue.resume')).toEqual([]);
});

it('resumes at once by its key where nothing waits, since that spends nothing', async () => {
  const studio = await open([]);
  await until(() => expect(byText(labels.resumeAll).getAttribute('aria-disabled')).toBeNull());
  await press('p');
  await until(() => expect(studio.callsOf('queue.resume')).toHaveLength(1));
});

it('says that the reading failed only where nothing newer was read', async () => {
  let fails = true;
  let goOn = () => {};
  let waits = Promise.resolve();
  const studio = fakeStudio({
    'jobs.list': async (filter) => {
      await waits;
      return fails ? fail('internal', 'The list cannot be read.') : jobsPage(waiting, filter);
    },
  });
  await show(<QueuePage />);
  await until(() => expect(byText(labels.resumeAll).getAttribute('aria-description')).toBe('The list cannot be read.'));
  fails = false;
  await studio.emit({ type: 'ledger.changed' } as never);
  await until(() => expect(byText(labels.resumeAll).getAttribute('aria-disabled')).toBeNull());
  fails = true;
  const before = studio.callsOf('jobs.list').length;
  waits = new Promise((done) => (goOn = done));
  await studio.emit({ type: 'ledger.changed' } as never);
  // As soon as something has happened, the sum that is shown is no longer known to be the one that would be sent.
  expect(byText(labels.resumeAll).getAttribute('aria-description')).toBe(labels.thePriceIsBeingRead);
  await until(() => expect(studio.callsOf('jobs.list').length).toBeGreaterThan(before));
  await click(byText(labels.resumeAll));
  await acting(() => goOn());
  await until(() => expect(byText(labels.resumeAll).getAttribute('aria-disabled')).toBeNull());
  expect(studio.callsOf('queue.resume')).toEqual([]);
});

it('waits for a look at a sum that has just changed', async () => {
  let now = waiting;
  const studio = fakeStudio({
    'jobs.list': (filter) => jobsPage(now, filter),
    'queue.resume': () => ({ ...status, revision: 2 }),
  });
  await show(<QueuePage />);
  await until(() => expect(byText(labels.resumeAll).getAttribute('aria-disabled')).toBeNull());
  await press('p');
  now = [...waiting, aJob({ id: 'd' })];
  await studio.emit({ type: 'ledger.changed' } as never);
  await until(() => expect(byText(labels.resumeAll).textContent).toContain('$12.80'));
  await press('Enter', { ctrlKey: true }, byText(labels.resumeAll));
  expect(studio.callsOf('queue.resume')).toEqual([]);
  expect(byText(labels.resumeAll).getAttribute('aria-description')).toContain('has changed just now');
  await until(() => expect(byText(labels.resumeAll).getAttribute('aria-disabled')).toBeNull());
  await press('Enter', { ctrlKey: true }, byText(labels.resumeAll));
  await until(() => expect(studio.callsOf('queue.resume')).toHaveLength(1));
});

/** Bugs: the first sum after nothing was let go unseen, and where there was nothing left, one was to look at a price that was not there. */
it('waits for a look at the first sum, and for none where nothing waits any more', async () => {
  let now: typeof waiting = [];
  const studio = fakeStudio({
    'jobs.list': (filter) => jobsPage(now, filter),
    'queue.resume': () => ({ ...status, revision: 2 }),
  });
  await show(<QueuePage />);
  await until(() => expect(byText(labels.resumeAll).getAttribute('aria-disabled')).toBeNull());
  now = waiting;
  await studio.emit({ type: 'ledger.changed' } as never);
  await until(() => expect(byText(labels.resumeAll).textContent).toContain('$9.60'));
  await click(byText(labels.resumeAll));
  expect(studio.callsOf('queue.resume')).toEqual([]);
  await until(() => expect(byText(labels.resumeAll).getAttribute('aria-disabled')).toBeNull());
  now = [];
  const told = new Set<string | null>();
  const observer = new MutationObserver(() => told.add(byText(labels.resumeAll).getAttribute('aria-description')));
  observer.observe(document.body, { subtree: true, childList: true, attributes: true });
  await studio.emit({ type: 'ledger.changed' } as never);
  await until(() => expect(byText(labels.resumeAll).textContent).not.toContain('$'));
  await until(() => expect(byText(labels.resumeAll).getAttribute('aria-disabled')).toBeNull());
  observer.disconnect();
  expect([...told].filter((words) => words?.includes('has changed just now'))).toEqual([]);
});

it('is switched once by a key that is held', async () => {
  const studio = fakeStudio({
    'jobs.list': (filter) => jobsPage(waiting, filter),
    'queue.resume': () => ({ ...status, revision: 2 }),
    'queue.pause': () => ({ ...status, paused: true, revision: 3 }),
  });
  await show(<QueuePage />);
  await until(() => expect(byText(labels.resumeAll).getAttribute('aria-disabled')).toBeNull());
  const button = byText(labels.resumeAll);
  await press('Enter', {}, button);
  await click(button);
  await until(() => byText(labels.pauseAll));
  await press('Enter', { repeat: true }, button);
  await click(button);
  await release('Enter', button);
  expect([studio.callsOf('queue.resume').length, studio.callsOf('queue.pause').length]).toEqual([1, 0]);
});
