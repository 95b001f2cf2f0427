import { describe, expect, test } from 'vitest';
import {
  acceptance,
  aVideo,
  type EngineHarness,
  error,
  finished,
  lostAnswer,
} from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { openPriceBook } from '../../../../test/helpers/openPriceBook.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import { NO_MONEY } from '../../../shared/ledger.ts';
import type { Price } from '../../../shared/price.ts';
import type { ChatOutcome, PollOutcome, RemoteTask, StatedCost, SubmitOutcome } from '../gateway/index.ts';
import { entries, totals } from '../ledger/index.ts';

/** A job that was not charged and whose answer states a cost: its doubt covers the stated cost. */

const start = engineHarnesses();

const perVideo = (dollars: number): Price => ({
  kind: 'video',
  model: 'video-standard',
  readings: [{ unit: 'video', nano: Math.round(dollars * 1e9) }],
  settledReading: 0,
  source: 'x',
});
const stating = (dollars: number): StatedCost => ({
  by: 'usage.cost',
  as: `${dollars} USD`,
  nano: Math.round(dollars * 1e9),
});
const failing = (stated?: StatedCost): Extract<PollOutcome, { type: 'failed' }> => ({
  type: 'failed',
  error: error({ accepted: 'yes' }),
  billed: 'unknown',
  ...(stated ? { stated } : {}),
});
const nano = (dollars: number) => Math.round(dollars * 1e9);

/** The job, the entries, the sums and the inbox agree. */
function agree(harness: EngineHarness, jobId: string, inDoubt: number, charged = 0) {
  const { money } = harness.job(jobId);
  expect(money).toMatchObject({ reservedNano: 0, uncertainNano: inDoubt, chargedNano: charged });
  const lines = entries(harness.store.read, { limit: 100, jobId }).entries;
  const of = (field: 'reservedNano' | 'uncertainNano' | 'settledNano') =>
    lines.reduce((sum, entry) => sum + entry[field], 0);
  expect([of('reservedNano'), of('uncertainNano'), of('settledNano')]).toEqual([0, inDoubt, charged]);
  for (const by of ['day', 'kind'] as const)
    expect(totals(harness.store.read, by, {}).sum).toEqual({
      ...NO_MONEY,
      uncertainNano: inDoubt,
      settledNano: charged,
      settledLowNano: charged,
    });
  expect(harness.engine.status().doubt).toMatchObject({ count: inDoubt > 0 ? 1 : 0, nano: inDoubt });
}

const atFortyCents = () => start({ profile: { prices: [perVideo(0.4)] } });

/** Accepted, and failed at the first poll. */
async function failed(harness: EngineHarness, stated?: StatedCost) {
  harness.script.submit = [acceptance(harness.clock)];
  harness.script.poll = [failing(stated)];
  const { id } = await harness.enqueue(aVideo);
  await harness.untilEnd(id);
  return id;
}

