import { describe, expect, test } from 'vitest';
import {
  DOLLAR,
  type LedgerHarness,
  ledgersOfThisFile,
  perSecondOrVideo,
} from '../../../../test/helpers/ledgerHarness.ts';
import { NO_MONEY } from '../../../shared/ledger.ts';
import { MAX_NANO } from '../../../shared/money.ts';
import { costOf } from '../../../shared/price.ts';
import { type SqlParams, sql } from '../store/index.ts';
import { ledgerHeadroom, totals } from './index.ts';

/** Each step of a request's money: its effect on the three figures, and nothing is left behind at its end. */

const openLedger = ledgersOfThisFile();
const FOUR = { seconds: 4, videos: 1 };
const COST = 1.6 * DOLLAR;
const LOW = 0.4 * DOLLAR;

function reserved(fields: Parameters<LedgerHarness['job']>[0] = {}) {
  const harness = openLedger();
  const id = harness.job(fields);
  harness.write(id, (db, row) => harness.ledger.reserve(db, row));
  const { ledger, write } = harness;
  return {
    harness,
    id,
    charge: (quantity: object, more?: Parameters<typeof ledger.charge>[3]) =>
      write(id, (db, row) => ledger.charge(db, row, quantity, more)),
    lose: (stated?: number) => write(id, (db, row) => ledger.markInDoubt(db, row, 'lost', stated)),
    reserve: () => write(id, (db, row) => ledger.reserve(db, row)),
    close: () => write(id, (db, row) => ledger.releaseAttempt(db, row)),
    correct: (made: object, most: object = FOUR) =>
      write(id, (db, row) => ledger.correctCharge(db, row, { made, most }, 'It is shorter.')),
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
    harness.write(id, (db, row) => harness.ledger.release(db, row));
    expect(money()).toEqual([0, 0, 0, 0]);
    expect(harness.entriesOf(id).map(({ reservedNano }) => reservedNano)).toEqual([COST, 2.4 * DOLLAR, -4 * DOLLAR]);
  });

  test('that is not there is not released', () => {
    const { harness, id, charge } = reserved();
    charge(FOUR);
    harness.write(id, (db, row) => harness.ledger.release(db, row));
    harness.write(id, (db, row) => harness.ledger.releaseAttempt(db, row));
    expect(harness.entriesOf(id).map(({ type }) => type)).toEqual(['reserve', 'charge']);
  });

  test('that would make the sums inexact is refused, and one that just fits is not', () => {
    const { harness } = reserved();
    const left = ledgerHeadroom(harness.store.read);
    expect(left).toBe(MAX_NANO - COST);
    const of = (estimateNano: number) => harness.job({ estimateNano, estimateLowNano: 0 });
    const reserve = (id: string) => harness.write(id, (db, row) => harness.ledger.reserve(db, row));
    expect([reserve(of(left + 1)), reserve(of(left)), reserve(of(1))]).toEqual([false, true, false]);
    expect(harness.sum().reservedNano).toBe(MAX_NANO);
  });

  test('at an unknown price is a count beside the sums', () => {
    const { harness, id, close } = reserved({ price: null, estimateNano: 0, estimateLowNano: 0 });
    expect(harness.sum()).toEqual({ ...NO_MONEY, unpriced: 1 });
    expect(harness.write(id, (db, row) => harness.ledger.reserve(db, row))).toBe(true);
    expect(harness.sum().unpriced).toBe(1);
    close();
    expect(harness.sum()).toEqual(NO_MONEY);
    expectInStep(harness, id);
  });
});

