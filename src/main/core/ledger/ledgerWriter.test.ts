import { describe, expect, test } from 'vitest';
import {
  DOLLAR,
  type LedgerHarness,
  ledgersOfThisFile,
  perSecondOrVideo,
} from '../../../../test/helpers/ledgerHarness.ts';
import { NO_MONEY } from '../../../shared/money/ledger.ts';
import { MAX_NANO } from '../../../shared/money/money.ts';
import { costOf } from '../../../shared/money/price.ts';
import { type SqlParams, sql } from '../store/index.ts';
import { ledgerHeadroom, totals } from './index.ts';

/** Each step of a request's money: its effect on the three figures, with nothing left behind at the end. */

const openLedger = ledgersOfThisFile();
const FOUR = { seconds: 4, videos: 1 };
const COST = 1.6 * DOLLAR;
const LOW = 0.4 * DOLLAR;

function reserved(fields: Parameters<LedgerHarness['job']>[0] = {}) {
  const harness = openLedger();
  const id = harness.job(fields);
  harness.does(id, 'reserve');
  const { ledger, does } = harness;
  return {
    harness,
    id,
    charge: (quantity: object, more?: Parameters<typeof ledger.charge>[3]) => does(id, 'charge', quantity, more),
    lose: (stated?: number) => does(id, 'setUncertain', 'lost', stated),
    reserve: () => does(id, 'reserve'),
    close: () => does(id, 'releaseAttempt'),
    correct: (made: object, most: object = FOUR) => does(id, 'correctCharge', { made, most }, 'It is shorter.'),
    money: () => {
      const { settledNano, settledLowNano, reservedNano, uncertainNano } = harness.sum();
      return [settledNano, settledLowNano, reservedNano, uncertainNano];
    },
  };
}

/** The figures of the job and the sums of its day, recomputed from the entries, agree; otherwise a cap and a page would differ. */
function expectInStep({ store, row }: LedgerHarness, id: string): void {
  const { charged_nano, charged_low_nano, reserved_nano, uncertain_nano, unpriced } = row(id);
  const sum = totals(store.read, 'kind', {}).sum;
  expect([charged_nano, charged_low_nano, reserved_nano, uncertain_nano, unpriced]).toEqual([
    sum.settledNano,
    sum.settledLowNano,
    sum.reservedNano,
    sum.uncertainNano,
    sum.unpriced,
  ]);
  const name = 'test.spendOfDays';
  const text = `SELECT sum(settled_nano), sum(settled_low_nano), sum(reserved_nano), sum(uncertain_nano), sum(unpriced) FROM spend WHERE scope = 'day'`;
  expect(Object.values(store.read.one<object>({ name, text }) ?? {})).toEqual(Object.values(sum));
}

describe('a reservation', () => {
  test('reads no other job of its night', () => {
    const harness = openLedger();
    const id = harness.job();
    const asked: { text: string; params: SqlParams }[] = [];
    harness.write(id, (db, row) => {
      const one: typeof db.one = (statement, params = {}) => {
        asked.push({ text: statement.text, params });
        return db.one(statement, params);
      };
      harness.ledger.reserve({ ...db, one }, row);
    });
    const { text, params } = asked.find((statement) => statement.text.includes('FROM ledger_entries')) ?? {};
    const plan = harness.store.read.all<{ detail: string }>(sql('test.plan', `EXPLAIN QUERY PLAN ${text}`), params);
    expect(plan.map(({ detail }) => detail)).toEqual(['SEARCH ledger_entries USING INDEX ledger_by_job (job_id=?)']);
  });

  test('is made once, however often it is requested', () => {
    const { harness, id, money, reserve } = reserved();
    expect([reserve(), reserve()]).toEqual([true, true]);
    expect(money()).toEqual([0, 0, COST, 0]);
    expect(harness.entriesOf(id).map(({ type }) => type)).toEqual(['reserve']);
  });

  test('is raised by the missing amount, and released as a whole', () => {
    const { harness, id, money, reserve } = reserved();
    const price = perSecondOrVideo(1);
    harness.write(id, (db, row) => harness.ledger.priceChanges.repriceWaiting(db, row, price, costOf(price, FOUR)));
    expect(money()).toEqual([0, 0, COST, 0]);
    reserve();
    expect(money()).toEqual([0, 0, 4 * DOLLAR, 0]);
    harness.does(id, 'release');
    expect(money()).toEqual([0, 0, 0, 0]);
    expect(harness.entriesOf(id).map(({ reservedNano }) => reservedNano)).toEqual([COST, 2.4 * DOLLAR, -4 * DOLLAR]);
  });

  test('that is not there is not released', () => {
    const { harness, id, charge } = reserved();
    charge(FOUR);
    harness.does(id, 'release');
    harness.does(id, 'releaseAttempt');
    expect(harness.entriesOf(id).map(({ type }) => type)).toEqual(['reserve', 'charge']);
  });

  test('that would make the sums inexact is refused, and one that just fits is not', () => {
    const { harness } = reserved();
    const left = ledgerHeadroom(harness.store.read);
    expect(left).toBe(MAX_NANO - COST);
    const of = (estimateNano: number) => harness.job({ estimateNano, estimateLowNano: 0 });
    const reserve = (id: string) => harness.does(id, 'reserve');
    expect([reserve(of(left + 1)), reserve(of(left)), reserve(of(1))]).toEqual([false, true, false]);
    expect(harness.sum().reservedNano).toBe(MAX_NANO);
  });

  test('at an unknown price is a count beside the sums', () => {
    const { harness, id, close } = reserved({ price: null, estimateNano: 0, estimateLowNano: 0 });
    expect(harness.sum()).toEqual({ ...NO_MONEY, unpriced: 1 });
    expect(harness.does(id, 'reserve')).toBe(true);
    expect(harness.sum().unpriced).toBe(1);
    close();
    expect(harness.sum()).toEqual(NO_MONEY);
    expectInStep(harness, id);
  });
});

