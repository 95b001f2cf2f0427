import { expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { aJob, byText, click, fakeStudio, show, until } from '../../testing/page.tsx';
import { TakeActions } from './TakeActions.tsx';

it('a take whose price rose is confirmed at its shot, at the price that is shown', async () => {
  const money = { ...aJob().money, estimateNano: 4_113e9, estimateLowNano: 4_113e9, confirmedNano: 4_110_000_000 };
  const studio = fakeStudio({ 'jobs.confirmPrice': ({ ids }) => ({ jobs: ids.map((id) => aJob({ id })) }) });
  await show(<TakeActions job={aJob({ id: 'r', state: 'blocked', reason: 'priceRose', money })} />);
  await click(byText(labels.confirmPrice, 'button'));
  expect(byText(labels.confirmedBefore, '.row').textContent).toContain('$4.11');
  await click(byText('Confirm 1 job', '[role="dialog"] button'));
  const shown = { estimateNano: 4_113e9, lowNano: 4_113e9, unpriced: 0 };
  await until(() => expect(studio.callsOf('jobs.confirmPrice')).toEqual([{ ids: ['r'], shown }]));
});
