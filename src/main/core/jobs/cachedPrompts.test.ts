import { expect, test } from 'vitest';
import type { EngineHarness } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { DOLLAR } from '../../../../test/helpers/nightHarness.ts';
import type { Usage } from '../../../shared/job.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import type { ChatOutcome, StatedCost } from '../gateway/index.ts';
import { sql } from '../store/index.ts';

/** What a service states for a prompt that was in its cache, or that it wrote there, beside the price book. */

const start = engineHarnesses();

/** $1.25 and $10 a million. */
const price = {
  kind: 'chat',
  model: 'openai/gpt-5',
  readings: [{ unit: 'token', inputNano: 1_250, outputNano: 10_000 }],
  settledReading: null,
  source: 'imported',
};
/** The same, with prices of its own for what is cached. */
const withOfCache = (ofCache: object) => ({
  ...price,
  readings: price.readings.map((own) => ({ ...own, ...ofCache })),
});
const profile = { limits: { contextTokens: 400_000, chatsAtOnce: 1 } };
const aChat: StudioRequest = {
  kind: 'chat',
  model: 'openai/gpt-5',
  messages: [{ role: 'user', content: 'x'.repeat(40_000) }],
};

const answer = (dollars: number | undefined, cached: Partial<Usage> = {}): ChatOutcome => {
  const stated: StatedCost | undefined =
    dollars === undefined ? undefined : { by: 'usage.cost', as: `${dollars} USD`, nano: Math.round(dollars * DOLLAR) };
  const usage = { promptTokens: 40_000, completionTokens: 800, totalTokens: 40_800, ...cached };
  const result = { text: 'x'.repeat(3_200), finishReason: 'stop', usage };
  return { type: 'answered', complete: true, result, ...(stated ? { stated } : {}) };
};

/** A chat with this answer; by the book it is $0.058. */
async function answered(
  outcome: ChatOutcome,
  { book = price, record }: { book?: typeof price; record?: StatedCost } = {},
) {
  const gateway = { chat: async () => outcome, recordedCost: async () => record };
  const harness = start({ profile: { ...profile, prices: [book] }, script: { gateway } });
  const { id } = await harness.enqueue(aChat);
  const job = await harness.untilEnd(id);
  return { harness, job };
}
const isStopped = (harness: EngineHarness) => harness.engine.priceMismatches.list().length > 0;

test.each<[string, number, Partial<Usage>, boolean]>([
  ['a tenth for what was cached', 0.0175, { cachedTokens: 36_000 }, false],
  ['nothing for what was cached', 0.013, { cachedTokens: 36_000 }, false],
  ['less than what was not cached', 0.012, { cachedTokens: 20_000 }, true],
  ['less, and nothing was cached', 0.0175, { cachedTokens: 0 }, true],
  ['less, and nobody says what was cached', 0.0175, {}, false],
  ['less than the answer alone, and nobody says', 0.05, { completionTokens: 20_000, totalTokens: 60_000 }, true],
  ['more than the whole prompt', 0.09, { cachedTokens: 36_000 }, true],
  ['more, and nobody says what was cached', 0.09, {}, true],
  ['twice for what was written', 0.103, { cachedTokens: 0, cacheWriteTokens: 36_000 }, false],
  ['more than twice', 0.15, { cachedTokens: 0, cacheWriteTokens: 36_000 }, true],
  // A prompt without its cached part, as in the form of Bedrock.
  ['what was cached besides the prompt', 0.108, { cachedTokens: 400_000 }, false],
])('%s: the model is stopped only by what the counts do not explain', async (_, dollars, cached, stops) => {
  const { harness, job } = await answered(answer(dollars, cached));
  expect(job.money).toMatchObject({ chargedNano: Math.round(dollars * DOLLAR) });
  expect(isStopped(harness)).toBe(stops);
});

