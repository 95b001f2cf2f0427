import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { aQueueStatus } from '../../../testing/aQueueStatus.ts';
import { aJob, byText, click, clickOn, fakeStudio, show, until } from '../../../testing/page.tsx';
import { freshQueue, queueOf } from '../../../testing/queuePage.tsx';
import { QueuePage } from '../QueuePage.tsx';

const money = { ...aJob().money, estimateNano: 4_113e9, estimateLowNano: 4_113e9, confirmedNano: 4_110_000_000 };
const risen = ['r', 's'].map((id) =>
  aJob({ id, state: 'blocked', reason: 'priceRose', money, request: { kind: 'imagine', prompt: `Risen ${id}` } }),
);
const studioOfRisen = () =>
  fakeStudio({
    ...queueOf(risen),
    'jobs.confirmPrice': ({ ids }) => ({ jobs: ids.map((id) => aJob({ id })) }),
  });

beforeEach(() => freshQueue(aQueueStatus({ waiting: 2 })));

const costing = (nano: number) => ({ estimateNano: nano, lowNano: nano, unpriced: 0 });
const isOver = () => expect(document.querySelector('[role="dialog"]')).toBeNull();

it('the queue shows the old and the new price, and confirms all of them at the one that is shown', async () => {
  const studio = studioOfRisen();
  await show(<QueuePage />);
  await until(() => byText(labels.priceRoseFromTo('$4.11', '$4,113.00'), '.wait'));
  await until(() => byText('2 jobs confirmed at $8.22. Price now: $8,226.00.', '.risen'));
  await click(byText(labels.confirmPrice, '.risen button'));
  await click(byText('Confirm 2 jobs', '[role="dialog"] button'));
  await until(() =>
    expect(studio.callsOf('jobs.confirmPrice')).toEqual([{ ids: ['r', 's'], shown: costing(8_226e9) }]),
  );
  await until(isOver);
});

it('one job is confirmed from its row', async () => {
  const studio = studioOfRisen();
  await show(<QueuePage />);
  await clickOn('Risen r', '.qrow');
  await click(byText(labels.confirmPrice, '.cascade button'));
  expect(byText(labels.confirmedBefore, '[role="dialog"]').textContent).toContain('$4.11');
  expect(studio.callsOf('jobs.confirmPrice')).toEqual([]);
  await click(byText('Confirm 1 job', '[role="dialog"] button'));
  await until(() => expect(studio.callsOf('jobs.confirmPrice')).toEqual([{ ids: ['r'], shown: costing(4_113e9) }]));
});