describe('a charge', () => {
  test('replaces its reservation at the highest and the lowest price', () => {
    const { harness, id, charge, money } = reserved();
    charge({ seconds: 3, videos: 1 });
    expect(money()).toEqual([1.2 * DOLLAR, LOW, 0, 0]);
    expectInStep(harness, id);
  });

  test('of a stated cost is that amount at both ends', () => {
    const { charge, money } = reserved();
    charge(FOUR, { statedNano: 7 });
    expect(money()).toEqual([7, 7, 0, 0]);
  });

  test('of an unknown price stays counted beside the sums, and not if its cost was stated', () => {
    const unknown = { price: null, estimateNano: 0, estimateLowNano: 0 };
    const one = reserved(unknown);
    one.charge({ images: 1 });
    expect(one.harness.sum()).toEqual({ ...NO_MONEY, unpriced: 1 });
    const other = reserved(unknown);
    other.charge({ images: 1 }, { statedNano: 9 });
    expect(other.harness.sum()).toEqual({ ...NO_MONEY, settledNano: 9, settledLowNano: 9 });
  });

  test('too large to count is charged as it was reserved, with the reason', () => {
    const { harness, id, charge, money } = reserved();
    const other = harness.job({ estimateNano: 1, estimateLowNano: 1 });
    harness.write(other, (db, row) => harness.ledger.reserve(db, row));
    charge({ seconds: Number.MAX_SAFE_INTEGER, videos: 1 });
    expect(money()).toEqual([COST, 0, 1, 0]);
    expect(harness.entriesOf(id).at(-1)?.note).toMatch(/^more than can be counted/);
  });

  test('leaves the doubt about an earlier attempt', () => {
    const { harness, id, lose, reserve, charge, money } = reserved();
    lose();
    harness.clock.set(harness.clock.now() + 1_000);
    reserve();
    charge(FOUR);
    expect(money()).toEqual([COST, LOW, 0, COST]);
    expectInStep(harness, id);
  });

  test('of an attempt whose answer seemed lost replaces its doubt', () => {
    const { lose, charge, money } = reserved();
    lose();
    charge(FOUR);
    expect(money()).toEqual([COST, LOW, 0, 0]);
  });
});

describe('a result that differs from the request', () => {
  test('is charged as made; the rest of the request is in doubt, once', () => {
    const { harness, id, charge, correct, money } = reserved();
    charge(FOUR);
    correct({ seconds: 3, videos: 1 });
    expect(money()).toEqual([1.2 * DOLLAR, LOW, 0, 0.4 * DOLLAR]);
    correct({ seconds: 3, videos: 1 });
    expect(harness.entriesOf(id)).toHaveLength(3);
    correct({ seconds: 2, videos: 1 });
    expect(money()).toEqual([0.8 * DOLLAR, LOW, 0, 0.8 * DOLLAR]);
    correct(FOUR);
    expect(money()).toEqual([COST, LOW, 0, 0]);
    expectInStep(harness, id);
  });

  test('and is more than was requested is charged as made, with nothing in doubt', () => {
    const { charge, correct, money } = reserved();
    charge(FOUR);
    correct({ seconds: 6, videos: 1 });
    expect(money()).toEqual([2.4 * DOLLAR, LOW, 0, 0]);
  });

  test('reduces the charge by no more than was charged', () => {
    const { harness, charge, correct, money } = reserved();
    charge(FOUR, { statedNano: 5 });
    correct({ seconds: 0, videos: 0 });
    const [settled = -1, low = -1] = money();
    expect([settled, low]).toEqual([0, 0]);
    expect(harness.sum().uncertainNano).toBe(COST);
  });

  test('waits for an unknown price, with the made and the requested quantity', () => {
    const { harness, id, charge, correct } = reserved({ price: null, estimateNano: 0, estimateLowNano: 0 });
    charge(FOUR);
    correct({ seconds: 3, videos: 1 });
    expect(harness.sum()).toEqual({ ...NO_MONEY, unpriced: 1 });
    const price = perSecondOrVideo(0.4);
    harness.write(id, (db, row) =>
      harness.ledger.priceChanges.correct(db, row, costOf(price, { seconds: 3, videos: 1 }), price),
    );
    expect(harness.sum()).toEqual({
      settledNano: 1.2 * DOLLAR,
      settledLowNano: LOW,
      reservedNano: 0,
      uncertainNano: 0.4 * DOLLAR,
      unpriced: 0,
    });
    expectInStep(harness, id);
  });
});

describe('a reversed charge', () => {
  test.each([
    [true, [0, 0, 0, COST]],
    [false, [0, 0, 0, 0]],
  ])('in doubt: %s', (inDoubt, left) => {
    const { harness, id, charge, money } = reserved();
    charge(FOUR);
    const takeBack = () => harness.write(id, (db, row) => harness.ledger.reverseCharge(db, row, inDoubt, 'refused'));
    takeBack();
    takeBack();
    expect(money()).toEqual(left);
    expect(harness.row(id).quantity).toBeNull();
    expectInStep(harness, id);
  });

  test('of an unknown price is one in doubt, or none', () => {
    for (const inDoubt of [true, false]) {
      const { harness, id, charge } = reserved({ price: null, estimateNano: 0, estimateLowNano: 0 });
      charge({ images: 1 });
      harness.write(id, (db, row) => harness.ledger.reverseCharge(db, row, inDoubt, 'refused'));
      expect(harness.row(id)).toMatchObject({ unpriced: inDoubt ? 1 : 0, unpriced_doubt: inDoubt ? 1 : 0 });
    }
  });
});

