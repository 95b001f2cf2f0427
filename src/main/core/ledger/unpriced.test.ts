import { describe, expect, test } from 'vitest';
import {
  acceptance,
  type EngineHarness,
  error,
  finished,
  lostAnswer,
  refusal,
  type Script,
} from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { aPlan, nightsOfThisFile } from '../../../../test/helpers/nightHarness.ts';
import { openPriceBook } from '../../../../test/helpers/openPriceBook.ts';
import { NO_MONEY } from '../../../shared/ledger.ts';
import type { Price } from '../../../shared/price.ts';
import { sql } from '../store/index.ts';
import { estimate, listBudgets, setBudget, totals } from './index.ts';

/** A price that nobody knows is unknown, never nothing: pictures have none in the specification. */

const startEngine = engineHarnesses();
const startNight = nightsOfThisFile();

const anImage = { kind: 'imagine' as const, prompt: 'a lamp' };
const EACH = 50_000_000;
const perImage: Price = {
  kind: 'image',
  model: '*',
  readings: [{ unit: 'image', nano: EACH }],
  settledReading: 0,
  source: 'set by you',
};
const made = { ...finished(), type: 'done' as const };
const sum = (harness: EngineHarness) => totals(harness.store.read, 'kind', {}).sum;
const noCap = { scope: 'day' as const, hardNano: 1_000 * EACH };

/** Entries, jobs and kept sums say the same of the unpriced as of the money. */
function expectInStep(harness: EngineHarness): void {
  const one = (text: string) => harness.store.read.one<{ n: number | null }>(sql(text, text))?.n ?? 0;
  const all = one('SELECT sum(unpriced) AS n FROM ledger_entries');
  expect(one('SELECT sum(unpriced) AS n FROM jobs')).toBe(all);
  expect(one("SELECT sum(unpriced) AS n FROM spend WHERE scope = 'day'")).toBe(all);
  expect(one('SELECT sum(unpriced_doubt) AS n FROM jobs')).toBe(
    one('SELECT sum(unpriced_doubt) AS n FROM ledger_entries'),
  );
  expect(one('SELECT count(*) AS n FROM jobs WHERE unpriced < 0 OR unpriced_doubt < 0')).toBe(0);
}

test('an estimate shows that the price is unknown', () => {
  const harness = startEngine();
  expect(estimate(harness.profile, anImage)).toMatchObject({ nano: 0, unpriced: true, settled: false, price: null });
});

