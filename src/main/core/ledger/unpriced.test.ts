import { describe, expect, test } from 'vitest';
import { error, lostAnswer } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses, type JobOptions, jobsOfThisFile } from '../../../../test/helpers/engineHarnesses.ts';
import { openPriceBook } from '../../../../test/helpers/openPriceBook.ts';
import { aPrice, madeFor, nano, PICTURE_PRICE } from '../../../../test/helpers/prices.ts';
import { NO_MONEY } from '../../../shared/money/ledger.ts';
import type { Price } from '../../../shared/money/price.ts';
import type { SubmitOutcome } from '../gateway/index.ts';
import { sql } from '../store/index.ts';
import { estimate, listBudgets, setBudget } from './index.ts';

/** An unset price is unknown, never zero: the specification has none for pictures. */

const startEngine = engineHarnesses();
const aJob = jobsOfThisFile(startEngine);

const request = { kind: 'imagine' as const, prompt: 'a lamp' };
const EACH = nano(0.05);
const settled = (charged: number) => ({ ...NO_MONEY, settledNano: charged, settledLowNano: charged });

async function anImage(options: JobOptions = {}) {
  const one = await aJob({ request, ...options });
  const { harness, store, sums } = one;
  return {
    ...one,
    set: (price: Price = PICTURE_PRICE, by: 'manual' | 'import' = 'manual') =>
      openPriceBook(harness).set(harness.profile, [price], by),
    /** The sums are these; entries, jobs and kept sums say the same of the unpriced as of the money. */
    expectSums: (expected: object) => {
      expect(sums()).toEqual({ ...NO_MONEY, ...expected });
      const one = (text: string) => store.read.one<{ n: number | null }>(sql(text, text))?.n ?? 0;
      const all = one('SELECT sum(unpriced) AS n FROM ledger_entries');
      expect(one('SELECT sum(unpriced) AS n FROM jobs')).toBe(all);
      expect(one("SELECT sum(unpriced) AS n FROM spend WHERE scope = 'day'")).toBe(all);
      const inDoubt = 'sum(unpriced_doubt) AS n FROM';
      expect(one(`SELECT ${inDoubt} jobs`)).toBe(one(`SELECT ${inDoubt} ledger_entries`));
      expect(one('SELECT count(*) AS n FROM jobs WHERE unpriced < 0 OR unpriced_doubt < 0')).toBe(0);
    },
  };
}
/** The reply to its first request was lost, and it was knowingly sent again. */
async function sentAgain(second: SubmitOutcome) {
  const one = await anImage({ state: 'uncertain', submit: [lostAnswer, second] });
  await one.resolve('resend');
  await one.until(one.id, ({ attempts }) => attempts.length === 2 && attempts[1]?.outcome !== 'sending');
  if (second !== lostAnswer) await one.ends();
  return one;
}

test('an estimate shows that the price is unknown', () => {
  const unknown = { nano: 0, unpriced: true, settled: false, price: null };
  expect(estimate(startEngine().profile, request)).toMatchObject(unknown);
});

