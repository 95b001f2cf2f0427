import { describe, expect, test } from 'vitest';
import { bookOn } from '../../../../test/helpers/bookOn.ts';
import {
  acceptance,
  error,
  finished,
  lostAnswer,
  type Rig,
  refusal,
  type Script,
} from '../../../../test/helpers/engineRig.ts';
import { aPlan, nightsOfThisFile } from '../../../../test/helpers/nightRig.ts';
import { rigsOfThisFile } from '../../../../test/helpers/rigsOfThisFile.ts';
import { NO_MONEY } from '../../../shared/ledger.ts';
import type { Price } from '../../../shared/price.ts';
import { sql } from '../store/index.ts';
import { estimate, listBudgets, setBudget, totals } from './index.ts';

/** A price that nobody knows is unknown, never nothing: pictures have none in the specification. */

const startRig = rigsOfThisFile();
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
const sum = (rig: Rig) => totals(rig.store.read, 'kind', {}).sum;
const noCap = { scope: 'day' as const, hardNano: 1_000 * EACH };

/** Entries, jobs and kept sums say the same of the unpriced as of the money. */
function expectInStep(rig: Rig): void {
  const one = (text: string) => rig.store.read.one<{ n: number | null }>(sql(text, text))?.n ?? 0;
  const all = one('SELECT sum(unpriced) AS n FROM ledger_entries');
  expect(one('SELECT sum(unpriced) AS n FROM jobs')).toBe(all);
  expect(one("SELECT sum(unpriced) AS n FROM spend WHERE scope = 'day'")).toBe(all);
  expect(one('SELECT sum(unpriced_doubt) AS n FROM jobs')).toBe(
    one('SELECT sum(unpriced_doubt) AS n FROM ledger_entries'),
  );
  expect(one('SELECT count(*) AS n FROM jobs WHERE unpriced < 0 OR unpriced_doubt < 0')).toBe(0);
}

test('an estimate says that the price is not known', () => {
  const rig = startRig();
  expect(estimate(rig.profile, anImage)).toMatchObject({ nano: 0, unpriced: true, settled: false, price: null });
});