describe('without a hard cap it is sent, and counted apart', () => {
  test('made: in no amount, and one unpriced; a price that is set later is charged', async () => {
    const harness = startEngine({ script: { submit: [made] } });
    const { id, money } = await harness.enqueue(anImage);
    expect(money).toMatchObject({ unpriced: true, estimateNano: 0 });
    expect((await harness.untilEnd(id)).money).toMatchObject({ unpriced: true, chargedNano: 0 });
    expect(sum(harness)).toEqual({ ...NO_MONEY, unpriced: 1 });
    expectInStep(harness);
    openPriceBook(harness).set(harness.profile, [perImage], 'manual');
    expect(harness.job(id).money).toMatchObject({ chargedNano: EACH });
    expect(harness.job(id).money.unpriced).toBeUndefined();
    expect(sum(harness)).toEqual({ ...NO_MONEY, settledNano: EACH, settledLowNano: EACH });
    expectInStep(harness);
  });

  test('refused: nothing is owed, so nothing is unknown', async () => {
    const harness = startEngine({ script: { submit: [refusal()] } });
    const { id } = await harness.enqueue(anImage);
    expect((await harness.untilEnd(id)).money.unpriced).toBeUndefined();
    expect(sum(harness)).toEqual(NO_MONEY);
    expectInStep(harness);
  });

  test('in doubt, sent twice knowingly: two unpriced requests, and a price applies to both', async () => {
    const harness = startEngine({ script: { submit: [lostAnswer, lostAnswer] } });
    const { id } = await harness.enqueue(anImage);
    await harness.until(id, ({ state }) => state === 'uncertain');
    expect(harness.engine.status().doubt).toEqual({ count: 1, nano: 0, unpriced: 1 });
    await harness.engine.commands.resolve({ id, as: 'resend' });
    await harness.until(id, ({ state, attempts }) => state === 'uncertain' && attempts.length === 2);
    expect(sum(harness)).toEqual({ ...NO_MONEY, unpriced: 2 });
    await harness.engine.commands.resolve({ id, as: 'lost' });
    expect(harness.job(id)).toMatchObject({ state: 'failed', money: { unpriced: true } });
    expect(harness.engine.status().doubt).toEqual({ count: 1, nano: 0, unpriced: 2 });
    expect(
      harness.engine.queries.list({ limit: 10, costInDoubt: true }, harness.isPlay()).jobs.map((job) => job.id),
    ).toEqual([id]);
    expectInStep(harness);
    openPriceBook(harness).set(harness.profile, [perImage], 'import');
    expect(sum(harness)).toEqual({ ...NO_MONEY, uncertainNano: 2 * EACH });
    expect(harness.engine.status().doubt).toEqual({ count: 1, nano: 2 * EACH, unpriced: 0 });
    expectInStep(harness);
  });

  test('sent again and made at a stated cost: a later price applies to the earlier request, and not to the stated cost', async () => {
    const stated = { by: 'usage.cost', as: '0.03 USD', nano: 30_000_000 };
    const harness = startEngine({ script: { submit: [lostAnswer, { ...made, stated }] } });
    const { id } = await harness.enqueue(anImage);
    await harness.until(id, ({ state }) => state === 'uncertain');
    await harness.engine.commands.resolve({ id, as: 'resend' });
    await harness.untilEnd(id);
    const charged = { ...NO_MONEY, settledNano: 30_000_000, settledLowNano: 30_000_000 };
    expect(sum(harness)).toEqual({ ...charged, unpriced: 1 });
    openPriceBook(harness).set(harness.profile, [perImage], 'manual');
    expect(sum(harness)).toEqual({ ...charged, uncertainNano: EACH });
    expectInStep(harness);
  });

  test('made, and its cost stated later: that is the charge, and no later price changes it', async () => {
    const result = { text: 'Hello', finishReason: 'stop' };
    const gateway: Script['gateway'] = {
      chat: async () => ({ type: 'answered', complete: true, remoteId: 'gen-3bhGkxlo4XFrqiabUM7NDtwDzWwG', result }),
      recordedCost: async () => ({ by: 'totalCost', as: '0.0015 USD', nano: 1_500_000 }),
    };
    const book: Price = { ...perImage, kind: 'chat', model: 'language' };
    const harness = startEngine({ script: { gateway }, profile: { prices: [book] } });
    await harness.enqueue({ kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'Hello.' }] });
    expect(sum(harness)).toEqual({ ...NO_MONEY, unpriced: 1 });
    await harness.clock.advance(10_000);
    const stated = { ...NO_MONEY, settledNano: 1_500_000, settledLowNano: 1_500_000 };
    expect(sum(harness)).toEqual(stated);
    expectInStep(harness);
    const readings = [{ unit: 'token' as const, inputNano: 1_000_000, outputNano: 1_000_000 }];
    openPriceBook(harness).set(harness.profile, [{ ...book, readings }], 'manual');
    expect(sum(harness)).toEqual(stated);
  });

  test('sent again, made and entered as billed: a later price applies to the earlier request alone', async () => {
    const harness = startEngine({ script: { submit: [lostAnswer, made] } });
    const { id } = await harness.enqueue(anImage);
    await harness.until(id, ({ state }) => state === 'uncertain');
    await harness.engine.commands.resolve({ id, as: 'resend' });
    await harness.untilEnd(id);
    const bill = { type: 'charge' as const, nano: 30_000_000, source: 'line 1 of the bill' };
    expect(harness.store.transaction((db) => harness.engine.bills.apply(db, id, bill)).ok).toBe(true);
    const billed = { ...NO_MONEY, settledNano: 30_000_000, settledLowNano: 30_000_000 };
    expect(sum(harness)).toEqual({ ...billed, unpriced: 1 });
    openPriceBook(harness).set(harness.profile, [perImage], 'manual');
    expect(sum(harness)).toEqual({ ...billed, uncertainNano: EACH });
    expectInStep(harness);
  });

  test('sent again and made: the earlier request stays open, and the bill closes it', async () => {
    const harness = startEngine({ script: { submit: [lostAnswer, made] } });
    const { id } = await harness.enqueue(anImage);
    await harness.until(id, ({ state }) => state === 'uncertain');
    await harness.engine.commands.resolve({ id, as: 'resend' });
    await harness.untilEnd(id);
    expect(sum(harness)).toEqual({ ...NO_MONEY, unpriced: 2 });
    expect(harness.engine.commands.settleDoubt(id, 7).ok).toBe(true);
    expect(sum(harness)).toEqual({ ...NO_MONEY, settledNano: 7, settledLowNano: 7, unpriced: 1 });
    expectInStep(harness);
  });

  test('under way when its price is set: that much is reserved, and then charged', async () => {
    const harness = startEngine();
    harness.script.submit = [acceptance(harness.clock)];
    const { id } = await harness.enqueue(anImage);
    await harness.until(id, ({ state }) => state === 'running');
    openPriceBook(harness).set(harness.profile, [perImage], 'manual');
    expect(sum(harness)).toEqual({ ...NO_MONEY, reservedNano: EACH });
    harness.script.poll = [finished()];
    await harness.untilEnd(id);
    expect(sum(harness)).toEqual({ ...NO_MONEY, settledNano: EACH, settledLowNano: EACH });
    expectInStep(harness);
  });

  test('canceled before it was sent: it leaves nothing', async () => {
    const harness = startEngine();
    harness.engine.commands.setPaused(true);
    const { id } = await harness.enqueue(anImage);
    expect(sum(harness).unpriced).toBe(1);
    harness.engine.commands.cancel(id);
    expect(harness.job(id).money.unpriced).toBeUndefined();
    expect(sum(harness)).toEqual(NO_MONEY);
    expectInStep(harness);
  });
});