type Step = (order: ReturnType<typeof reserved>) => unknown;
const charge =
  (quantity: object = FOUR, more?: Parameters<ReturnType<typeof reserved>['charge']>[1]): Step =>
  (order) =>
    order.charge(quantity, more);
const lose =
  (stated?: number): Step =>
  (order) =>
    order.lose(stated);
const correct =
  (made: object): Step =>
  (order) =>
    order.correct(made);
const reserve: Step = (order) => order.reserve();
const close: Step = (order) => order.close();
const later: Step = ({ harness: { clock } }) => clock.set(clock.now() + 1_000);
const takeBack =
  (isInDoubt: boolean): Step =>
  ({ harness, id }) =>
    harness.does(id, 'reverseCharge', isInDoubt, 'refused');
const settle =
  (nano: number): Step =>
  ({ harness, id }) =>
    harness.does(id, 'settleDoubt', nano);
const clear: Step = ({ harness, id }) => harness.does(id, 'clearDoubt');
const free: Step = ({ harness, id }) => {
  const price = perSecondOrVideo(0);
  harness.write(id, (db, row) => harness.ledger.priceChanges.repriceWaiting(db, row, price, costOf(price, FOUR)));
};
/** Another reservation, after which the sums hold little more. */
const besides: Step = ({ harness }) => harness.does(harness.job({ estimateNano: 1, estimateLowNano: 1 }), 'reserve');
const UNKNOWN = { price: null, estimateNano: 0, estimateLowNano: 0 };
const FREE = { price: perSecondOrVideo(0), estimateNano: 0, estimateLowNano: 0 };
const three = { seconds: 3, videos: 1 };

/** Steps and, after some of them, the settled at the highest and the lowest price, the reserved and the uncertain. */
test.each<[string, (Step | number[])[], object?]>([
  ['a charge replaces its reservation at the highest and the lowest price', [charge(three), [1.2 * DOLLAR, LOW, 0, 0]]],
  ['a charge of a stated cost is that amount at both ends', [charge(FOUR, { statedNano: 7 }), [7, 7, 0, 0]]],
  ['a charge leaves the doubt about an earlier attempt', [lose(), later, reserve, charge(), [COST, LOW, 0, COST]]],
  ['a charge of an attempt whose answer seemed lost replaces its doubt', [lose(), charge(), [COST, LOW, 0, 0]]],
  [
    'a result is charged as made; the rest of the request is in doubt, once',
    [
      charge(),
      ...[correct(three), [1.2 * DOLLAR, LOW, 0, 0.4 * DOLLAR], correct(three), [1.2 * DOLLAR, LOW, 0, 0.4 * DOLLAR]],
      ...[correct({ seconds: 2, videos: 1 }), [0.8 * DOLLAR, LOW, 0, 0.8 * DOLLAR], correct(FOUR), [COST, LOW, 0, 0]],
    ],
  ],
  [
    'a result that is more than was requested is charged as made, with nothing in doubt',
    [charge(), correct({ seconds: 6, videos: 1 }), [2.4 * DOLLAR, LOW, 0, 0]],
  ],
  [
    'a result reduces the charge by no more than was charged',
    [charge(FOUR, { statedNano: 5 }), correct({ seconds: 0, videos: 0 }), [0, 0, 0, COST]],
  ],
  ['a reversed charge is in doubt', [charge(), takeBack(true), takeBack(true), [0, 0, 0, COST]]],
  ['a reversed charge is none', [charge(), takeBack(false), takeBack(false), [0, 0, 0, 0]]],
  ['a doubt is what was reserved', [lose(), [0, 0, 0, COST], close, [0, 0, 0, 0]]],
  ['a doubt is no less than was reserved', [lose(5), [0, 0, 0, COST], close, [0, 0, 0, 0]]],
  ['a doubt is what was stated beyond that', [lose(3 * DOLLAR), [0, 0, 0, 3 * DOLLAR], close, [0, 0, 0, 0]]],
  [
    'a doubt is raised by what a later answer states, never lowered, and stays settled once it is',
    [
      ...[lose(), lose(5), [0, 0, 0, COST], lose(2 * DOLLAR), [0, 0, 0, 2 * DOLLAR]],
      ...[settle(9), lose(3 * DOLLAR), [9, 9, 0, 0]],
    ],
  ],
  [
    'a doubt after more than can be counted is what was reserved',
    [besides, lose(MAX_NANO), [0, 0, 1, COST], lose(MAX_NANO), [0, 0, 1, COST]],
  ],
  ['a doubt about a free order is what its answer stated', [lose(), [0, 0, 0, 0], lose(7), [0, 0, 0, 7]], FREE],
  [
    'a doubt about an attempt that had a price stays when the next one is free',
    [lose(), free, charge(), [0, 0, 0, COST]],
  ],
  [
    'a doubt about several attempts: closing the last leaves the others',
    [lose(), reserve, lose(), close, [0, 0, 0, COST], clear, [0, 0, 0, 0]],
  ],
])('%s', (_, steps, fields) => {
  const order = reserved(fields);
  for (const step of steps) typeof step === 'function' ? step(order) : expect(order.money()).toEqual(step);
  if (!steps.includes(besides)) expectInStep(order.harness, order.id);
});

