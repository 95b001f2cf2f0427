import { describe, expect, it } from 'vitest';
import type { Price, PriceInterpretation } from '../../../shared/money/price.ts';
import { knownReading, textsOf, typedReading } from './typedPrice.ts';

/** A price as it is typed in: dollars, and the field and the rule where something else stands there. */

describe('what is typed', () => {
  const token = (inputNano: number, outputNano: number, more = {}): PriceInterpretation => ({
    ...{ unit: 'token', inputNano, outputNano, perTokens: 1_000_000 },
    ...more,
  });
  it.each<[string, Parameters<typeof typedReading>, PriceInterpretation]>([
    ['of tokens is for a million of them', ['token', { input: '1.25', output: '10' }], token(1.25e9, 10e9)],
    [
      'of tokens may be finer than a nano-dollar each, with a price for each request',
      ['token', { input: '0.000000001', output: '0', request: ' $0.005 ' }],
      token(1, 0, { requestNano: 5_000_000 }),
    ],
    [
      'of tokens may have other prices for what comes from a cache and what is written to one',
      ['token', { input: '3', output: '15', cached: '0.125', write: '3.75' }],
      token(3e9, 15e9, { cachedNano: 125_000_000, cacheWriteNano: 3_750_000_000 }),
    ],
    ['of seconds', ['second', { each: '0.4' }], { unit: 'second', nano: 400_000_000 }],
    ['of videos', ['video', { each: '1,000' }], { unit: 'video', nano: 1e12 }],
    ['of images', ['image', { each: '0.05' }], { unit: 'image', nano: 50_000_000 }],
  ])('%s', (_, typed, reading) => {
    expect(typedReading(...typed)).toEqual({ reading });
  });

  const amount = 'must be an amount such as 2.50.';
  it.each<[string, Parameters<typeof typedReading>[1], string, string]>([
    ['an amount that is missing', { input: '', output: '10' }, 'input', `Input: ${amount}`],
    ['an amount that is none', { input: '1', output: '0,50' }, 'output', `Output: ${amount}`],
    ['a request that is none', { input: '1', output: '2', request: 'none' }, 'request', `Per request: ${amount}`],
    [
      'input from a cache that is dearer than other input',
      { input: '1', output: '2', cached: '1.01' },
      ...(['cached', 'Cached input: must not be above Input.'] as const),
    ],
    [
      'what is written to a cache for less than other input',
      { input: '1', output: '2', write: '0.99' },
      ...(['write', 'Cache writes: must not be below Input.'] as const),
    ],
  ])('%s is refused by its field and its rule', (_, typed, field, error) => {
    expect(typedReading('token', typed)).toEqual({ field, error });
  });

  it('more than a book may hold is refused, and so is no unit', () => {
    expect(typedReading('image', { each: '1000001' })).toMatchObject({ field: 'each' });
    expect(typedReading(undefined, { each: '1' })).toMatchObject({ field: 'unit' });
  });
});

describe('what the form begins with', () => {
  const price = (part: Partial<Price>): Price => ({
    kind: 'chat',
    model: 'm',
    readings: [{ unit: 'token', inputNano: 270, outputNano: 1_080 }],
    settledReading: null,
    source: 'x',
    ...part,
  });

  it('is the own price of a model, if one reading is left', () => {
    const two = price({
      readings: [
        { unit: 'token', inputNano: 270, outputNano: 1_080 },
        { unit: 'token', inputNano: 37_500_000, outputNano: 0, perTokens: 1_000_000, requestNano: 1_000 },
      ],
    });
    expect(knownReading([price({})], { kind: 'chat', model: '*' })).toBeUndefined();
    expect(knownReading([two], two)).toBeUndefined();
    expect(textsOf(knownReading([price({})], price({})))).toEqual({ input: '0.27', output: '1.08' });
    expect(textsOf(knownReading([{ ...two, settledReading: 1 }], two))).toEqual({
      input: '0.0375',
      output: '0.00',
      request: '0.000001',
    });
    expect(textsOf({ unit: 'video', nano: 2e9 })).toEqual({ each: '2.00' });
    expect(textsOf(undefined)).toEqual({});
  });

  it('is nothing of a unit that such a price cannot have', () => {
    const odd = price({ readings: [{ unit: 'second', nano: 1 }] });
    expect(knownReading([odd], odd)).toBeUndefined();
  });
});

it('what is changed keeps the prices of cached input and of cache writes', () => {
  const ofCache = { cachedNano: 125, cacheWriteNano: 1_500 };
  const reading = { unit: 'token' as const, inputNano: 1_250, outputNano: 10_000, ...ofCache };
  const texts = { ...textsOf(reading), output: '12' };
  expect(texts).toMatchObject({ input: '1.25', cached: '0.125', write: '1.50' });
  const kept = { cachedNano: 125_000_000, cacheWriteNano: 1_500_000_000 };
  expect(typedReading('token', texts)).toMatchObject({ reading: kept });
});
