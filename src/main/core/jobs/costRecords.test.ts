import { expect, test } from 'vitest';
import { type EngineHarness, error, type Script, startEngine } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import type { ChatOutcome, StatedCost } from '../gateway/index.ts';
import { entries, totals } from '../ledger/index.ts';

const start = engineHarnesses();

const aChat: StudioRequest = { kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'Say hello.' }] };
const result = { text: 'Hel', finishReason: 'cut' };
const cut: ChatOutcome = {
  type: 'answered',
  complete: false,
  remoteId: 'gen-3bhGkxlo4XFrqiabUM7NDtwDzWwG',
  result,
  error: error({ kind: 'network', accepted: 'yes' }),
};
const whole: ChatOutcome = { ...cut, complete: true, result: { text: 'Hello', finishReason: 'stop' } };
delete (whole as { error?: unknown }).error;

/** The record of a generation exists from the given lookup on. */
function serving(outcome: ChatOutcome, stated: StatedCost | undefined, from = 0) {
  const asked: string[] = [];
  const gateway: Script['gateway'] = {
    chat: async () => outcome,
    recordedCost: async (id) => {
      asked.push(id);
      return asked.length > from ? stated : undefined;
    },
  };
  return { asked, gateway };
}
const record: StatedCost = { by: 'totalCost', as: '0.0015 USD', nano: 1_500_000 };
const lines = (harness: EngineHarness, jobId: string) =>
  entries(harness.store.read, { limit: 100, jobId }).entries.reverse();

test('the cost in doubt of an answer that was cut off is settled by the service’s record', async () => {
  const { asked, gateway } = serving(cut, record, 1);
  const harness = start({ script: { gateway } });
  const { id } = await harness.enqueue(aChat);
  expect(harness.job(id)).toMatchObject({ state: 'failed', money: { chargedNano: 0 } });
  expect(harness.job(id).money.uncertainNano).toBeGreaterThan(0);
  await harness.clock.advance(40_000);
  expect(asked).toEqual([cut.remoteId, cut.remoteId]);
  expect(harness.job(id).money).toMatchObject({
    chargedNano: 1_500_000,
    uncertainNano: 0,
    statedNano: 1_500_000,
    statedBy: 'totalCost',
  });
  expect(lines(harness, id).at(-1)).toMatchObject({ type: 'bill', note: 'as the record of the service says' });
});

test('a charge by the price book is corrected to the record, and no entry is rewritten', async () => {
  const { gateway } = serving(whole, record);
  const harness = start({ script: { gateway } });
  const { id } = await harness.enqueue(aChat);
  const before = lines(harness, id);
  await harness.clock.advance(10_000);
  expect(harness.job(id).money).toMatchObject({ chargedNano: 1_500_000, chargedLowNano: 1_500_000 });
  expect(lines(harness, id).slice(0, -1)).toEqual(before);
  expect(lines(harness, id).at(-1)).toMatchObject({ type: 'correction' });
});

/** A price per image says nothing about the cost of a chat. */
const readings = [{ unit: 'image' as const, nano: 1 }];
const profile = { prices: [{ kind: 'chat', model: 'language', readings, settledReading: 0, source: 'x' }] };

test('a cut answer of unknown price is looked up too, also after a restart', async () => {
  const { gateway } = serving(cut, record);
  const harness = start({ script: { gateway }, profile });
  const { id } = await harness.enqueue(aChat);
  expect(harness.job(id).money).toMatchObject({ unpriced: true, chargedNano: 0 });
  await harness.clock.advance(10_000);
  expect(harness.job(id).money).toMatchObject({ chargedNano: 1_500_000, uncertainNano: 0 });
  expect(harness.job(id).money.unpriced).toBeUndefined();
  expect(totals(harness.store.read, 'kind', {}).sum).toMatchObject({ settledNano: 1_500_000, unpriced: 0 });

  const dead = startEngine({ script: { gateway: serving(cut, undefined).gateway }, profile });
  const lost = await dead.enqueue(aChat);
  await dead.clock.advance(3_600_000);
  await dead.close();
  const options = { script: { gateway }, dataDir: dead.dataDir, clock: dead.clock, profile };
  const again = start(options);
  await again.clock.advance(10_000);
  expect(again.job(lost.id).money).toMatchObject({ chargedNano: 1_500_000, uncertainNano: 0 });
});

test('a record that differs from the price book blocks the price, like an answer that states the cost', async () => {
  const { gateway } = serving(whole, { by: 'totalCost', as: '0.5 USD', nano: 500_000_000 });
  const harness = start({ script: { gateway } });
  const { id } = await harness.enqueue(aChat);
  await harness.clock.advance(10_000);
  expect(harness.engine.priceMismatches.list()).toMatchObject([{ jobId: id, statedNano: 500_000_000 }]);
});

test('an answer with a stated cost, and one of a service without records, is not looked up', async () => {
  for (const outcome of [
    { ...whole, stated: { by: 'usage.cost', as: '0.001 USD', nano: 1_000_000 } },
    { ...cut, remoteId: 'chatcmpl-1' },
  ]) {
    const { asked, gateway } = serving(outcome, record);
    const harness = start({ script: { gateway } });
    await harness.enqueue(aChat);
    await harness.clock.advance(600_000);
    expect(asked).toEqual([]);
  }
});

test('without a record there are three lookups; a restart looks up what is in doubt', async () => {
  const first = serving(cut, undefined);
  const dead = startEngine({ script: { gateway: first.gateway } });
  const { id } = await dead.enqueue(aChat);
  await dead.clock.advance(3_600_000);
  expect(first.asked).toHaveLength(3);
  await dead.close();
  const second = serving(cut, record);
  const harness = start({ script: { gateway: second.gateway }, dataDir: dead.dataDir, clock: dead.clock });
  await harness.clock.advance(10_000);
  expect(harness.job(id).money).toMatchObject({ chargedNano: 1_500_000, uncertainNano: 0 });
});
