import { expect, it } from 'vitest';
import type { PriceInterpretation } from '../../shared/price.ts';
import { wordsOfReading } from './wordsOfReading.ts';

it.each<[string, object, string]>([
  ['nothing at all', {}, 'free'],
  ['nothing, and no more for a cache', { cachedNano: 0, cacheWriteNano: 0 }, 'free'],
  ['what is written to a cache', { cacheWriteNano: 3_750 }, '0.00 in, 0.00 out, 3.75 cache writes'],
  ['each request', { requestNano: 10_000_000 }, '$0.01 per request'],
  [
    'both',
    { cacheWriteNano: 3_750, requestNano: 10_000_000 },
    '0.00 in, 0.00 out, 3.75 cache writes, $0.01 per request',
  ],
])('a price of %s', (_, more, words) => {
  const reading: PriceInterpretation = { unit: 'token', inputNano: 0, outputNano: 0, ...more };
  expect(wordsOfReading(reading)).toBe(words);
});
