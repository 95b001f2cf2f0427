import { expect, it } from 'vitest';
import type { PriceInterpretation } from '../../shared/money/price.ts';
import { wordsOfReading } from './wordsOfReading.ts';

it.each<[string, object, string]>([
  ['nothing at all', {}, 'Free'],
  ['fine figures', { inputNano: 37_500_000, outputNano: 150_000_000, perTokens: 1_000_000 }, '$0.0375 in, $0.15 out'],
  [
    'each part',
    { inputNano: 1_250, outputNano: 10_000, cachedNano: 125, requestNano: 5_000_000 },
    '$1.25 in, $10.00 out, $0.125 cached, $0.0050 per request',
  ],
  ['nothing, and no more for a cache', { cachedNano: 0, cacheWriteNano: 0 }, 'Free'],
  ['what is written to a cache', { cacheWriteNano: 3_750 }, '$0.00 in, $0.00 out, $3.75 cache writes'],
  ['each request', { requestNano: 10_000_000 }, '$0.01 per request'],
  [
    'both',
    { cacheWriteNano: 3_750, requestNano: 10_000_000 },
    '$0.00 in, $0.00 out, $3.75 cache writes, $0.01 per request',
  ],
])('a price of %s', (_, more, words) => {
  const reading: PriceInterpretation = { unit: 'token', inputNano: 0, outputNano: 0, ...more };
  expect(wordsOfReading(reading)).toBe(words);
});

it('a price of a clip is said with its unit', () => {
  expect(wordsOfReading({ unit: 'video', nano: 2e9 })).toBe('$2.00 per video');
});