describe('a failure that states a cost', () => {
  test('above the reservation is in doubt at the stated cost, and is settled by the bill', async () => {
    const harness = atFortyCents();
    const id = await failed(harness, stating(0.8));
    expect(harness.job(id).money).toMatchObject({ statedNano: nano(0.8), statedBy: 'usage.cost' });
    agree(harness, id, nano(0.8));
    expect(harness.engine.commands.settleDoubt(id, nano(0.7)).ok).toBe(true);
    agree(harness, id, 0, nano(0.7));
  });

  test('in an immediate refusal is in doubt at that cost too', async () => {
    const harness = atFortyCents();
    const refused: SubmitOutcome = {
      type: 'refused',
      error: error({ accepted: 'yes' }),
      billed: 'unknown',
      stated: stating(0.8),
    };
    harness.script.submit = [refused];
    const { id } = await harness.enqueue(aVideo);
    await harness.untilEnd(id);
    agree(harness, id, nano(0.8));
  });

  /** xAI charges for what it made and then moderated. */
  test('in a refusal of content is in doubt at that cost too, and is not sent again', async () => {
    const harness = atFortyCents();
    const moderated = error({ kind: 'moderation', status: 400 });
    harness.script.submit = [{ type: 'refused', error: moderated, billed: 'unknown', stated: stating(0.8) }];
    const { id } = await harness.enqueue(aVideo);
    expect(await harness.untilEnd(id)).toMatchObject({ state: 'failed', error: { kind: 'moderation' } });
    expect(harness.script.sent).toBe(1);
    agree(harness, id, nano(0.8));
  });

  test('below the reservation keeps the reservation in doubt', async () => {
    const harness = atFortyCents();
    agree(harness, await failed(harness, stating(0.3)), nano(0.4));
  });

  test('that no job can have is rejected, and the job says so', async () => {
    const harness = atFortyCents();
    const id = await failed(harness, stating(5_000));
    agree(harness, id, nano(0.4));
    expect(harness.job(id).money.statedNano).toBeUndefined();
    expect(harness.job(id).money.note).toMatch(/That is not believed/);
  });

  test('of nothing leaves the cost that the acceptance stated', async () => {
    for (const later of [
      { by: 'usage.cost', as: '0', nano: 0 },
      { by: 'credits', as: '35 credits' },
    ]) {
      const harness = atFortyCents();
      harness.script.submit = [{ ...acceptance(harness.clock), stated: stating(0.8) }];
      harness.script.poll = [failing(later)];
      const { id } = await harness.enqueue(aVideo);
      await harness.untilEnd(id);
      expect(harness.job(id).money).toMatchObject({ statedNano: nano(0.8), statedBy: 'usage.cost' });
      agree(harness, id, nano(0.8));
    }
  });

  test('in units of its own keeps the reservation in doubt, and its text', async () => {
    const harness = atFortyCents();
    const id = await failed(harness, { by: 'creditsCost', as: '40 credits' });
    agree(harness, id, nano(0.4));
    expect(harness.job(id).money).toMatchObject({ statedAs: '40 credits' });
  });

  test('at an unknown price is in doubt at the stated cost, and is no longer unpriced', async () => {
    const harness = start({ profile: { prices: [{ ...perVideo(0.4), readings: [{ unit: 'image', nano: 1 }] }] } });
    const unstated = await failed(harness);
    expect(harness.job(unstated).money).toMatchObject({ unpriced: true, uncertainNano: 0 });
    harness.engine.commands.settleDoubt(unstated, 0);
    const id = await failed(harness, stating(0.8));
    expect(harness.job(id).money.unpriced).toBeUndefined();
    agree(harness, id, nano(0.8));
    openPriceBook(harness).set(harness.profile, [perVideo(0.1)], 'manual');
    agree(harness, id, nano(0.8));
    openPriceBook(harness).set(harness.profile, [perVideo(1)], 'manual');
    agree(harness, id, nano(1));
  });

  test('of a free job is in doubt at the stated cost', async () => {
    const harness = start({ profile: { prices: [perVideo(0)] } });
    const id = await failed(harness, stating(0.8));
    agree(harness, id, nano(0.8));
    expect(harness.engine.commands.settleDoubt(id, 0).ok).toBe(true);
    agree(harness, id, 0);
  });

  test.each([
    ['above', 0.8],
    ['below', 0.3],
  ])('%s the reservation is never reduced below it by another price', async (_name, dollars) => {
    const harness = atFortyCents();
    const id = await failed(harness, stating(dollars));
    for (const price of [0.1, 0.05, 2, 0.5, 0.2]) {
      openPriceBook(harness).set(harness.profile, [perVideo(price)], 'manual');
      agree(harness, id, Math.max(nano(dollars), nano(price)));
    }
    harness.engine.commands.settleDoubt(id, 0);
    agree(harness, id, 0);
    openPriceBook(harness).set(harness.profile, [perVideo(3)], 'manual');
    agree(harness, id, 0);
  });
});

