import { describe, expect, test } from 'vitest';
import { acceptance, error, finished, lostAnswer } from '../../../../test/helpers/engineHarness.ts';
import { type JobOptions, jobsOfThisFile, type OneJob } from '../../../../test/helpers/engineHarnesses.ts';
import { openPriceBook } from '../../../../test/helpers/openPriceBook.ts';
import { aPrice, nano, stating } from '../../../../test/helpers/prices.ts';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import { NO_MONEY } from '../../../shared/money/ledger.ts';
import type { ChatOutcome, PollOutcome, StatedCost, SubmitOutcome } from '../gateway/index.ts';
import { totals } from '../ledger/index.ts';

/** A job that was not charged and whose answer states a cost: its doubt covers the stated cost. */

const aJob = jobsOfThisFile();
const clock = new TestClock();
const profile = { prices: [aPrice('video', 0.4)] };
const failing = (stated?: StatedCost): Extract<PollOutcome, { type: 'failed' }> => ({
  type: 'failed',
  error: error({ accepted: 'yes' }),
  billed: 'unknown',
  ...(stated ? { stated } : {}),
});

/** The job, the entries, the sums and the inbox agree. */
function agree({ id, now, entriesOf, store, engine }: OneJob, dollarsInDoubt: number, dollarsCharged = 0) {
  const [inDoubt, charged] = [nano(dollarsInDoubt), nano(dollarsCharged)];
  expect(now().money).toMatchObject({ reservedNano: 0, uncertainNano: inDoubt, chargedNano: charged });
  const of = (field: 'reservedNano' | 'uncertainNano' | 'settledNano') =>
    entriesOf(id).reduce((sum, entry) => sum + entry[field], 0);
  expect([of('reservedNano'), of('uncertainNano'), of('settledNano')]).toEqual([0, inDoubt, charged]);
  const sum = { ...NO_MONEY, uncertainNano: inDoubt, settledNano: charged, settledLowNano: charged };
  for (const by of ['day', 'kind'] as const) expect(totals(store.read, by, {}).sum).toEqual(sum);
  expect(engine.status().doubt).toMatchObject({ count: inDoubt > 0 ? 1 : 0, nano: inDoubt });
}
const setPrice = ({ harness }: OneJob, dollars: number) =>
  openPriceBook(harness).set(harness.profile, [aPrice('video', dollars)], 'manual');
/** At other prices it stays in doubt at what was stated, and no less than these. */
function agreeAtPrices(one: OneJob, stated: number, prices: number[]) {
  for (const price of prices) {
    setPrice(one, price);
    agree(one, Math.max(stated, price));
  }
}
function settleAt({ id, commands }: OneJob, dollars: number) {
  expect(commands.settleDoubt(id, nano(dollars)).ok).toBe(true);
}

/** Accepted, and failed at the first poll. */
async function failed(stated?: StatedCost, options: JobOptions = {}) {
  const one = await aJob({ profile, submit: [acceptance(clock)], poll: [failing(stated)], ...options });
  await one.ends();
  return one;
}

describe('a failure that states a cost', () => {
  test.each<[string, SubmitOutcome, PollOutcome[]]>([
    ['at its end', acceptance(clock), [failing(stating(0.8))]],
    ['in an immediate refusal', { ...failing(stating(0.8)), type: 'refused' }, []],
    // xAI charges for what it made and then moderated.
    [
      'in a refusal of content',
      { type: 'refused', error: error({ kind: 'moderation', status: 400 }), billed: 'unknown', stated: stating(0.8) },
      [],
    ],
    [
      'at its acceptance, and nothing at its end',
      { ...acceptance(clock), stated: stating(0.8) },
      [failing(stating(0))],
    ],
    [
      'at its acceptance, and credits at its end',
      { ...acceptance(clock), stated: stating(0.8) },
      [failing({ by: 'credits', as: '35 credits' })],
    ],
  ])(
    'above the reservation, %s, is in doubt at the stated cost, and is settled by the bill',
    async (_, answer, poll) => {
      const one = await aJob({ profile, submit: [answer], poll });
      expect((await one.ends()).state).toBe('failed');
      expect(one.script.sent).toBe(1);
      expect(one.now().money).toMatchObject({ statedNano: nano(0.8), statedBy: 'usage.cost' });
      agree(one, 0.8);
      settleAt(one, 0.7);
      agree(one, 0, 0.7);
    },
  );

  test.each<[string, StatedCost, object]>([
    ['below the reservation', stating(0.3), { statedNano: nano(0.3) }],
    ['in units of its own', { by: 'creditsCost', as: '40 credits' }, { statedAs: '40 credits' }],
    ['that no job can have', stating(5_000), { note: expect.stringContaining('was expected') }],
  ])('%s keeps the reservation in doubt, and says so', async (_, stated, money) => {
    const one = await failed(stated);
    agree(one, 0.4);
    expect(one.now().money).toMatchObject(money);
    if (stated.nano === nano(5_000)) expect(one.now().money.statedNano).toBeUndefined();
  });

  test('at an unknown price is in doubt at the stated cost, and is no longer unpriced', async () => {
    const unpriced = { profile: { prices: [aPrice('image', 1)] } };
    expect((await failed(undefined, unpriced)).now().money).toMatchObject({ unpriced: true, uncertainNano: 0 });
    const one = await failed(stating(0.8), unpriced);
    expect(one.now().money.unpriced).toBeUndefined();
    agree(one, 0.8);
    agreeAtPrices(one, 0.8, [0.1, 1]);
  });

  test.each([
    ['above', 0.8],
    ['below', 0.3],
  ])('%s the reservation is never reduced below it by another price', async (_name, dollars) => {
    const one = await failed(stating(dollars));
    agreeAtPrices(one, dollars, [0.1, 0.05, 2, 0.5, 0.2]);
    settleAt(one, 0);
    agree(one, 0);
    setPrice(one, 3);
    agree(one, 0);
  });
});

