import { beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { fail, type Result } from '../../../../shared/contract/result.ts';
import type { PriceMismatch } from '../../../../shared/money/ledger.ts';
import { cacheJobs } from '../../../app/index.ts';
import { aQueueStatus } from '../../../testing/aQueueStatus.ts';
import {
  acting,
  aJob,
  aMismatch,
  byText,
  click,
  clickOn,
  fakeStudio,
  press,
  show,
  until,
} from '../../../testing/page.tsx';
import { freshQueue, openQueue } from '../../../testing/queuePage.tsx';
import { PriceStops } from './PriceStops.tsx';

const request = { kind: 'video', model: 'video-standard', prompt: 'Deck lamp' } as const;
const made = aJob({ id: 'made', state: 'succeeded', request });
const mismatch = aMismatch();
const { adopts: _, ...bare } = mismatch;
const costing = (nano: number) => ({ estimateNano: nano, lowNano: nano, unpriced: 0 });

const requested = (nano: number, isStated: boolean) => ({
  jobId: `of ${nano}`,
  at: 0,
  nano,
  expectedNano: 400_000_000,
  isStated,
});

const dialog = () => document.querySelector('[role="dialog"]');
const spend = () => press('Enter', { ctrlKey: true });

beforeEach(() => freshQueue(aQueueStatus({ waiting: 2 })));

describe('a stated cost that the price book does not allow', () => {
  type Resolve = () => PriceMismatch | Result<PriceMismatch>;

  /** The stop of this mismatch, and what was decided about it. */
  async function open(first: PriceMismatch, resolve: Resolve = () => ({ ...mismatch, state: 'adopted' })) {
    let open = [first];
    const studio = fakeStudio({
      'prices.mismatches': () => ({ mismatches: open }),
      'prices.mismatch': () => ({
        mismatch,
        made: [requested(410_000_000, true), requested(400_000_000, false)],
        waiting: [],
      }),
      'prices.resolveMismatch': ({ as }) => {
        const answer = resolve();
        if (!('ok' in answer)) open = as === 'dispute' ? [{ ...mismatch, state: 'disputed' }] : [];
        return answer;
      },
      'jobs.get': () => made,
    });
    cacheJobs([made]);
    await show(<PriceStops />);
    await until(article);
    return () => studio.callsOf('prices.resolveMismatch');
  }

  const article = () => byText(labels.notThePrice('video-standard'), 'article');
  const costOf = (way: string) => byText(way).parentElement?.textContent;
  const ways = () => [...document.querySelectorAll('.way-do')].map(({ textContent }) => textContent);
  const [adopt, dispute] = [labels.adopt('$0.80'), labels.disputeKeep('$0.40')];

  it('says both prices, what waits, and each way with its price', async () => {
    await open(mismatch);
    for (const words of ['Expected$0.40', 'Gateway$0.80', '9 jobs waiting'])
      expect(article().textContent).toContain(words);
    for (const way of [adopt, labels.goOnOnce]) expect(costOf(way)).toContain(labels.jobsAtMost(9, '$7.20'));
    expect(costOf(dispute)).toContain('Free');
  });

  it.each([
    ['adopt', adopt, mismatch, 7_200_000_000],
    ['once', labels.goOnOnce, mismatch, 7_200_000_000],
    ['adopt', adopt, { ...mismatch, waiting: { count: 0, nowNano: 0, thenNano: 0 } }, 0],
    ['adopt', adopt, { ...bare, keeps: true }, 7_200_000_000],
  ] as const)(
    '%s shows its cost first, lets none go before that is pressed, and is gone then',
    async (as, way, of, nano) => {
      const sent = await open(of);
      await click(byText(way));
      const price = nano === 0 ? 'Free' : '$7.20';
      expect(dialog()?.textContent).toContain(price);
      expect(dialog()?.textContent?.includes('from now on')).toBe(as === 'adopt' && !('keeps' in of));
      await press('Enter', {}, document.activeElement ?? document.body);
      expect(sent()).toEqual([]);
      await spend();
      expect(sent()).toEqual([{ id: 'm1', as, shown: costing(nano) }]);
      await until(() => expect([dialog(), document.querySelector('article')]).toEqual([null, null]));
    },
  );

  it('stays when it is disputed, and can be disputed no more', async () => {
    await open(mismatch);
    await click(byText(dispute));
    await until(() => expect(ways()).toEqual([adopt, labels.goOnOnce]));
  });

  it('says why a way was refused', async () => {
    await open(mismatch, () => fail('too_large', 'price: an open order would cost too much.'));
    await click(byText(adopt));
    await spend();
    await until(() => expect(dialog()?.querySelector('[role="alert"]')?.textContent).toContain('would cost too much'));
  });

  it.each([
    ['of which no price can be made', bare, [dispute]],
    ['that the price book allows', { ...bare, keeps: true }, [adopt, dispute]],
  ] as const)('offers for one %s only what is possible', async (_, of, offered) => {
    await open(of);
    expect(ways()).toEqual(offered);
    expect(article().textContent).not.toContain('from now on');
  });

  it('shows what earlier requests were charged when it is asked', async () => {
    await open(mismatch);
    expect(document.querySelector('tbody')).toBeNull();
    const earlier = byText('Earlier requests', 'summary').closest('details');
    await acting(() => Object.assign(earlier ?? {}, { open: true }));
    const rows = () => [...document.querySelectorAll('tbody tr')].map(({ textContent }) => textContent);
    await until(() => expect(rows()).toHaveLength(2));
    expect(rows()[0]).toContain('$0.40$0.41Gateway');
    expect(rows()[1]).toContain('$0.40$0.40Price list');
  });

  it('takes no room where everything agrees', async () => {
    fakeStudio({ 'prices.mismatches': () => ({ mismatches: [] }) });
    await show(<PriceStops />);
    expect(document.querySelector('section')).toBeNull();
  });
});

describe('a price that rose', () => {
  const money = { ...aJob().money, estimateNano: 4_113e9, estimateLowNano: 4_113e9, confirmedNano: 4_110_000_000 };
  const risen = ['r', 's'].map((id) =>
    aJob({ id, state: 'blocked', reason: 'priceRose', money, request: { kind: 'imagine', prompt: `Risen ${id}` } }),
  );
  const open = () => openQueue(risen, { 'jobs.confirmPrice': ({ ids }) => ({ jobs: ids.map((id) => aJob({ id })) }) });

  it('stands beside the old one, and all of them are confirmed at the one that is shown', async () => {
    const studio = await open();
    await until(() => byText(labels.priceRoseFromTo('$4.11', '$4,113.00'), '.waiting'));
    await until(() =>
      byText('2 jobs confirmed at $8.22. Price now: $8,226.00.', '[aria-label="Prices that rose"] span'),
    );
    await click(byText(labels.confirmPrice, '[aria-label="Prices that rose"] button'));
    await click(byText('Confirm 2 jobs', '[role="dialog"] button'));
    const sent = [{ ids: ['r', 's'], shown: costing(8_226e9) }];
    await until(() => expect(studio.callsOf('jobs.confirmPrice')).toEqual(sent));
    await until(() => expect(dialog()).toBeNull());
  });

  it('of one job is confirmed from its row', async () => {
    const studio = await open();
    await clickOn('Risen r', '.qrow');
    await click(byText(labels.confirmPrice, '.cascade button'));
    expect(byText(labels.confirmedBefore, '[role="dialog"]').textContent).toContain('$4.11');
    expect(studio.callsOf('jobs.confirmPrice')).toEqual([]);
    await click(byText('Confirm 1 job', '[role="dialog"] button'));
    await until(() => expect(studio.callsOf('jobs.confirmPrice')).toEqual([{ ids: ['r'], shown: costing(4_113e9) }]));
  });
});