test('a corrected charge is no entry where nothing changes, and a reversed one has no quantity', () => {
  const order = reserved();
  for (const step of [charge(), correct(three), correct(three)]) step(order);
  expect(order.harness.entriesOf(order.id)).toHaveLength(3);
  takeBack(true)(order);
  expect(order.harness.row(order.id).quantity).toBeNull();
});

test('a charge too large to count is charged as it was reserved, with the reason', () => {
  const order = reserved();
  for (const step of [besides, charge({ seconds: Number.MAX_SAFE_INTEGER, videos: 1 })]) step(order);
  expect(order.money()).toEqual([COST, 0, 1, 0]);
  expect(order.harness.entriesOf(order.id).at(-1)?.note).toMatch(/^more than can be counted/);
});

describe('an unknown price', () => {
  test.each<[string, Step[], object]>([
    ['stays counted beside the sums', [charge({ images: 1 })], { unpriced: 1 }],
    [
      'does not if its cost was stated',
      [charge({ images: 1 }, { statedNano: 9 })],
      { settledNano: 9, settledLowNano: 9 },
    ],
    ['waits with the made and the requested quantity', [charge(), correct(three)], { unpriced: 1 }],
  ])('of a charge %s', (_, steps, sum) => {
    const order = reserved(UNKNOWN);
    for (const step of steps) step(order);
    expect(order.harness.sum()).toEqual({ ...NO_MONEY, ...sum });
    expectInStep(order.harness, order.id);
  });

  test('that becomes known charges what was made, and the rest is unconfirmed', () => {
    const order = reserved(UNKNOWN);
    const { harness, id, money } = order;
    for (const step of [charge(), correct(three)]) step(order);
    const price = perSecondOrVideo(0.4);
    harness.write(id, (db, row) => harness.ledger.priceChanges.correct(db, row, costOf(price, three), price));
    expect([...money(), harness.sum().unpriced]).toEqual([1.2 * DOLLAR, LOW, 0, 0.4 * DOLLAR, 0]);
    expectInStep(harness, id);
  });

  test.each([true, false])('of a reversed charge is one unconfirmed: %s', (isInDoubt) => {
    const order = reserved(UNKNOWN);
    for (const step of [charge({ images: 1 }), takeBack(isInDoubt)]) step(order);
    const count = isInDoubt ? 1 : 0;
    expect(order.harness.row(order.id)).toMatchObject({ unpriced: count, unpriced_doubt: count });
  });
});

test('an unconfirmed cost of several attempts ends with the bill, at exactly that amount', () => {
  const order = reserved();
  const { harness, id, money } = order;
  for (const step of [lose(), later, reserve, lose()]) step(order);
  expect(money()).toEqual([0, 0, 0, 2 * COST]);
  expect(settle(MAX_NANO * 2)(order)).toBe(false);
  expect(money()).toEqual([0, 0, 0, 2 * COST]);
  expect(settle(COST + 1)(order)).toBe(true);
  expect(money()).toEqual([COST + 1, COST + 1, 0, 0]);
  expect(harness.entriesOf(id).at(-1)).toMatchObject({ type: 'bill', note: 'as the bill says' });
});

test('what is unconfirmed of a job in a night that began early moves to the job that follows it', () => {
  const harness = openLedger();
  const now = harness.clock.now();
  const [id, own] = [harness.job({}), harness.job({})];
  const { ledger, write, does } = harness;
  does(id, 'reserve', now + 3_600_000);
  does(id, 'setUncertain', 'lost');
  write(id, (db, row) =>
    ledger.moveDoubt(db, row, { to: harness.row(own) as never, sentAt: now + 1_000, note: 'moved' }),
  );
  expect([harness.row(id).uncertain_nano, harness.row(own).uncertain_nano]).toEqual([0, COST]);
  expect(harness.sum()).toMatchObject({ reservedNano: 0, uncertainNano: COST });
});