describe('without a hard cap it is sent, and counted apart', () => {
  test('made: in no amount, and one unpriced; a price that is set later is charged', async () => {
    const rig = startRig({ script: { submit: [made] } });
    const { id, money } = await rig.enqueue(anImage);
    expect(money).toMatchObject({ unpriced: true, estimateNano: 0 });
    expect((await rig.untilEnd(id)).money).toMatchObject({ unpriced: true, chargedNano: 0 });
    expect(sum(rig)).toEqual({ ...NO_MONEY, unpriced: 1 });
    expectInStep(rig);
    bookOn(rig).set(rig.profile, [perImage], 'manual');
    expect(rig.job(id).money).toMatchObject({ chargedNano: EACH });
    expect(rig.job(id).money.unpriced).toBeUndefined();
    expect(sum(rig)).toEqual({ ...NO_MONEY, settledNano: EACH, settledLowNano: EACH });
    expectInStep(rig);
  });

  test('refused: nothing is owed, so nothing is unknown', async () => {
    const rig = startRig({ script: { submit: [refusal()] } });
    const { id } = await rig.enqueue(anImage);
    expect((await rig.untilEnd(id)).money.unpriced).toBeUndefined();
    expect(sum(rig)).toEqual(NO_MONEY);
    expectInStep(rig);
  });

  test('in doubt, sent twice knowingly: two unpriced orders, and a price holds for both', async () => {
    const rig = startRig({ script: { submit: [lostAnswer, lostAnswer] } });
    const { id } = await rig.enqueue(anImage);
    await rig.until(id, ({ state }) => state === 'uncertain');
    expect(rig.engine.status().doubt).toEqual({ count: 1, nano: 0, unpriced: 1 });
    await rig.engine.resolve(id, 'resend');
    await rig.until(id, ({ state, attempts }) => state === 'uncertain' && attempts.length === 2);
    expect(sum(rig)).toEqual({ ...NO_MONEY, unpriced: 2 });
    await rig.engine.resolve(id, 'lost');
    expect(rig.job(id)).toMatchObject({ state: 'failed', money: { unpriced: true } });
    expect(rig.engine.status().doubt).toEqual({ count: 1, nano: 0, unpriced: 2 });
    expect(rig.engine.list({ limit: 10, costInDoubt: true }).jobs.map((job) => job.id)).toEqual([id]);
    expectInStep(rig);
    bookOn(rig).set(rig.profile, [perImage], 'import');
    expect(sum(rig)).toEqual({ ...NO_MONEY, uncertainNano: 2 * EACH });
    expect(rig.engine.status().doubt).toEqual({ count: 1, nano: 2 * EACH, unpriced: 0 });
    expectInStep(rig);
  });

  test('sent again and made at a stated cost: a later price holds for the earlier order, and not for what was stated', async () => {
    const stated = { by: 'usage.cost', as: '0.03 USD', nano: 30_000_000 };
    const rig = startRig({ script: { submit: [lostAnswer, { ...made, stated }] } });
    const { id } = await rig.enqueue(anImage);
    await rig.until(id, ({ state }) => state === 'uncertain');
    await rig.engine.resolve(id, 'resend');
    await rig.untilEnd(id);
    const charged = { ...NO_MONEY, settledNano: 30_000_000, settledLowNano: 30_000_000 };
    expect(sum(rig)).toEqual({ ...charged, unpriced: 1 });
    bookOn(rig).set(rig.profile, [perImage], 'manual');
    expect(sum(rig)).toEqual({ ...charged, uncertainNano: EACH });
    expectInStep(rig);
  });

  test('made, and its cost stated later: that is the charge, and no later price changes it', async () => {
    const result = { text: 'Hello', finishReason: 'stop' };
    const gateway: Script['gateway'] = {
      chat: async () => ({ type: 'answered', complete: true, remoteId: 'gen-3bhGkxlo4XFrqiabUM7NDtwDzWwG', result }),
      recordedCost: async () => ({ by: 'totalCost', as: '0.0015 USD', nano: 1_500_000 }),
    };
    const book: Price = { ...perImage, kind: 'chat', model: 'language' };
    const rig = startRig({ script: { gateway }, profile: { prices: [book] } });
    await rig.enqueue({ kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'Hello.' }] });
    expect(sum(rig)).toEqual({ ...NO_MONEY, unpriced: 1 });
    await rig.clock.advance(10_000);
    const stated = { ...NO_MONEY, settledNano: 1_500_000, settledLowNano: 1_500_000 };
    expect(sum(rig)).toEqual(stated);
    expectInStep(rig);
    const readings = [{ unit: 'token' as const, inputNano: 1_000_000, outputNano: 1_000_000 }];
    bookOn(rig).set(rig.profile, [{ ...book, readings }], 'manual');
    expect(sum(rig)).toEqual(stated);
  });

  test('sent again and made: the earlier order stays open, and the bill closes it', async () => {
    const rig = startRig({ script: { submit: [lostAnswer, made] } });
    const { id } = await rig.enqueue(anImage);
    await rig.until(id, ({ state }) => state === 'uncertain');
    await rig.engine.resolve(id, 'resend');
    await rig.untilEnd(id);
    expect(sum(rig)).toEqual({ ...NO_MONEY, unpriced: 2 });
    expect(rig.engine.settleDoubt(id, 7).ok).toBe(true);
    expect(sum(rig)).toEqual({ ...NO_MONEY, settledNano: 7, settledLowNano: 7, unpriced: 1 });
    expectInStep(rig);
  });

  test('under way when its price is set: that much is set aside, and then charged', async () => {
    const rig = startRig();
    rig.script.submit = [acceptance(rig.clock)];
    const { id } = await rig.enqueue(anImage);
    await rig.until(id, ({ state }) => state === 'running');
    bookOn(rig).set(rig.profile, [perImage], 'manual');
    expect(sum(rig)).toEqual({ ...NO_MONEY, reservedNano: EACH });
    rig.script.poll = [finished()];
    await rig.untilEnd(id);
    expect(sum(rig)).toEqual({ ...NO_MONEY, settledNano: EACH, settledLowNano: EACH });
    expectInStep(rig);
  });

  test('canceled before it was sent: it leaves nothing', async () => {
    const rig = startRig();
    rig.engine.setPaused(true);
    const { id } = await rig.enqueue(anImage);
    expect(sum(rig).unpriced).toBe(1);
    rig.engine.cancel(id);
    expect(rig.job(id).money.unpriced).toBeUndefined();
    expect(sum(rig)).toEqual(NO_MONEY);
    expectInStep(rig);
  });
});

