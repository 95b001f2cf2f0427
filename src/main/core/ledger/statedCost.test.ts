import { describe, expect, test } from 'vitest';
import { DOLLAR, perSecondOrVideo } from '../../../../test/helpers/ledgerHarness.ts';
import { costOf, type Price } from '../../../shared/money/price.ts';
import { acceptStatedCost } from './index.ts';
import { differsFromBook, priceFromStatedCost } from './statedCost.ts';

/** How far a stated cost that contradicts the price book is accepted, and which price follows from it. */

const CENT = DOLLAR / 100;

describe('a stated cost', () => {
  const accepted = (nano: number, estimate: number) => acceptStatedCost({ nano, by: 'usage.cost' }, estimate);

  test.each([0, -1])('of %d means nothing: the book decides, and nothing is reported', (nano) => {
    expect(accepted(nano, DOLLAR)).toEqual({});
  });

  test.each([
    ['$10 beside a small estimate', 10 * DOLLAR, 1, true],
    ['a nano-dollar more than $10 beside a small estimate', 10 * DOLLAR + 1, 1, false],
    ['a hundred times the estimate', 100 * DOLLAR, DOLLAR, true],
    ['more than a hundred times the estimate', 100 * DOLLAR + 1, DOLLAR, false],
    ['$10 where nobody knows the price', 10 * DOLLAR, 0, true],
    ['more than $10 where nobody knows the price', 10 * DOLLAR + 1, 0, false],
  ])('of %s', (_, nano, estimate, isBelieved) => {
    const { chargeNano, rejectedBecause } = accepted(nano, estimate);
    expect([chargeNano, rejectedBecause !== undefined]).toEqual(isBelieved ? [nano, false] : [undefined, true]);
  });

  test('that is not believed is reported with the expected cost', () => {
    expect(accepted(200 * DOLLAR, DOLLAR).rejectedBecause).toBe(
      'The answer states $200.00 (usage.cost); at most $1.00 was expected. The price book is used instead.',
    );
    expect(accepted(200 * DOLLAR, 0).rejectedBecause).toContain('at most $10.00 was expected');
  });
});

describe('the price book does not allow', () => {
  const differs = (stated: number, nano: number, lowNano = nano) => differsFromBook(stated, { nano, lowNano });

  test.each([
    ['a small cost', 1 * CENT, 2 * CENT],
    ['a dear one', 10 * DOLLAR, 50 * CENT],
  ])('%s: more than the tolerance above the dearest or below the cheapest interpretation', (_, cost, allowed) => {
    const low = cost * 2;
    const high = cost * 4;
    const above = high + Math.max(2 * CENT, high * 0.05);
    const below = low - Math.max(2 * CENT, low * 0.05);
    expect([differs(above, high, low), differs(above + 1, high, low)]).toEqual([false, true]);
    expect([differs(below, high, low), differs(below - 1, high, low)]).toEqual([false, true]);
    expect([differs(cost + allowed, cost), differs(cost + allowed + 1, cost)]).toEqual([false, true]);
  });

  test('anything between the interpretations is allowed', () => {
    expect(differs(2 * DOLLAR, 4 * DOLLAR, DOLLAR)).toBe(false);
  });
});

describe('the price of a stated cost', () => {
  const stated = (nano: number) => ({ nano, model: 'm', source: 'stated by usage.cost on 2026-11-21' });

  test('keeps every unit that the book leaves open', () => {
    expect(priceFromStatedCost(perSecondOrVideo(0.4), { seconds: 4, videos: 1 }, stated(0.8 * DOLLAR))).toEqual({
      kind: 'video',
      model: 'm',
      readings: [
        { unit: 'second', nano: 0.2 * DOLLAR },
        { unit: 'video', nano: 0.8 * DOLLAR },
      ],
      settledReading: null,
      source: 'stated by usage.cost on 2026-11-21',
    });
    const settled: Price = { ...perSecondOrVideo(0.4), settledReading: 1 };
    expect(priceFromStatedCost(settled, { seconds: 4, videos: 1 }, stated(0.8 * DOLLAR))?.readings).toEqual([
      { unit: 'video', nano: 0.8 * DOLLAR },
    ]);
  });

  test.each<[string, Price, object, number]>([
    ['seconds', { ...perSecondOrVideo(0.4), settledReading: 0 }, { seconds: 3, videos: 1 }, 1_000_000_000],
    [
      'tokens',
      {
        kind: 'chat',
        model: '*',
        readings: [{ unit: 'token', inputNano: 270, outputNano: 1_080, requestNano: 7 }],
        settledReading: null,
        source: '',
      },
      { inputTokens: 1_001, outputTokens: 37 },
      1_234_567,
    ],
  ])('in %s never comes to less than was stated, and hardly to more', (_, book, quantity, nano) => {
    const price = priceFromStatedCost(book, quantity, stated(nano));
    const cost = price ? costOf(price, quantity).nano : 0;
    expect(cost).toBeGreaterThanOrEqual(nano);
    expect(cost - nano).toBeLessThan(10);
  });

  // 10 in and 10 out come to 5,050 by the first book, and to 5,000 by the second; it was three times as much.
  test.each<[string, object, number, object]>([
    ['output costs more than input, and what each request costs', { requestNano: 50 }, 15_150, { requestNano: 150 }],
    [
      'input from a cache, and to one, costs less and more',
      { cachedNano: 10, cacheWriteNano: 125 },
      15_000,
      { cachedNano: 30_000_000, cacheWriteNano: 375_000_000 },
    ],
  ])('of tokens keeps what %s', (_, more, nano, kept) => {
    const token = { unit: 'token' as const, inputNano: 100, outputNano: 400, ...more };
    const book: Price = { kind: 'chat', model: '*', readings: [token], settledReading: null, source: '' };
    expect(priceFromStatedCost(book, { inputTokens: 10, outputTokens: 10 }, stated(nano))?.readings).toEqual([
      { unit: 'token', inputNano: 300_000_000, outputNano: 1_200_000_000, perTokens: 1_000_000, ...kept },
    ]);
  });

  test.each<[string, object]>([
    ['of nothing', {}],
    ['of no seconds and no videos', { seconds: 0, videos: 0 }],
  ])('%s is none', (_, quantity) => {
    expect(priceFromStatedCost(perSecondOrVideo(0.4), quantity, stated(1))).toBeUndefined();
  });

  test('beyond what a price may be is none', () => {
    expect(priceFromStatedCost(perSecondOrVideo(0.4), { seconds: 1, videos: 1 }, stated(1e15 + 1))).toBeUndefined();
  });
});