describe('a hard cap', () => {
  const capped = () => {
    const harness = startEngine({ script: { submit: [made] } });
    harness.store.transaction((db) => setBudget(db, noCap));
    return harness;
  };
  const WORDS = 'Its price is not known, and a hard cap of $50.00 holds for this day.';

  test('refuses it in words, and it goes when its price is set', async () => {
    const harness = capped();
    const { id } = await harness.enqueue(anImage);
    expect(harness.job(id)).toMatchObject({
      state: 'blocked',
      reason: 'budget',
      error: { message: expect.stringContaining(WORDS) },
      money: { unpriced: true },
    });
    expect(harness.script.sent).toBe(0);
    harness.engine.commands.announce(openPriceBook(harness).set(harness.profile, [perImage], 'manual').jobIds);
    expect((await harness.untilEnd(id)).money).toMatchObject({ chargedNano: EACH });
    expect(listBudgets(harness.store.read, harness.clock.now())).toMatchObject([
      { used: { settledNano: EACH, unpriced: 0 } },
    ]);
  });

  test('allows it once if the user says so, and the budget counts it separately', async () => {
    const harness = capped();
    const { id } = await harness.enqueue(anImage);
    expect(harness.engine.commands.allowUnpriced({ id })).toMatchObject({ ok: true, data: { state: 'queued' } });
    expect((await harness.untilEnd(id)).state).toBe('succeeded');
    expect(listBudgets(harness.store.read, harness.clock.now())).toMatchObject([
      { used: { settledNano: 0, unpriced: 1 } },
    ]);
    expect(harness.engine.commands.allowUnpriced({ id })).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
  });

  test('once is once: a second request of the same job is blocked again', async () => {
    const harness = capped();
    harness.script.submit = [lostAnswer, made];
    const { id } = await harness.enqueue(anImage);
    harness.engine.commands.allowUnpriced({ id });
    await harness.until(id, ({ state }) => state === 'uncertain');
    await harness.engine.commands.resolve({ id, as: 'resend' });
    expect(harness.job(id)).toMatchObject({ state: 'blocked', reason: 'budget' });
    expect(harness.script.sent).toBe(1);
  });

  test('that is set while it waits to be sent blocks it at the claim', async () => {
    const harness = startEngine({ script: { submit: [made] } });
    harness.engine.commands.setPaused(true);
    const { id } = await harness.enqueue(anImage);
    harness.store.transaction((db) => setBudget(db, noCap));
    harness.engine.commands.setPaused(false);
    await harness.until(id, ({ reason }) => reason === 'budget');
    expect(harness.script.sent).toBe(0);
    expect(sum(harness)).toEqual(NO_MONEY);
    expectInStep(harness);
  });

  test('a removed price makes waiting jobs unpriced again, and blocks them', async () => {
    const harness = capped();
    harness.profile.prices = [perImage];
    harness.engine.commands.setPaused(true);
    const { id } = await harness.enqueue(anImage);
    expect(harness.job(id).reason).toBe('paused');
    const { notice } = openPriceBook(harness).replace(harness.profile, [], 'manual');
    expect(notice).toBe('One waiting job may have cost $0.05; now the price is not known.');
    expect(harness.job(id)).toMatchObject({ reason: 'budget', money: { unpriced: true, reservedNano: 0 } });
    expectInStep(harness);
  });

  test('a night always has one: the dry run names the jobs it blocks, the report counts them separately', async () => {
    const harness = startNight();
    harness.script.submit = [made];
    harness.plan();
    const held = await harness.enqueue(anImage, { night: true });
    const allowed = await harness.enqueue(anImage, { night: true });
    harness.engine.commands.allowUnpriced({ id: allowed.id });
    const dry = await harness.night.dryRun(aPlan());
    expect(dry).toMatchObject({
      data: {
        fitCount: 1,
        totalNano: 0,
        unpriced: 1,
        unfit: [{ jobId: held.id, reason: 'unpriced', message: "Its price is not known, and the night's cap holds." }],
      },
    });
    harness.plan({ start: '20:00' });
    await harness.until(allowed.id, ({ state }) => state === 'succeeded');
    expect(harness.report()).toMatchObject({ plannedUnpriced: 2, spent: { settledNano: 0, unpriced: 1 } });
  });
});

test('a failed request whose bill is open still counts as unpriced', async () => {
  const harness = startEngine({ script: { submit: [{ type: 'refused', error: error(), billed: 'unknown' }] } });
  const { id } = await harness.enqueue(anImage);
  expect((await harness.untilEnd(id)).money).toMatchObject({ unpriced: true, uncertainNano: 0 });
  expect(harness.engine.status().doubt).toEqual({ count: 1, nano: 0, unpriced: 1 });
});