describe('a hard cap', () => {
  const capped = () => {
    const rig = startRig({ script: { submit: [made] } });
    rig.store.transaction((db) => setBudget(db, noCap));
    return rig;
  };
  const WORDS = 'Its price is not known, and a hard cap of $50.00 holds for this day.';

  test('refuses it in words, and it goes when its price is set', async () => {
    const rig = capped();
    const { id } = await rig.enqueue(anImage);
    expect(rig.job(id)).toMatchObject({
      state: 'blocked',
      reason: 'budget',
      error: { message: expect.stringContaining(WORDS) },
      money: { unpriced: true },
    });
    expect(rig.script.sent).toBe(0);
    rig.engine.announce(bookOn(rig).set(rig.profile, [perImage], 'manual').jobIds);
    expect((await rig.untilEnd(id)).money).toMatchObject({ chargedNano: EACH });
    expect(listBudgets(rig.store.read, rig.clock.now())).toMatchObject([{ used: { settledNano: EACH, unpriced: 0 } }]);
  });

  test('lets it go once where the user says so, and the budget counts it apart', async () => {
    const rig = capped();
    const { id } = await rig.enqueue(anImage);
    expect(rig.engine.allowUnpriced(id)).toMatchObject({ ok: true, data: { state: 'queued' } });
    expect((await rig.untilEnd(id)).state).toBe('succeeded');
    expect(listBudgets(rig.store.read, rig.clock.now())).toMatchObject([{ used: { settledNano: 0, unpriced: 1 } }]);
    expect(rig.engine.allowUnpriced(id)).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
  });

  test('once is once: a second order of the same job is held back again', async () => {
    const rig = capped();
    rig.script.submit = [lostAnswer, made];
    const { id } = await rig.enqueue(anImage);
    rig.engine.allowUnpriced(id);
    await rig.until(id, ({ state }) => state === 'uncertain');
    await rig.engine.resolve(id, 'resend');
    expect(rig.job(id)).toMatchObject({ state: 'blocked', reason: 'budget' });
    expect(rig.script.sent).toBe(1);
  });

  test('that is set while it waits to be sent holds it back at the claim', async () => {
    const rig = startRig({ script: { submit: [made] } });
    rig.engine.setPaused(true);
    const { id } = await rig.enqueue(anImage);
    rig.store.transaction((db) => setBudget(db, noCap));
    rig.engine.setPaused(false);
    await rig.until(id, ({ reason }) => reason === 'budget');
    expect(rig.script.sent).toBe(0);
    expect(sum(rig)).toEqual(NO_MONEY);
    expectInStep(rig);
  });

  test('a price that is taken away makes what waits unknown again, and holds it back', async () => {
    const rig = capped();
    rig.profile.prices = [perImage];
    rig.engine.setPaused(true);
    const { id } = await rig.enqueue(anImage);
    expect(rig.job(id).reason).toBe('paused');
    const { notice } = bookOn(rig).replace(rig.profile, [], 'manual');
    expect(notice).toBe('One waiting job may have cost $0.05; now the price is not known.');
    expect(rig.job(id)).toMatchObject({ reason: 'budget', money: { unpriced: true, reservedNano: 0 } });
    expectInStep(rig);
  });

  test('a night always has one: the dry run names what it holds back, the report counts it apart', async () => {
    const rig = startNight();
    rig.script.submit = [made];
    rig.plan();
    const held = await rig.enqueue(anImage, { night: true });
    const allowed = await rig.enqueue(anImage, { night: true });
    rig.engine.allowUnpriced(allowed.id);
    const dry = await rig.night.dryRun(aPlan());
    expect(dry).toMatchObject({
      data: {
        fitCount: 1,
        totalNano: 0,
        unpriced: 1,
        unfit: [{ jobId: held.id, reason: 'unpriced', message: "Its price is not known, and the night's cap holds." }],
      },
    });
    rig.plan({ start: '20:00' });
    await rig.until(allowed.id, ({ state }) => state === 'succeeded');
    expect(rig.report()).toMatchObject({ plannedUnpriced: 2, spent: { settledNano: 0, unpriced: 1 } });
  });
});

test('a failed order whose bill is open keeps its place among the unpriced', async () => {
  const rig = startRig({ script: { submit: [{ type: 'refused', error: error(), billed: 'unknown' }] } });
  const { id } = await rig.enqueue(anImage);
  expect((await rig.untilEnd(id)).money).toMatchObject({ unpriced: true, uncertainNano: 0 });
  expect(rig.engine.status().doubt).toEqual({ count: 1, nano: 0, unpriced: 1 });
});