describe('a job in doubt', () => {
  const lost = { ...lostAnswer, task: { id: 't', kind: 'video' as const, acceptedAt: 0 } } as SubmitOutcome;

  test('whose lost answer states a cost is in doubt at that cost', async () => {
    const harness = atFortyCents();
    harness.script.submit = [{ ...lost, stated: stating(0.8) } as SubmitOutcome];
    const { id } = await harness.enqueue(aVideo);
    await harness.until(id, ({ state }) => state === 'uncertain');
    agree(harness, id, nano(0.8));
  });

  test('that was accepted with a cost is canceled: the doubt covers it, and the poll that finds its result ends it', async () => {
    const harness = atFortyCents();
    harness.script.submit = [{ ...acceptance(harness.clock), stated: stating(0.8) } as SubmitOutcome];
    harness.script.poll = [{ type: 'running' }];
    const { id } = await harness.enqueue(aVideo);
    await harness.until(id, ({ state }) => state === 'running');
    harness.engine.commands.cancel(id);
    agree(harness, id, nano(0.8));
    harness.script.poll = [{ ...finished('gs://made/one.mp4'), stated: stating(0.5) }];
    harness.coreEvents.emit('webhook.received', id);
    await harness.until(id, ({ money }) => money.chargedNano > 0);
    agree(harness, id, 0, nano(0.5));
  });

  test('is looked up, and its failure states more: the doubt rises to that, as one attempt', async () => {
    const harness = atFortyCents();
    harness.script.submit = [lost];
    const { id } = await harness.enqueue(aVideo);
    await harness.until(id, ({ state }) => state === 'uncertain');
    agree(harness, id, nano(0.4));
    harness.script.poll = [failing(stating(0.8))];
    await harness.engine.commands.resolve({ id, as: 'lookup' });
    expect((await harness.untilEnd(id)).state).toBe('failed');
    agree(harness, id, nano(0.8));
    openPriceBook(harness).set(harness.profile, [perVideo(0.1)], 'manual');
    agree(harness, id, nano(0.8));
    openPriceBook(harness).set(harness.profile, [perVideo(1)], 'manual');
    agree(harness, id, nano(1));
  });

  test('is found not billed: all of its doubt ends, the stated cost included', async () => {
    const harness = atFortyCents();
    harness.script.submit = [{ ...lost, stated: stating(0.8) } as SubmitOutcome];
    const { id } = await harness.enqueue(aVideo);
    await harness.until(id, ({ state }) => state === 'uncertain');
    harness.script.poll = [{ ...failing(), billed: 'no' }];
    await harness.engine.commands.resolve({ id, as: 'lookup' });
    await harness.untilEnd(id);
    agree(harness, id, 0);
  });

  /** That of an order with a task goes to a job of its own. */
  test.each([
    ['without a task', lostAnswer],
    ['with a task', lost],
  ])(
    '%s is sent again: the cost stated for it stays in doubt, at every price, and the second is charged',
    async (_, first) => {
      let made = '';
      const poll = async ({ id }: RemoteTask): Promise<PollOutcome> => (id === made ? finished() : { type: 'running' });
      const harness = start({ profile: { prices: [perVideo(0.4)] }, script: { gateway: { poll } } });
      harness.script.submit = [
        { ...first, stated: stating(0.8) } as SubmitOutcome,
        acceptance(harness.clock, 'second'),
      ];
      const sum = () => totals(harness.store.read, 'kind', {}).sum;
      const { id } = await harness.enqueue(aVideo);
      await harness.until(id, ({ state }) => state === 'uncertain');
      await harness.engine.commands.resolve({ id, as: 'resend' });
      await harness.until(id, ({ state }) => state === 'running');
      expect(sum()).toMatchObject({ reservedNano: nano(0.4), uncertainNano: nano(0.8) });
      openPriceBook(harness).set(harness.profile, [perVideo(0.1)], 'manual');
      expect(sum()).toMatchObject({ reservedNano: nano(0.1), uncertainNano: nano(0.8) });
      made = 'second';
      expect(await harness.untilEnd(id)).toMatchObject({ money: { chargedNano: nano(0.1) } });
      expect(sum()).toMatchObject({ reservedNano: 0, uncertainNano: nano(0.8), settledNano: nano(0.1) });
    },
  );
});

describe('a chat that failed or was cut off', () => {
  const aChat: StudioRequest = { kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'Say hello.' }] };
  const cut = (stated: StatedCost): ChatOutcome => ({
    type: 'answered',
    complete: false,
    result: { text: 'Hel', finishReason: 'cut' },
    error: error({ kind: 'network', accepted: 'yes' }),
    stated,
  });
  const ended = async (outcome: ChatOutcome) => {
    const harness = start({ script: { gateway: { chat: async () => outcome } } });
    const { id } = await harness.enqueue(aChat);
    await harness.untilEnd(id);
    return { harness, id };
  };

  test('before its first word, and states a cost, is in doubt at that cost', async () => {
    const refused = { type: 'refused', error: error({ accepted: 'yes' }), billed: 'unknown' } as const;
    const { harness, id } = await ended({ ...refused, stated: stating(0.8) });
    agree(harness, id, nano(0.8));
  });

  test('and states a cost is charged at it', async () => {
    const { harness, id } = await ended(cut(stating(0.8)));
    expect(harness.job(id)).toMatchObject({ state: 'failed', money: { chargedNano: nano(0.8), uncertainNano: 0 } });
  });

  test.each([
    ['that no order costs', stating(5_000)],
    ['that is a part of it', { ...stating(0.8), part: true as const }],
    ['of nothing', stating(0)],
  ])('and states a cost %s is in doubt', async (_name, stated) => {
    const { harness, id } = await ended(cut(stated));
    const { estimateNano } = harness.job(id).money;
    agree(harness, id, estimateNano);
  });
});
