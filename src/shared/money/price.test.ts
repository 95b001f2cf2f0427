import { describe, expect, test } from 'vitest';
import { priceKindOf, quantityOf } from '../kinds/index.ts';
import { costOf, isSettled, type Price, priceFor } from './price.ts';

function known(...asked: Parameters<typeof priceFor>): Price {
  const price = priceFor(...asked);
  if (!price) throw new Error('its price is not known');
  return price;
}

test('something without a price has none: it is not free', () => {
  expect(priceFor([], priceKindOf('imagine'), undefined)).toBeUndefined();
  expect(priceFor([], priceKindOf('edit'), undefined)).toBeUndefined();
});

test('a price in a unit that the thing is not counted in is none: it is not nothing', () => {
  const token = { unit: 'token' as const, inputNano: 270, outputNano: 1_080 };
  const perToken = { kind: 'image' as const, model: '*', readings: [token], settledReading: null, source: 'a list' };
  expect(priceFor([perToken], priceKindOf('imagine'), undefined)).toBeUndefined();
  const both: Price = { ...perToken, readings: [token, { unit: 'image', nano: 40_000_000 }] };
  expect(costOf(known([both], priceKindOf('edit'), undefined), { images: 1 })).toEqual({
    nano: 40_000_000,
    lowNano: 40_000_000,
  });
  expect(priceFor([{ ...both, settledReading: 0 }], priceKindOf('edit'), undefined)).toBeUndefined();
});

test('an unsettled video price reserves the higher interpretation and keeps the lower one', () => {
  const price = known([], 'video', 'video-standard');
  expect(costOf(price, { seconds: 8, videos: 1 })).toEqual({ nano: 3_200_000_000, lowNano: 400_000_000 });
  expect(costOf({ ...price, settledReading: 1 }, { seconds: 8, videos: 1 })).toEqual({
    nano: 400_000_000,
    lowNano: 400_000_000,
  });
});

test('tokens are priced by the listing of the specification', () => {
  const price = known([], 'chat', 'anything');
  expect(costOf(price, { inputTokens: 1_000_000, outputTokens: 500_000 })).toEqual({
    nano: 810_000_000,
    lowNano: 395_000_000,
  });
});

describe('tokens of a cache are priced by their own figures, as far as they were counted in the prompt', () => {
  const cache = { cachedNano: 300, cacheWriteNano: 3_750 };
  const nano = (counts: object, figures: object = cache) => {
    const reading = { unit: 'token' as const, inputNano: 3_000, outputNano: 15_000, ...figures };
    const price: Price = { kind: 'chat', model: 'm', readings: [reading], settledReading: null, source: 'a list' };
    return costOf(price, { inputTokens: 40_000, outputTokens: 800, ...counts }).nano;
  };

  test.each([
    [{}, 132_000_000],
    [{ cachedTokens: 0, cacheWriteTokens: 0 }, 132_000_000],
    [{ cachedTokens: 36_000 }, 34_800_000],
    [{ cachedTokens: 40_000 }, 24_000_000],
    [{ cacheWriteTokens: 36_000 }, 159_000_000],
    [{ cachedTokens: 30_000, cacheWriteTokens: 6_000 }, 55_500_000],
    // More than the whole prompt counts separately: it is unknown which part of the prompt was cached.
    [{ cachedTokens: 40_001 }, 132_000_000],
    [{ cachedTokens: 30_000, cacheWriteTokens: 10_001 }, 132_000_000],
  ])('%j costs %d', (counts, cost) => expect(nano(counts)).toBe(cost));

  test.each(['cachedTokens', 'cacheWriteTokens'])('without a figure, %s cost what other input does', (count) =>
    expect(nano({ [count]: 36_000 }, {})).toBe(132_000_000),
  );
});

test('a video model of unknown variant may be the more expensive one', () => {
  const unknown = costOf(known([], 'video', 'vidgen-3'), { seconds: 4, videos: 1 });
  expect(unknown).toEqual({ nano: 8_000_000_000, lowNano: 400_000_000 });
  expect(costOf(known([], 'video', 'vidgen-3-pro-preview'), { seconds: 4, videos: 1 }).nano).toBe(8_000_000_000);
  expect(costOf(known([], 'video', 'vidgen-3-fast'), { seconds: 4, videos: 1 }).nano).toBe(1_600_000_000);
});

test('a video model of unknown variant stays between both prices when one of them is settled', () => {
  const settled = (model: string, settledReading: number): Price => ({ ...known([], 'video', model), settledReading });
  const cost = (...book: Price[]) => costOf(known(book, 'video', 'vidgen-3'), { seconds: 8, videos: 1 });
  const [pro, standard] = [settled('video-pro', 1), settled('video-standard', 0)];
  expect(cost(pro)).toEqual({ nano: 3_200_000_000, lowNano: 400_000_000 });
  expect(isSettled(known([pro], 'video', 'vidgen-3'))).toBe(false);
  expect(cost(standard)).toEqual({ nano: 16_000_000_000, lowNano: 2_000_000_000 });
  expect(cost(pro, standard)).toEqual({ nano: 3_200_000_000, lowNano: 2_000_000_000 });
});

test("the user's own entry counts before the specification's", () => {
  const own: Price = {
    kind: 'image',
    model: '*',
    readings: [{ unit: 'image', nano: 50_000_000 }],
    settledReading: null,
    source: 'set by you',
  };
  expect(costOf(known([own], priceKindOf('edit'), undefined), { images: 1 })).toEqual({
    nano: 50_000_000,
    lowNano: 50_000_000,
  });
});

test('the reservation of a chat covers every token it can come to', () => {
  const { inputTokens = 0, outputTokens } = quantityOf(
    { kind: 'chat', model: 'm', messages: [{ role: 'user', content: '日本語 ok' }] },
    4_096,
  );
  expect(inputTokens).toBeGreaterThanOrEqual('日本語 ok'.length);
  expect(outputTokens).toBe(4_096);
});

test('every clip at its full length is reserved; an extension is seven seconds', () => {
  const request = { kind: 'video' as const, model: 'm', prompt: 'x' };
  expect(quantityOf({ ...request, config: { durationSeconds: 6, sampleCount: 3 } }, 0)).toEqual({
    seconds: 18,
    videos: 3,
  });
  expect(quantityOf({ ...request, video: { uri: 'gs://x' } }, 0)).toEqual({ seconds: 7, videos: 1 });
  expect(quantityOf(request, 0)).toEqual({ seconds: 8, videos: 1 });
});