describe('a doubt', () => {
  test.each([
    ['nothing', undefined, COST],
    ['less than was reserved', 5, COST],
    ['more than was reserved', 3 * DOLLAR, 3 * DOLLAR],
  ])('after an answer that stated %s', (_, stated, inDoubt) => {
    const { lose, money, close } = reserved();
    lose(stated);
    expect(money()).toEqual([0, 0, 0, inDoubt]);
    close();
    expect(money()).toEqual([0, 0, 0, 0]);
  });

  test('is raised by what a later answer states, never lowered, and stays settled once it is', () => {
    const { harness, id, lose, money } = reserved();
    lose();
    lose(5);
    expect(money()).toEqual([0, 0, 0, COST]);
    lose(2 * DOLLAR);
    expect(money()).toEqual([0, 0, 0, 2 * DOLLAR]);
    harness.write(id, (db, row) => harness.ledger.settleDoubt(db, row, 9));
    lose(3 * DOLLAR);
    expect(money()).toEqual([9, 9, 0, 0]);
    expectInStep(harness, id);
  });

  test('after an answer that stated more than can be counted is what was reserved', () => {
    const { harness, lose, money } = reserved();
    const other = harness.job({ estimateNano: 1, estimateLowNano: 1 });
    harness.write(other, (db, row) => harness.ledger.reserve(db, row));
    lose(MAX_NANO);
    expect(money()).toEqual([0, 0, 1, COST]);
    lose(MAX_NANO);
    expect(money()).toEqual([0, 0, 1, COST]);
  });

  test('about a free order is what its answer stated, and nothing without that', () => {
    const free = { price: perSecondOrVideo(0), estimateNano: 0, estimateLowNano: 0 };
    const { lose, money } = reserved(free);
    lose();
    expect(money()).toEqual([0, 0, 0, 0]);
    lose(7);
    expect(money()).toEqual([0, 0, 0, 7]);
  });

  test('about an attempt that had a price stays when the next one is free', () => {
    const { harness, id, lose, charge, money } = reserved();
    lose();
    const price = perSecondOrVideo(0);
    harness.write(id, (db, row) => harness.ledger.priceChanges.repriceWaiting(db, row, price, costOf(price, FOUR)));
    charge(FOUR);
    expect(money()).toEqual([0, 0, 0, COST]);
  });

  test('about several attempts ends with the bill, at exactly that amount', () => {
    const { harness, id, lose, reserve, money } = reserved();
    lose();
    harness.clock.set(harness.clock.now() + 1_000);
    reserve();
    lose();
    expect(money()).toEqual([0, 0, 0, 2 * COST]);
    expect(harness.write(id, (db, row) => harness.ledger.settleDoubt(db, row, MAX_NANO * 2))).toBe(false);
    expect(money()).toEqual([0, 0, 0, 2 * COST]);
    expect(harness.write(id, (db, row) => harness.ledger.settleDoubt(db, row, COST + 1))).toBe(true);
    expect(money()).toEqual([COST + 1, COST + 1, 0, 0]);
    expect(harness.entriesOf(id).at(-1)).toMatchObject({ type: 'bill', note: 'as the bill says' });
  });

  test('about several attempts: closing the last leaves the others', () => {
    const { harness, id, lose, reserve, close, money } = reserved();
    lose();
    reserve();
    lose();
    close();
    expect(money()).toEqual([0, 0, 0, COST]);
    harness.write(id, (db, row) => harness.ledger.clearDoubt(db, row));
    expect(money()).toEqual([0, 0, 0, 0]);
  });
});

test('what is in doubt of an order in a night that began early moves to the job that follows it', () => {
  const harness = openLedger();
  const now = harness.clock.now();
  const [id, own] = [harness.job({}), harness.job({})];
  const { ledger, write } = harness;
  write(id, (db, row) => ledger.reserve(db, row, now + 3_600_000));
  write(id, (db, row) => ledger.markInDoubt(db, row, 'lost'));
  write(id, (db, row) =>
    ledger.moveDoubt(db, row, { to: harness.row(own) as never, sentAt: now + 1_000, note: 'moved' }),
  );
  expect([harness.row(id).uncertain_nano, harness.row(own).uncertain_nano]).toEqual([0, COST]);
  expect(harness.sum()).toMatchObject({ reservedNano: 0, uncertainNano: COST });
});
