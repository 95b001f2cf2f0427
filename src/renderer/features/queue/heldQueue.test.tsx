import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { fail } from '../../../shared/result.ts';
import { useCommandList } from '../../app/commands.ts';
import { useStudio } from '../../app/index.ts';
import { aQueueStatus } from '../../testing/aQueueStatus.ts';
import { acting, aJob, byText, click, fakeStudio, press, show, until } from '../../testing/page.tsx';
import { freshQueue, queueOf } from '../../testing/queuePage.tsx';
import { QueuePage } from './QueuePage.tsx';

const status = aQueueStatus({ paused: true, waiting: 1 });
const restoredFrom = new Date(2025, 10, 21, 6).getTime();

beforeEach(() => {
  freshQueue();
  return () => useStudio.setState({ queue: undefined });
});

async function heldPage(more: Parameters<typeof fakeStudio>[0] = {}) {
  const studio = fakeStudio({
    ...queueOf([aJob()]),
    'queue.resume': () => ({ ...status, revision: 2, paused: false }),
    ...more,
  });
  useStudio.setState({ queue: { ...status, restoredFrom }, link: 'up' });
  await show(<QueuePage />);
  await until(() => expect(byText(labels.resumeAll).textContent).toContain('$3.20'));
  return studio;
}

const asked = () => byText(labels.resumeTheQueueOfA, '[role="dialog"] *');
const command = () => [...useCommandList.getState().byOwner.values()].flat().find(({ id }) => id === 'queue.pause');

it.each<[string, () => Promise<unknown>]>([
  ['P', () => press('p')],
  ['the button', () => click(byText(labels.resumeAll))],
  ['the command', () => acting(() => command()?.run())],
])('%s asks first where the queue is that of a backup, and the chord that spends lets it go', async (_, ask) => {
  const studio = await heldPage();
  await ask();
  await until(asked);
  await press('Enter');
  expect(studio.callsOf('queue.resume')).toEqual([]);
  const dialog = document.querySelector('[role="dialog"]');
  expect(dialog?.textContent).toContain('This is the backup of Fri 21 Nov 2025 06:00.');
  expect(dialog?.querySelector('.price')?.textContent).toBe('$3.20');
  await press('Enter', { ctrlKey: true });
  await until(() => byText(labels.pauseAll));
  expect(studio.callsOf('queue.resume')).toHaveLength(1);
  expect(document.querySelector('[role="dialog"]')).toBeNull();
});

it('a refusal stands under the bar of its button', async () => {
  await heldPage({ 'queue.resume': () => fail('store_unavailable', 'The store is busy.') });
  await acting(() => useStudio.setState({ queue: { ...status, revision: 3 } }));
  await click(byText(labels.resumeAll));
  await until(() =>
    expect(document.querySelector('.q-main .outcome [role=alert]')?.textContent).toContain('The store is busy.'),
  );
});
