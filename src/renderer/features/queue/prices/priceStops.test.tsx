import { beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import type { PriceMismatch } from '../../../../shared/ledger.ts';
import { fail, type Result } from '../../../../shared/result.ts';
import { useEntities } from '../../../app/index.ts';
import { aJob, aMismatch, anAsset, byText, click, fakeStudio, press, show, until } from '../../../testing/page.tsx';
import { jobDetail } from '../JobRow.tsx';
import { waitOf } from '../waiting.ts';
import { PriceStops } from './PriceStops.tsx';

const made = aJob({
  id: 'made',
  state: 'succeeded',
  request: { kind: 'video', model: 'video-standard', prompt: 'Deck lamp' },
  money: { ...aJob().money, chargedNano: 800_000_000 },
});
const mismatch = aMismatch();

function studioWith(
  first: PriceMismatch | null,
  resolve: () => PriceMismatch | Result<PriceMismatch> = () => ({ ...mismatch, state: 'adopted' }),
) {
  let open = first ? [first] : [];
  return fakeStudio({
    'prices.mismatches': () => ({ mismatches: open }),
    'prices.resolveMismatch': ({ as }) => {
      const answer = resolve();
      if (!('ok' in answer)) open = as === 'dispute' ? [{ ...mismatch, state: 'disputed' }] : [];
      return answer;
    },
    'jobs.get': () => made,
  });
}

const article = () => byText(labels.notThePrice('video-standard'), 'article');
const way = (title: string) => byText(title, 'button');

beforeEach(() => {
  useEntities.setState({ jobs: new Map([['made', made]]), assets: new Map() });
});

const costing = (nano: number) => ({ estimateNano: nano, lowNano: nano, unpriced: 0 });

describe('a stated cost that the price book does not allow', () => {
  it('says what was expected and stated, what waits, and each way with its price', async () => {
    studioWith(mismatch);
    await show(<PriceStops />);
    await until(article);
    const text = article().textContent ?? '';
    expect(text).toContain('Deck lamp');
    expect(text).toContain('Expected$0.40');
    expect(text).toContain('Stated$0.80');
    expect(text).toContain('Apart+$0.40');
    expect(text).toContain('9 jobs wait for the price');
    expect(way(labels.adopt('$0.80')).parentElement?.textContent).toContain(labels.jobsAtMost(9, '$7.20'));
    expect(way(labels.disputeKeep('$0.40')).parentElement?.textContent).toContain('free');
    expect(way(labels.goOnOnce).parentElement?.textContent).toContain(labels.jobsAtMost(9, '$7.20'));
  });

  it('is gone when it was adopted', async () => {
    const studio = studioWith(mismatch);
    await show(<PriceStops />);
    await until(article);
    await click(way(labels.adopt('$0.80')));
    await press('Enter', { ctrlKey: true });
    expect(studio.callsOf('prices.resolveMismatch')).toEqual([
      { id: 'm1', as: 'adopt', shown: costing(7_200_000_000) },
    ]);
    await until(() => expect(document.querySelector('article')).toBeNull());
  });

  it.each([
    ['Adopt $0.80', 'adopt'],
    [labels.goOnOnce, 'once'],
  ])('%s shows what the waiting jobs cost, and lets none go before that is pressed', async (title, as) => {
    const studio = studioWith(mismatch);
    await show(<PriceStops />);
    await until(article);
    await click(way(title));
    expect(studio.callsOf('prices.resolveMismatch')).toEqual([]);
    const dialog = byText(labels.jobsN(9), '[role="dialog"]');
    expect(dialog.querySelector('.price')?.textContent).toBe('$7.20');
    await press('Enter', {}, document.activeElement ?? document.body);
    expect(studio.callsOf('prices.resolveMismatch')).toEqual([]);
    await press('Enter', { ctrlKey: true });
    expect(studio.callsOf('prices.resolveMismatch')).toEqual([{ id: 'm1', as, shown: costing(7_200_000_000) }]);
    await until(() => expect(document.querySelector('[role="dialog"]')).toBeNull());
  });

  it('is not adopted by one press where nothing waits either: it is the price of what is ordered later', async () => {
    const studio = studioWith({ ...mismatch, waiting: { count: 0, nowNano: 0, thenNano: 0 } });
    await show(<PriceStops />);
    await until(article);
    await click(way(labels.adopt('$0.80')));
    expect(studio.callsOf('prices.resolveMismatch')).toEqual([]);
    expect(byText(labels.nothingWaitsForIt, '[role="dialog"]').textContent).toContain('free');
    await press('Enter', { ctrlKey: true });
    expect(studio.callsOf('prices.resolveMismatch')).toEqual([{ id: 'm1', as: 'adopt', shown: costing(0) }]);
  });

  it('stays when it is disputed, and can be disputed no more', async () => {
    studioWith(mismatch);
    await show(<PriceStops />);
    await until(article);
    await click(way(labels.disputeKeep('$0.40')));
    await until(() => expect(article().textContent).toContain('Disputed: our figure is kept'));
    expect([...document.querySelectorAll('.way-do')].map((button) => button.textContent)).toEqual([
      'Adopt $0.80',
      labels.goOnOnce,
    ]);
  });

  it('says why a way was refused', async () => {
    studioWith(mismatch, () => fail('too_large', 'price: an open order would cost too much.'));
    await show(<PriceStops />);
    await until(article);
    await click(way(labels.adopt('$0.80')));
    await press('Enter', { ctrlKey: true });
    await until(() =>
      expect(document.querySelector('[role="dialog"] [role="alert"]')?.textContent).toContain('would cost too much'),
    );
  });

  it('offers no price where none can be made of it', async () => {
    const { adopts: _adopts, ...bare } = mismatch;
    studioWith(bare);
    await show(<PriceStops />);
    await until(article);
    expect(document.querySelectorAll('.way-do')).toHaveLength(1);
  });

  it('is kept where it allows what was stated, and no other price is said to follow', async () => {
    const { adopts: _adopts, ...bare } = mismatch;
    const studio = studioWith({ ...bare, keeps: true });
    await show(<PriceStops />);
    await until(article);
    expect([...document.querySelectorAll('.way-do')].map((button) => button.textContent)).toEqual([
      'Adopt $0.80',
      labels.disputeKeep('$0.40'),
    ]);
    expect(article().textContent).not.toContain('from now on');
    await click(way(labels.adopt('$0.80')));
    expect(byText('The price stays as it is', '[role="dialog"]').textContent).not.toContain('from now on');
    expect(byText(labels.adoptWhatWasStated, 'h2')).not.toBeNull();
    await press('Enter', { ctrlKey: true });
    expect(studio.callsOf('prices.resolveMismatch')).toEqual([
      { id: 'm1', as: 'adopt', shown: costing(7_200_000_000) },
    ]);
  });

  it('takes no room where everything agrees', async () => {
    studioWith(null);
    await show(<PriceStops />);
    expect(document.querySelector('section')).toBeNull();
  });

  it('is why a job waits', () => {
    const waiting = aJob({ state: 'blocked', reason: 'price' });
    expect(waitOf(waiting, { now: 0 }).reason).toBe('Waits for a price decision');
  });
});

describe('a result that is not what was ordered', () => {
  it('says so in its row', () => {
    const differs = [{ what: 'seconds' as const, ordered: '4 s', made: '8 s' }];
    expect(jobDetail({ ...made, differs })).toBe('4 s requested, 8 s made.');
    const outputs = [anAsset({ id: 'a', mime: 'video/mp2t' })];
    expect(jobDetail({ ...made, outputs })).toMatch(/^Dailies cannot display TS files\./);
    const note = 'The service counts 9 tokens sent, where at most 2 are possible.';
    expect(jobDetail({ ...made, money: { ...made.money, note } })).toBe(note);
  });
});