test.each<[string, number, Partial<Usage>, boolean]>([
  ['all of it cached, and nobody says', 1.3, {}, false],
  ['less than all of it cached, and nobody says', 0.9, {}, true],
  ['what is counted as cached', 1.75, { cachedTokens: 36_000 }, false],
  ['less than what is counted as cached', 1.5, { cachedTokens: 36_000 }, true],
  // What was written to a cache did not come from it.
  ['the rest of it cached beside what was written, and nobody says', 5.35, { cacheWriteTokens: 36_000 }, false],
  ['less than what was written, and nobody says what was cached', 4, { cacheWriteTokens: 36_000 }, true],
  ['what is counted beside the prompt', 5.8, { cachedTokens: 400_000 }, false],
  ['less than the prompt, beside which the cache is counted', 1.3, { cachedTokens: 400_000 }, true],
])(
  'at a price for input from a cache, %s: a cost is stopped where it is below that',
  async (_, dollars, cached, stops) => {
    // $125 and $1,000 a million, and $12.50 from a cache.
    const book = withOfCache({ inputNano: 125_000, outputNano: 1_000_000, cachedNano: 12_500 });
    const { harness } = await answered(answer(dollars, cached), { book });
    expect(isStopped(harness)).toBe(stops);
  },
);

test('a cheaper price is adopted at what the answer shows, at a price for input from a cache', async () => {
  const book = withOfCache({ inputNano: 125_000, outputNano: 1_000_000, cachedNano: 12_500 });
  const { harness } = await answered(answer(0.65), { book });
  const [mismatch] = harness.engine.priceMismatches.list();
  // Half of what it costs with all of the prompt cached.
  const halves = { inputNano: 62_500_000_000, outputNano: 500_000_000_000, cachedNano: 6_250_000_000 };
  expect(mismatch?.adopts?.readings).toEqual([{ unit: 'token', ...halves, perTokens: 1_000_000 }]);
});

test('a cheaper price is adopted at no less than the answer shows, whatever was cached', async () => {
  const dearer = { ...price, readings: [{ unit: 'token', inputNano: 12_500, outputNano: 10_000 }] };
  // It costs $1.25 a million by now: 4,000 tokens in full, 36,000 for a tenth, and the answer.
  const { harness } = await answered(answer(0.0175, { cachedTokens: 36_000 }), { book: dearer });
  const [mismatch] = harness.engine.priceMismatches.list();
  const [reading] = mismatch?.adopts?.readings ?? [];
  if (reading?.unit !== 'token') throw new Error('nothing was stopped');
  // No cheaper than it is, and no dearer than it was.
  expect(reading.inputNano).toBeGreaterThanOrEqual(1_250_000_000);
  expect(reading.inputNano).toBeLessThan(12_500_000_000);
});

test('a cheaper price is adopted at no less than the answer alone shows, where nobody says what was cached', async () => {
  const { harness } = await answered(answer(0.05, { completionTokens: 20_000, totalTokens: 60_000 }));
  const [mismatch] = harness.engine.priceMismatches.list();
  expect(mismatch?.adopts?.readings).toEqual([
    { unit: 'token', inputNano: 312_500_000, outputNano: 2_500_000_000, perTokens: 1_000_000 },
  ]);
});

test('a dearer price is adopted as far as the answer shows it, also where a part was cached', async () => {
  const { harness } = await answered(answer(0.116, { cachedTokens: 10_000 }));
  const [mismatch] = harness.engine.priceMismatches.list();
  expect(mismatch?.adopts?.readings).toEqual([
    { unit: 'token', inputNano: 2_500_000_000, outputNano: 20_000_000_000, perTokens: 1_000_000 },
  ]);
});

test('where no cost is stated, what was cached is charged at its own price', async () => {
  const book = withOfCache({ cachedNano: 125 });
  const { job } = await answered(answer(undefined, { cachedTokens: 36_000 }), { book });
  expect(job.money).toMatchObject({ chargedNano: 17_500_000, chargedLowNano: 17_500_000, uncertainNano: 0 });
});

test('where no cost is stated, what was written to a cache is charged at its own price, or as other input', async () => {
  const written = answer(undefined, { cachedTokens: 2_000, cacheWriteTokens: 36_000 });
  const { job } = await answered(written, { book: withOfCache({ cacheWriteNano: 1_500 }) });
  expect(job.money).toMatchObject({ chargedNano: 67_000_000, chargedLowNano: 67_000_000, uncertainNano: 0 });
  const plain = await answered(written);
  expect(plain.job.money).toMatchObject({ chargedNano: 58_000_000 });
});

