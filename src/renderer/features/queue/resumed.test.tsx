import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { fail } from '../../../shared/contract/result.ts';
import { useAnnouncements } from '../../app/announce.ts';
import { useStudio } from '../../app/index.ts';
import { liveActions } from '../../app/keys/shortcuts.ts';
import { aQueueStatus } from '../../testing/aQueueStatus.ts';
import {
  type Answers,
  acting,
  aJob,
  byText,
  click,
  type FakeStudio,
  jobsPage,
  press,
  release,
  until,
} from '../../testing/page.tsx';
import { freshQueue, openQueue } from '../../testing/queuePage.tsx';

const status = aQueueStatus({ waiting: 3 });
const waiting = ['a', 'b', 'c'].map((id) => aJob({ id }));

beforeEach(() => {
  freshQueue({ ...status, paused: true });
  useStudio.setState({ link: 'up' });
  return () => useStudio.setState({ queue: undefined });
});

const button = () => byText(labels.resumeAll);
const open = (more: Answers = {}, jobs = waiting) =>
  openQueue(jobs, { 'queue.resume': () => ({ ...status, revision: 2 }), ...more });
const canResume = () => until(() => expect(button().getAttribute('aria-disabled')).toBeNull());
const spend = () => press('Enter', { ctrlKey: true }, button());
const resumed = (studio: FakeStudio) => studio.callsOf('queue.resume').length;
const moneyMoves = (studio: FakeStudio) => studio.emit({ type: 'ledger.changed' } as never);
const command = () => liveActions().find(({ id }) => id === 'queue.pause');

it('resumes by the chord that spends alone: its key goes to the button and says what goes on', async () => {
  const studio = await open();
  await until(() => expect(button().textContent).toContain('$9.60'));
  await press('p');
  expect(resumed(studio)).toBe(0);
  expect(document.activeElement).toBe(button());
  await until(() => expect(useAnnouncements.getState().polite).toBe(`${labels.resumeAll}, $9.60: Ctrl ↵ sends it.`));
  await spend();
  await until(() => byText(labels.pauseAll));
  expect(resumed(studio)).toBe(1);
});

it('resumes nothing before the price of what waits is read', async () => {
  const studio = await open({ 'jobs.list': () => new Promise(() => {}) as never });
  await press('p');
  await until(() => expect(useAnnouncements.getState().polite).toBe(labels.thePriceIsBeingRead));
  await spend();
  await click(button());
  expect(command()).toMatchObject({ spend: { price: 'No price yet' }, off: labels.thePriceIsBeingRead });
  expect(resumed(studio)).toBe(0);
});

it('resumes at once by its key where nothing waits, since that spends nothing', async () => {
  const studio = await open({}, []);
  await canResume();
  await press('p');
  await until(() => expect(resumed(studio)).toBe(1));
});

it('says that the reading failed only where nothing newer was read', async () => {
  let fails = true;
  let goOn = () => {};
  let waits = Promise.resolve();
  const studio = await open({
    'jobs.list': async (filter) => {
      await waits;
      return fails ? fail('internal', 'The list cannot be read.') : jobsPage(waiting, filter);
    },
  });
  const described = () => button().getAttribute('aria-description');
  await until(() => expect(described()).toBe('The list cannot be read.'));
  fails = false;
  await moneyMoves(studio);
  await canResume();
  fails = true;
  const before = studio.callsOf('jobs.list').length;
  waits = new Promise((done) => (goOn = done));
  await moneyMoves(studio);
  // As soon as something has happened, the sum that is shown is no longer known to be the one that would be sent.
  expect(described()).toBe(labels.thePriceIsBeingRead);
  await until(() => expect(studio.callsOf('jobs.list').length).toBeGreaterThan(before));
  await click(button());
  await acting(() => goOn());
  await canResume();
  expect(resumed(studio)).toBe(0);
});

it.each([
  ['that has just changed', waiting, [...waiting, aJob({ id: 'd' })], '$12.80'],
  ['that is the first one', [], waiting, '$9.60'],
])('waits for a look at a sum %s, and for none where nothing waits any more', async (_, first, then, sum) => {
  let now = first;
  const studio = await open({ 'jobs.list': (filter) => jobsPage(now, filter) });
  await canResume();
  now = then;
  await moneyMoves(studio);
  await until(() => expect(button().textContent).toContain(sum));
  await click(button());
  expect(button().getAttribute('aria-description')).toContain('just changed');
  await canResume();
  expect(resumed(studio)).toBe(0);
  now = [];
  const told = new Set<string | null>();
  const observer = new MutationObserver(() => told.add(button().getAttribute('aria-description')));
  observer.observe(document.body, { subtree: true, childList: true, attributes: true });
  await moneyMoves(studio);
  await until(() => expect(button().textContent).not.toContain('$'));
  await canResume();
  observer.disconnect();
  expect([...told].filter((words) => words?.includes('just changed'))).toEqual([]);
});

it('reads the price again where only the queue changed: a job that is put back to waiting keeps its reservation', async () => {
  let now = waiting;
  const studio = await open({ 'jobs.list': (filter) => jobsPage(now, filter) });
  await canResume();
  now = [...waiting, aJob({ id: 'd' })];
  await studio.emit({ type: 'queue.changed', status: { ...status, paused: true, waiting: 4, revision: 2 } });
  await until(() => expect(button().textContent).toContain('$12.80'));
});

it('is switched once by a key that is held', async () => {
  const studio = await open({ 'queue.pause': () => ({ ...status, paused: true, revision: 3 }) });
  await canResume();
  const pressed = button();
  await press('Enter', {}, pressed);
  await click(pressed);
  await until(() => byText(labels.pauseAll));
  await press('Enter', { repeat: true }, pressed);
  await click(pressed);
  await release('Enter', pressed);
  expect([resumed(studio), studio.callsOf('queue.pause').length]).toEqual([1, 0]);
});

it.each<[string, () => Promise<unknown>]>([
  ['P', () => press('p')],
  ['the button', () => click(button())],
  ['the command', () => acting(() => command()?.run(new KeyboardEvent('keydown')))],
])('%s asks first where the queue is that of a backup, and the chord that spends lets it go', async (_, ask) => {
  const restoredFrom = new Date(2025, 10, 21, 6).getTime();
  useStudio.setState({ queue: { ...status, paused: true, restoredFrom } });
  const studio = await open();
  await until(() => expect(button().textContent).toContain('$9.60'));
  const dialog = () => document.querySelector('[role="dialog"]');
  await ask();
  await until(() => expect(dialog()?.textContent).toContain('Check your gateway’s bill'));
  await press('Enter');
  expect(resumed(studio)).toBe(0);
  expect(dialog()?.querySelector('.price')?.textContent).toBe('$9.60');
  await press('Enter', { ctrlKey: true });
  await until(() => byText(labels.pauseAll));
  expect([resumed(studio), dialog()]).toEqual([1, null]);
});

it('a refusal stands under the bar of its button', async () => {
  await open({ 'queue.resume': () => fail('store_unavailable', 'The store is busy.') });
  await canResume();
  await click(button());
  const outcome = () => document.querySelector('.queue > .col .outcome [role=alert]')?.textContent;
  await until(() => expect(outcome()).toContain('The store is busy.'));
});