describe('without a hard cap it is sent, and counted apart', () => {
  test('made: in no amount, and one unpriced; a price that is set later is charged', async () => {
    const { now, set, ends, expectSums } = await anImage({ submit: [madeFor()] });
    expect((await ends()).money).toMatchObject({ unpriced: true, estimateNano: 0, chargedNano: 0 });
    expectSums({ unpriced: 1 });
    set();
    expect(now().money).toMatchObject({ chargedNano: EACH });
    expect(now().money.unpriced).toBeUndefined();
    expectSums(settled(EACH));
  });

  test('failed, and its bill is open: it still counts as unpriced', async () => {
    const { engine, ends } = await anImage({ submit: [{ type: 'refused', error: error(), billed: 'unknown' }] });
    expect((await ends()).money).toMatchObject({ unpriced: true, uncertainNano: 0 });
    expect(engine.status().doubt).toEqual({ count: 1, nano: 0, unpriced: 1 });
  });

  test('unconfirmed, sent twice knowingly: two unpriced requests, and a price applies to both', async () => {
    const { id, engine, now, set, resolve, expectSums } = await sentAgain(lostAnswer);
    const doubt = () => engine.status().doubt;
    expectSums({ unpriced: 2 });
    await resolve('lost');
    expect(now()).toMatchObject({ state: 'failed', money: { unpriced: true } });
    expect(doubt()).toEqual({ count: 1, nano: 0, unpriced: 2 });
    expect(engine.queries.list({ limit: 10, costInDoubt: true }, false).jobs.map((job) => job.id)).toEqual([id]);
    set(PICTURE_PRICE, 'import');
    expectSums({ uncertainNano: 2 * EACH });
    expect(doubt()).toEqual({ count: 1, nano: 2 * EACH, unpriced: 0 });
  });

  test('sent again and made at a stated cost: a later price applies to the earlier request alone', async () => {
    const { set, expectSums } = await sentAgain(madeFor(0.03));
    expectSums({ ...settled(nano(0.03)), unpriced: 1 });
    set();
    expectSums({ ...settled(nano(0.03)), uncertainNano: EACH });
  });

  test('sent again, made and entered as billed: a later price applies to the earlier request alone', async () => {
    const { id, store, engine, set, expectSums } = await sentAgain(madeFor());
    const bill = { type: 'charge' as const, nano: nano(0.03), source: 'line 1 of the bill' };
    expect(store.transaction((db) => engine.bills.apply(db, id, bill)).ok).toBe(true);
    expectSums({ ...settled(nano(0.03)), unpriced: 1 });
    set();
    expectSums({ ...settled(nano(0.03)), uncertainNano: EACH });
  });

  test('made, and its cost stated later: that is the charge, and no later price changes it', async () => {
    const book = aPrice('image', 0.05, { kind: 'chat', model: 'language' });
    const result = { text: 'Hello', finishReason: 'stop' };
    const remoteId = 'gen-3bhGkxlo4XFrqiabUM7NDtwDzWwG';
    const { clock, set, expectSums } = await anImage({
      request: { kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'Hello.' }] },
      profile: { prices: [book] },
      gateway: {
        chat: async () => ({ type: 'answered', complete: true, remoteId, result }),
        recordedCost: async () => ({ by: 'totalCost', as: '0.0015 USD', nano: 1_500_000 }),
      },
    });
    expectSums({ unpriced: 1 });
    await clock.advance(10_000);
    expectSums(settled(1_500_000));
    set({ ...book, readings: [{ unit: 'token', inputNano: 1_000_000, outputNano: 1_000_000 }] });
    expectSums(settled(1_500_000));
  });
});

describe('a hard cap', () => {
  /** Holds before the queue is let go on. */
  async function capped(options: JobOptions = {}) {
    const one = await anImage({ state: 'paused', submit: [madeFor()], ...options });
    one.store.transaction((db) => setBudget(db, { scope: 'day', hardNano: 1_000 * EACH }));
    const used = () => listBudgets(one.store.read, one.clock.now())[0]?.used;
    const blocked = async () => {
      await one.commands.setPaused(false);
      return one.until(one.id, ({ reason }) => reason === 'budget');
    };
    return { ...one, used, blocked };
  }

  test('refuses it at the claim, in words, and it goes when its price is set', async () => {
    const { script, commands, set, used, blocked, ends, expectSums } = await capped();
    const message = expect.stringContaining('No price is set, but a budget applies (Day, $50.00).');
    expect(await blocked()).toMatchObject({ state: 'blocked', error: { message }, money: { unpriced: true } });
    expect(script.sent).toBe(0);
    expectSums({});
    set();
    commands.announce();
    expect((await ends()).money).toMatchObject({ chargedNano: EACH });
    expect(used()).toMatchObject({ settledNano: EACH, unpriced: 0 });
  });

  test('allows it once if the user says so, and the budget counts it separately', async () => {
    const { id, commands, used, blocked, ends } = await capped();
    await blocked();
    expect(commands.allowUnpriced({ id })).toMatchObject({ ok: true, data: { state: 'queued' } });
    expect((await ends()).state).toBe('succeeded');
    expect(used()).toMatchObject({ settledNano: 0, unpriced: 1 });
    expect(commands.allowUnpriced({ id })).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
  });

  test('once is once: a second request of the same job is blocked again', async () => {
    const { id, script, commands, now, blocked, is, resolve } = await capped({ submit: [lostAnswer, madeFor()] });
    await blocked();
    commands.allowUnpriced({ id });
    await is('uncertain');
    await resolve('resend');
    expect(now()).toMatchObject({ state: 'blocked', reason: 'budget' });
    expect(script.sent).toBe(1);
  });

  test('a removed price makes waiting jobs unpriced again, and blocks them', async () => {
    const { harness, profile, now, expectSums } = await capped({ profile: { prices: [PICTURE_PRICE] } });
    expect(now().reason).toBe('paused');
    const { notice } = openPriceBook(harness).replace(profile, [], 'manual');
    expect(notice).toBe('One waiting job may have cost $0.05; now no price is set.');
    expect(now()).toMatchObject({ reason: 'budget', money: { unpriced: true, reservedNano: 0 } });
    expectSums({});
  });
});
