import { expect, test } from 'vitest';
import { error, startEngine } from '../../../../../test/helpers/engineHarness.ts';
import { engineHarnesses, type JobOptions, jobsOfThisFile } from '../../../../../test/helpers/engineHarnesses.ts';
import { aPrice } from '../../../../../test/helpers/prices.ts';
import type { StudioRequest } from '../../../../shared/kinds/index.ts';
import type { ChatOutcome, StatedCost } from '../../gateway/index.ts';

const start = engineHarnesses();
const aJob = jobsOfThisFile(start);

const request: StudioRequest = { kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'Say hello.' }] };
const answer = { type: 'answered' as const, remoteId: 'gen-3bhGkxlo4XFrqiabUM7NDtwDzWwG' };
const cut: ChatOutcome = {
  ...answer,
  complete: false,
  result: { text: 'Hel', finishReason: 'cut' },
  error: error({ kind: 'network', accepted: 'yes' }),
};
const whole: ChatOutcome = { ...answer, complete: true, result: { text: 'Hello', finishReason: 'stop' } };
const record: StatedCost = { by: 'totalCost', as: '0.0015 USD', nano: 1_500_000 };
const CHARGED = { chargedNano: 1_500_000, uncertainNano: 0 };
/** A price per image says nothing about the cost of a chat. */
const unpriced = { prices: [aPrice('image', 1, { kind: 'chat', model: 'language' })] };

/** The record of a generation exists from the given lookup on. */
function serving(outcome: ChatOutcome, stated: StatedCost | undefined, from = 0) {
  const asked: string[] = [];
  const recordedCost = async (id: string) => {
    asked.push(id);
    return asked.length > from ? stated : undefined;
  };
  return { asked, gateway: { chat: async () => outcome, recordedCost } };
}
async function answered(
  outcome: ChatOutcome,
  stated?: StatedCost,
  { from = 0, ...options }: JobOptions & { from?: number } = {},
) {
  const { asked, gateway } = serving(outcome, stated, from);
  return { ...(await aJob({ request, gateway, ...options })), asked };
}

test('the cost in doubt of an answer that was cut off is settled by the service’s record', async () => {
  const { id, asked, clock, now, entriesOf } = await answered(cut, record, { from: 1 });
  expect(now()).toMatchObject({ state: 'failed', money: { chargedNano: 0 } });
  expect(now().money.uncertainNano).toBeGreaterThan(0);
  await clock.advance(40_000);
  expect(asked).toEqual([answer.remoteId, answer.remoteId]);
  expect(now().money).toMatchObject({ ...CHARGED, statedNano: 1_500_000, statedBy: 'totalCost' });
  expect(entriesOf(id).at(-1)).toMatchObject({ type: 'bill', note: 'as the record of the service says' });
});

test('a charge by the price book is corrected to the record, and no entry is rewritten', async () => {
  const { id, clock, now, entriesOf } = await answered(whole, record);
  const before = entriesOf(id);
  await clock.advance(10_000);
  expect(now().money).toMatchObject({ ...CHARGED, chargedLowNano: 1_500_000 });
  expect(entriesOf(id)).toEqual([...before, expect.objectContaining({ type: 'correction' })]);
});

test('a cut answer of unknown price is looked up too', async () => {
  const { clock, now, sums } = await answered(cut, record, { profile: unpriced });
  expect(now().money).toMatchObject({ unpriced: true, chargedNano: 0 });
  await clock.advance(10_000);
  expect(now().money).toMatchObject(CHARGED);
  expect(now().money.unpriced).toBeUndefined();
  expect(sums()).toMatchObject({ settledNano: 1_500_000, unpriced: 0 });
});

test.each([
  ['known', {}],
  ['unknown', unpriced],
])(
  'without a record there are three lookups; a restart looks up what is in doubt, at a price that is %s',
  async (_, profile) => {
    const { id, asked, clock, dataDir, close } = await answered(cut, undefined, { profile, open: startEngine });
    await clock.advance(3_600_000);
    expect(asked).toHaveLength(3);
    await close();
    const next = start({ script: { gateway: serving(cut, record).gateway }, dataDir, clock, profile });
    await clock.advance(10_000);
    expect(next.job(id).money).toMatchObject(CHARGED);
  },
);

test('a record that differs from the price book blocks the price, like an answer that states the cost', async () => {
  const dear = { by: 'totalCost', as: '0.5 USD', nano: 500_000_000 };
  const { id, clock, engine } = await answered(whole, dear);
  await clock.advance(10_000);
  expect(engine.priceMismatches.list()).toMatchObject([{ jobId: id, statedNano: 500_000_000 }]);
});

test.each<[string, ChatOutcome]>([
  ['an answer with a stated cost', { ...whole, stated: { by: 'usage.cost', as: '0.001 USD', nano: 1_000_000 } }],
  ['one of a service without records', { ...cut, remoteId: 'chatcmpl-1' }],
])('%s is not looked up', async (_, outcome) => {
  const { asked, clock } = await answered(outcome, record);
  await clock.advance(600_000);
  expect(asked).toEqual([]);
});
