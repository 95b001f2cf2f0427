import { expect, test } from 'vitest';
import { jobsOfThisFile } from '../../../../test/helpers/engineHarnesses.ts';
import { nano, stating } from '../../../../test/helpers/prices.ts';
import type { Usage } from '../../../shared/jobs/job.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import type { ChatOutcome, StatedCost } from '../gateway/index.ts';
import { sql } from '../store/index.ts';

/** What a service states for a prompt that was in its cache, or that it wrote there, beside the price book. */

const aJob = jobsOfThisFile();

/** $1.25 and $10 a million; with prices of its own for what is cached. */
const book = (ofCache: object = {}) => ({
  kind: 'chat',
  model: 'openai/gpt-5',
  readings: [{ unit: 'token', inputNano: 1_250, outputNano: 10_000, ...ofCache }],
  settledReading: null,
  source: 'imported',
});
/** $125 and $1,000 a million, and $12.50 from a cache. */
const DEAR = { inputNano: 125_000, outputNano: 1_000_000, cachedNano: 12_500 };
const limits = { contextTokens: 400_000, chatsAtOnce: 1 };
const request: StudioRequest = {
  kind: 'chat',
  model: 'openai/gpt-5',
  messages: [{ role: 'user', content: 'x'.repeat(40_000) }],
};

/** A chat with this usage, for which this is stated, and later on the record of the service; by the book it is $0.058. */
async function answered(
  dollars: number | undefined,
  counts: Partial<Usage> = {},
  { ofCache, record, remoteId }: { ofCache?: object; record?: StatedCost; remoteId?: string } = {},
) {
  const usage = { promptTokens: 40_000, completionTokens: 800, totalTokens: 40_800, ...counts };
  const outcome: ChatOutcome = {
    type: 'answered',
    complete: true,
    result: { text: 'x'.repeat(3_200), finishReason: 'stop', usage },
    ...(dollars === undefined ? {} : { stated: stating(dollars) }),
    ...(remoteId ? { remoteId } : {}),
  };
  const gateway = { chat: async () => outcome, recordedCost: async () => record };
  const one = await aJob({ request, gateway, profile: { limits, prices: [book(ofCache)] } });
  const { money } = await one.ends();
  const mismatches = () => one.engine.priceMismatches.list();
  return { ...one, money, mismatches, adopts: () => mismatches()[0]?.adopts?.readings };
}
const adopted = (inputNano: number, outputNano: number, more: object = {}) => [
  { unit: 'token', inputNano, outputNano, ...more, perTokens: 1_000_000 },
];

test.each<[string, number, Partial<Usage>, boolean, object?]>([
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
  ['all of it cached, and nobody says', 1.3, {}, false, DEAR],
  ['less than all of it cached, and nobody says', 0.9, {}, true, DEAR],
  ['what is counted as cached', 1.75, { cachedTokens: 36_000 }, false, DEAR],
  ['less than what is counted as cached', 1.5, { cachedTokens: 36_000 }, true, DEAR],
  // What was written to a cache did not come from it.
  ['the rest of it cached beside what was written, and nobody says', 5.35, { cacheWriteTokens: 36_000 }, false, DEAR],
  ['less than what was written, and nobody says what was cached', 4, { cacheWriteTokens: 36_000 }, true, DEAR],
  ['what is counted beside the prompt', 5.8, { cachedTokens: 400_000 }, false, DEAR],
  ['less than the prompt, beside which the cache is counted', 1.3, { cachedTokens: 400_000 }, true, DEAR],
  // Against a cheap price of what is written.
  [
    'the price of the book',
    3.1,
    { cachedTokens: 0, cacheWriteTokens: 36_000 },
    false,
    { ...DEAR, cacheWriteNano: 50_000 },
  ],
  ['below that', 2.5, { cachedTokens: 0, cacheWriteTokens: 36_000 }, true, { ...DEAR, cacheWriteNano: 50_000 }],
  [
    'the rest cached, where nobody says',
    2.65,
    { cacheWriteTokens: 36_000 },
    false,
    { ...DEAR, cacheWriteNano: 50_000 },
  ],
  ['below that, where nobody says', 2.4, { cacheWriteTokens: 36_000 }, true, { ...DEAR, cacheWriteNano: 50_000 }],
  // However dear that of what is written is.
  ['the price of the book', 0.193, { cachedTokens: 0, cacheWriteTokens: 36_000 }, false, { cacheWriteNano: 5_000 }],
])('%s: the model is stopped only by what the counts do not explain', async (_, dollars, counts, stops, ofCache) => {
  const { money, mismatches } = await answered(dollars, counts, ofCache ? { ofCache } : {});
  expect(money).toMatchObject({ chargedNano: nano(dollars) });
  expect(mismatches().length > 0).toBe(stops);
});