test.each<[string, number, Partial<Usage>, boolean]>([
  ['at the price of the book', 3.1, { cachedTokens: 0 }, false],
  ['below that', 2.5, { cachedTokens: 0 }, true],
  ['with the rest cached, where nobody says', 2.65, {}, false],
  ['below that, where nobody says', 2.4, {}, true],
])('a cost %s is held against a cheap price of what is written', async (_, dollars, cached, stops) => {
  const figures = { inputNano: 125_000, outputNano: 1_000_000, cachedNano: 12_500, cacheWriteNano: 50_000 };
  const written = answer(dollars, { ...cached, cacheWriteTokens: 36_000 });
  const { harness } = await answered(written, { book: withOfCache(figures) });
  expect(isStopped(harness)).toBe(stops);
});

test('a cost at the price of the book stops nothing, however dear that of what is written is', async () => {
  const written = answer(0.193, { cachedTokens: 0, cacheWriteTokens: 36_000 });
  const { harness } = await answered(written, { book: withOfCache({ cacheWriteNano: 5_000 }) });
  expect(isStopped(harness)).toBe(false);
});

test('a cost that the record of the service states later is compared in the same way', async () => {
  const record = { by: 'totalCost', as: '0.0175 USD', nano: 17_500_000 };
  const silent = { ...answer(undefined, { cachedTokens: 36_000 }), remoteId: 'gen-3bhGkxlo4XFrqiabUM7NDtwDzWwG' };
  const { harness, job } = await answered(silent, { record });
  expect(job.money).toMatchObject({ chargedNano: 58_000_000 });
  await harness.clock.advance(10_000);
  expect(harness.job(job.id).money).toMatchObject({ chargedNano: 17_500_000 });
  expect(isStopped(harness)).toBe(false);
});

/** Stopped by an earlier version, which kept no count of a cache. */
async function stoppedBefore() {
  const { harness, job } = await answered(answer(0.0175, { cachedTokens: 0 }));
  const [mismatch] = harness.engine.priceMismatches.list();
  const forget = () =>
    harness.store.transaction((db) => {
      const quantity = JSON.stringify({ inputTokens: 40_000, outputTokens: 800 });
      db.run(sql('test.forget', 'UPDATE jobs SET quantity = $quantity WHERE id = $id'), { id: job.id, quantity });
    });
  const { priceMismatches } = harness.engine;
  const resolve = (as: 'adopt' | 'dispute') => priceMismatches.resolve(mismatch?.id ?? '', as);
  return { forget, resolve, money: () => harness.job(job.id).money, shown: () => priceMismatches.list()[0] };
}

test('a dispute that began before caches were counted ends with what is stated', async () => {
  const { forget, resolve, money } = await stoppedBefore();
  expect(resolve('dispute')).toMatchObject({ ok: true });
  expect(money()).toMatchObject({ chargedNano: 58_000_000 });
  forget();
  expect(resolve('adopt')).toMatchObject({ ok: true });
  expect(money()).toMatchObject({ chargedNano: 17_500_000, chargedLowNano: 17_500_000, uncertainNano: 0 });
});

test('a price that stopped before caches were counted is disputed for the job that stopped it', async () => {
  const { forget, resolve, money } = await stoppedBefore();
  forget();
  expect(resolve('dispute')).toMatchObject({ ok: true });
  expect(money()).toMatchObject({ chargedNano: 58_000_000 });
});

test('no price is made of what the price allows, where nobody counted what was cached', async () => {
  const { forget, resolve, shown } = await stoppedBefore();
  expect([shown()?.keeps, shown()?.adopts?.readings.length]).toEqual([undefined, 1]);
  forget();
  expect([shown()?.keeps, shown()?.adopts]).toEqual([true, undefined]);
  expect(resolve('adopt')).toMatchObject({ ok: true, data: { state: 'adopted' } });
});