describe('a job in doubt', () => {
  const lost = { ...lostAnswer, task: { id: 't', kind: 'video', acceptedAt: 0 } } as SubmitOutcome;
  const inDoubt = (outcome: SubmitOutcome) => aJob({ profile, state: 'uncertain', submit: [outcome] });

  test('that was accepted with a cost is canceled: the doubt covers it, and the poll that finds its result ends it', async () => {
    const submit = [{ ...acceptance(clock), stated: stating(0.8) } as SubmitOutcome];
    const one = await aJob({ profile, state: 'running', submit, poll: [{ type: 'running' }] });
    one.cancel();
    agree(one, 0.8);
    one.script.poll = [{ ...finished('gs://made/one.mp4'), stated: stating(0.5) }];
    one.coreEvents.emit('webhook.received', one.id);
    await one.charged();
    agree(one, 0, 0.5);
  });

  test('is looked up, and its failure states more: the doubt rises to that, as one attempt', async () => {
    const one = await inDoubt(lost);
    agree(one, 0.4);
    one.script.poll = [failing(stating(0.8))];
    await one.resolve('lookup');
    expect((await one.ends()).state).toBe('failed');
    agree(one, 0.8);
    agreeAtPrices(one, 0.8, [0.1, 1]);
  });

  test('whose lost answer states a cost is in doubt at it, and found not billed all of its doubt ends', async () => {
    const one = await inDoubt({ ...lost, stated: stating(0.8) } as SubmitOutcome);
    agree(one, 0.8);
    one.script.poll = [{ ...failing(), billed: 'no' }];
    await one.resolve('lookup');
    await one.ends();
    agree(one, 0);
  });

  /** That of an order with a task goes to a job of its own. */
  test.each([
    ['without a task', lostAnswer],
    ['with a task', lost],
  ])(
    '%s is sent again: the cost stated for it stays in doubt, at every price, and the second is charged',
    async (_, first) => {
      let made = '';
      const one = await aJob({
        profile,
        submit: [{ ...first, stated: stating(0.8) } as SubmitOutcome, acceptance(clock, 'second')],
        gateway: { poll: async ({ id }) => (id === made ? finished() : { type: 'running' }) },
      });
      await one.is('uncertain');
      await one.resolve('resend');
      await one.is('running');
      expect(one.sums()).toMatchObject({ reservedNano: nano(0.4), uncertainNano: nano(0.8) });
      setPrice(one, 0.1);
      expect(one.sums()).toMatchObject({ reservedNano: nano(0.1), uncertainNano: nano(0.8) });
      made = 'second';
      expect(await one.ends()).toMatchObject({ money: { chargedNano: nano(0.1) } });
      expect(one.sums()).toMatchObject({ reservedNano: 0, uncertainNano: nano(0.8), settledNano: nano(0.1) });
    },
  );
});

describe('a chat that failed or was cut off', () => {
  const request: StudioRequest = {
    kind: 'chat',
    model: 'language',
    messages: [{ role: 'user', content: 'Say hello.' }],
  };
  const cut = (stated: StatedCost): ChatOutcome => ({
    type: 'answered',
    complete: false,
    result: { text: 'Hel', finishReason: 'cut' },
    error: error({ kind: 'network', accepted: 'yes' }),
    stated,
  });
  const ended = (outcome: ChatOutcome) => aJob({ request, gateway: { chat: async () => outcome } });

  test('before its first word, and states a cost, is in doubt at that cost', async () => {
    agree(await ended({ ...failing(stating(0.8)), type: 'refused' }), 0.8);
  });

  test('and states a cost is charged at it', async () => {
    const { now } = await ended(cut(stating(0.8)));
    expect(now()).toMatchObject({ state: 'failed', money: { chargedNano: nano(0.8), uncertainNano: 0 } });
  });

  test.each([
    ['that no order costs', stating(5_000)],
    ['that is a part of it', { ...stating(0.8), part: true as const }],
    ['of nothing', stating(0)],
  ])('and states a cost %s is in doubt', async (_name, stated) => {
    const one = await ended(cut(stated));
    agree(one, one.now().money.estimateNano / 1e9);
  });
});