const longAnswer = { completionTokens: 20_000, totalTokens: 60_000 };
test.each<[string, number, Partial<Usage>, object[], object?]>([
  [
    'cheaper, half of what it costs with all of the prompt cached',
    0.65,
    {},
    adopted(62_500_000_000, 500_000_000_000, { cachedNano: 6_250_000_000 }),
    DEAR,
  ],
  ['cheaper, at no less than the answer alone shows', 0.05, longAnswer, adopted(312_500_000, 2_500_000_000)],
  ['dearer, as far as the answer shows it', 0.116, { cachedTokens: 10_000 }, adopted(2_500_000_000, 20_000_000_000)],
])('a price is adopted that is %s', async (_, dollars, counts, readings, ofCache) => {
  const { adopts } = await answered(dollars, counts, ofCache ? { ofCache } : {});
  expect(adopts()).toEqual(readings);
});

test('a cheaper price is adopted at no less than the answer shows, whatever was cached', async () => {
  // It costs $1.25 a million by now: 4,000 tokens in full, 36,000 for a tenth, and the answer.
  const { adopts } = await answered(0.0175, { cachedTokens: 36_000 }, { ofCache: { inputNano: 12_500 } });
  const [reading] = adopts() ?? [];
  if (reading?.unit !== 'token') throw new Error('nothing was stopped');
  // No cheaper than it is, and no dearer than it was.
  expect(reading.inputNano).toBeGreaterThanOrEqual(1_250_000_000);
  expect(reading.inputNano).toBeLessThan(12_500_000_000);
});

test.each<[string, Partial<Usage>, object, number]>([
  ['cached is charged at its own price', { cachedTokens: 36_000 }, { cachedNano: 125 }, 17_500_000],
  [
    'written to a cache is charged at its own price',
    { cachedTokens: 2_000, cacheWriteTokens: 36_000 },
    { cacheWriteNano: 1_500 },
    67_000_000,
  ],
  ['written is else as other input', { cachedTokens: 2_000, cacheWriteTokens: 36_000 }, {}, 58_000_000],
])('where no cost is stated, what was %s', async (_, counts, ofCache, charged) => {
  const { money } = await answered(undefined, counts, { ofCache });
  expect(money).toMatchObject({ chargedNano: charged, chargedLowNano: charged, uncertainNano: 0 });
});

test('a cost that the record of the service states later is compared in the same way', async () => {
  const record = { by: 'totalCost', as: '0.0175 USD', nano: 17_500_000 };
  const remoteId = 'gen-3bhGkxlo4XFrqiabUM7NDtwDzWwG';
  const { clock, money, now, mismatches } = await answered(undefined, { cachedTokens: 36_000 }, { record, remoteId });
  expect(money).toMatchObject({ chargedNano: 58_000_000 });
  await clock.advance(10_000);
  expect(now().money).toMatchObject({ chargedNano: 17_500_000 });
  expect(mismatches()).toEqual([]);
});

/** Stopped by an earlier version, which kept no count of a cache. */
async function stoppedBefore() {
  const { id, engine, store, now } = await answered(0.0175, { cachedTokens: 0 });
  const { priceMismatches } = engine;
  const [mismatch] = priceMismatches.list();
  const quantity = JSON.stringify({ inputTokens: 40_000, outputTokens: 800 });
  const forgotten = sql('test.forget', 'UPDATE jobs SET quantity = $quantity WHERE id = $id');
  return {
    forget: () => store.transaction((db) => db.run(forgotten, { id, quantity })),
    resolve: (as: 'adopt' | 'dispute') => priceMismatches.resolve(mismatch?.id ?? '', as),
    money: () => now().money,
    shown: () => priceMismatches.list()[0],
  };
}

test.each(['before', 'after'])(
  'a dispute that began %s caches were counted is of the job that stopped it, and ends with what is stated',
  async (when) => {
    const { forget, resolve, money } = await stoppedBefore();
    if (when === 'after') forget();
    expect(resolve('dispute')).toMatchObject({ ok: true });
    expect(money()).toMatchObject({ chargedNano: 58_000_000 });
    if (when === 'before') forget();
    expect(resolve('adopt')).toMatchObject({ ok: true });
    expect(money()).toMatchObject({ chargedNano: 17_500_000, chargedLowNano: 17_500_000, uncertainNano: 0 });
  },
);

test('no price is made of what the price allows, where nobody counted what was cached', async () => {
  const { forget, resolve, shown } = await stoppedBefore();
  expect([shown()?.keeps, shown()?.adopts?.readings.length]).toEqual([undefined, 1]);
  forget();
  expect([shown()?.keeps, shown()?.adopts]).toEqual([true, undefined]);
  expect(resolve('adopt')).toMatchObject({ ok: true, data: { state: 'adopted' } });
});
