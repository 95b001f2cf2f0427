import { expect, test } from 'vitest';
import {
  DOLLAR,
  type LedgerHarness,
  ledgersOfThisFile,
  perSecondOrVideo,
} from '../../../../test/helpers/ledgerHarness.ts';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import { NO_MONEY } from '../../../shared/money/ledger.ts';
import { costOf } from '../../../shared/money/price.ts';
import { entries, isExact, moneyOfRun, totals } from './index.ts';

/** Every entry is in exactly one row of each table, on its own side, and pages of entries neither skip nor repeat one. */

const openLedger = ledgersOfThisFile();
const NOON = new Date(2026, 10, 21, 12).getTime();
const DAY = 86_400_000;
const FOUR = { seconds: 4, videos: 1 };

/** Six requests over two months, on both sides, of two gateways, in two projects and in none, in every figure. */
function filled() {
  const harness = openLedger(new TestClock(NOON));
  const reserve = (fields: Parameters<LedgerHarness['job']>[0]) => {
    const id = harness.job(fields);
    harness.does(id, 'reserve');
    return id;
  };
  const charge = (id: string, statedNano?: number) =>
    harness.does(id, 'charge', FOUR, statedNano === undefined ? {} : { statedNano });
  charge(reserve({ projectId: 'film', runId: 'night' }), 3);
  charge(reserve({ projectId: 'film', model: 'video-pro' }), 50);
  charge(reserve({ play: true, projectId: 'film', profileId: 'sandbox', runId: 'night' }), 700);
  harness.clock.set(NOON + 10 * DAY);
  const lost = reserve({ projectId: 'other', estimateNano: 11, estimateLowNano: 11, runId: 'night' });
  harness.does(lost, 'setUncertain');
  reserve({ profileId: 'q', estimateNano: 13, estimateLowNano: 13 });
  charge(reserve({ kind: 'imagine', model: 'imagine', price: null, estimateNano: 0 }));
  return { ...harness, charge };
}
const brief = ({ store }: LedgerHarness, by: Parameters<typeof totals>[1], period = {}) =>
  totals(store.read, by, period).rows.map(({ key, settledNano, reservedNano, uncertainNano, unpriced, jobs }) => [
    key,
    settledNano,
    reservedNano,
    uncertainNano,
    unpriced,
    jobs,
  ]);

test('every request is in one row, and the rows add up to the sum of its side', () => {
  const harness = filled();
  expect(brief(harness, 'project')).toEqual([
    ['', 0, 13, 0, 1, 2],
    ['film', 53, 0, 0, 0, 2],
    ['other', 0, 0, 11, 0, 1],
  ]);
  const both = { settledNano: 53, settledLowNano: 53 };
  expect(totals(harness.store.read, 'project', {}).sum).toEqual({
    ...both,
    reservedNano: 13,
    uncertainNano: 11,
    unpriced: 1,
  });
  const toy = { ...NO_MONEY, settledNano: 700, settledLowNano: 700 };
  expect(totals(harness.store.read, 'project', { play: true }).sum).toEqual(toy);
});

test('pages of entries come newest first, each entry once, and stop', () => {
  const { store } = filled();
  const all = entries(store.read, { limit: 100 });
  expect(all.nextCursor).toBeUndefined();
  for (const limit of [1, 3, 8, 9, 10]) {
    const ids: string[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages <= all.entries.length; pages += 1) {
      const page = entries(store.read, { limit, ...(cursor ? { cursor } : {}) });
      expect(page.entries.length).toBeLessThanOrEqual(limit);
      ids.push(...page.entries.map(({ id }) => id));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    expect(ids).toEqual(all.entries.map(({ id }) => id));
  }
  expect(all.entries.map(({ at }) => at)).toEqual(all.entries.map(({ at }) => at).sort((a, b) => b - a));
  expect(entries(store.read, { limit: 100, play: true }).entries).toHaveLength(2);
});

test("a night's spending is fixed, and what a price that is settled later takes off is shown separately", () => {
  const harness = filled();
  const id = harness.job({ runId: 'night' });
  harness.does(id, 'reserve');
  harness.does(id, 'charge', FOUR);
  const settled = { ...perSecondOrVideo(0.4), settledReading: 1 };
  const exact = costOf(settled, FOUR);
  harness.write(id, (db, row) => harness.ledger.priceChanges.correct(db, row, exact, settled));
  harness.does(id, 'adjust', { settledNano: -DOLLAR / 10, settledLowNano: 0, uncertainNano: 5 }, 'disputed');
  const { spent, corrected } = moneyOfRun(harness.store.read, false, 'night');
  expect([spent.settledNano, spent.uncertainNano]).toEqual([1.5 * DOLLAR + 3, 16]);
  expect([corrected.settledNano, corrected.uncertainNano]).toEqual([exact.nano - 1.6 * DOLLAR, 0]);
  expect(moneyOfRun(harness.store.read, true, 'night').spent.settledNano).toBe(700);
});

test("a night's spending follows its bill, whatever price was settled before it", () => {
  const harness = openLedger(new TestClock(NOON));
  const id = harness.job({ runId: 'night' });
  const said = () => {
    const { spent, corrected } = moneyOfRun(harness.store.read, false, 'night');
    return [spent.settledNano, corrected.settledNano];
  };
  harness.does(id, 'reserve');
  harness.does(id, 'charge', FOUR);
  harness.clock.set(NOON + 10 * DAY);
  const settled = { ...perSecondOrVideo(0.4), settledReading: 1 };
  harness.write(id, (db, row) => harness.ledger.priceChanges.correct(db, row, costOf(settled, FOUR), settled));
  const before = said();
  expect(before).toEqual([1.6 * DOLLAR, -1.2 * DOLLAR]);
  const { bills } = harness.ledger;
  const enter = () =>
    harness.write(id, (db, row) => bills.recorded(db, () => bills.chargeAsBilled(db, row, 1.5 * DOLLAR, 'the bill')));
  const { entryIds } = enter();
  expect(said()).toEqual([1.5 * DOLLAR, 0]);
  harness.write(id, (db, row) => bills.reverse(db, row, entryIds, 'taken back'));
  expect(said()).toEqual(before);
  enter();
  expect(said()).toEqual([1.5 * DOLLAR, 0]);
});

test('a job that is billed has no part of its price on a later day, though its first price was nothing', () => {
  const harness = openLedger(new TestClock(NOON));
  const id = harness.job({ price: null, estimateNano: 0, estimateLowNano: 0 });
  harness.does(id, 'reserve');
  harness.does(id, 'charge', FOUR);
  harness.clock.set(NOON + 10 * DAY);
  const price = { ...perSecondOrVideo(0), settledReading: 1 };
  harness.write(id, (db, row) => harness.ledger.priceChanges.correct(db, row, costOf(price, FOUR), price));
  harness.write(id, (db, row) => harness.ledger.bills.chargeAsBilled(db, row, DOLLAR, 'the bill'));
  expect(brief(harness, 'day')).toEqual([
    ['2026-11-21', DOLLAR, 0, 0, 0, 1],
    ['2026-12-01', 0, 0, 0, 0, 1],
  ]);
});

test('a sum that is no exact number is not called one', () => {
  expect(isExact([NO_MONEY, { ...NO_MONEY, settledNano: 2 ** 53 - 1 }])).toBe(true);
  for (const figure of ['settledNano', 'settledLowNano', 'reservedNano', 'uncertainNano'] as const)
    expect(isExact([NO_MONEY, { ...NO_MONEY, [figure]: 2 ** 53 }])).toBe(false);
});
