import { describe, expect, test } from 'vitest';
import type { Json } from '../json/parse.ts';
import { readPriceList } from './priceList.ts';

const read = (body: unknown) => readPriceList(body as Json, () => 'chat');
const readingsOf = (entry: object) => read({ data: [{ id: 'm', ...entry }] }).prices[0]?.readings;

describe('the price of input from a cache', () => {
  const pricing = (more: object) => ({ pricing: { prompt: '0.00000125', completion: '0.00001', ...more } });
  const usual = { unit: 'token', inputNano: 1_250, outputNano: 10_000 };
  const perToken = (more: object) => ({ input_cost_per_token: 1.25e-6, output_cost_per_token: 1e-5, ...more });
  const long = {
    input_cost_per_token_above_200k_tokens: 2.5e-6,
    output_cost_per_token_above_200k_tokens: 1.5e-5,
    cache_read_input_token_cost: 1.25e-7,
    cache_read_input_token_cost_above_200k_tokens: 2.5e-7,
    cache_read_input_token_cost_priority: 5e-7,
  };

  test.each<[string, object, object[]]>([
    ['OpenRouter', pricing({ input_cache_read: '0.000000125' }), [{ ...usual, cachedNano: 125 }]],
    ['LiteLLM', perToken({ cache_read_input_token_cost: 1.25e-7 }), [{ ...usual, cachedNano: 125 }]],
    ['LiteLLM, of DeepSeek', perToken({ input_cost_per_token_cache_hit: 1.25e-7 }), [{ ...usual, cachedNano: 125 }]],
    [
      'LiteLLM, of long requests',
      perToken(long),
      [
        { ...usual, cachedNano: 125 },
        { unit: 'token', inputNano: 2_500, outputNano: 15_000, cachedNano: 250 },
      ],
    ],
    ['new-api', { model_ratio: 0.625, completion_ratio: 8, cache_ratio: 0.1 }, [{ ...usual, cachedNano: 125 }]],
    [
      'finer than a nano-dollar',
      pricing({ input_cache_read: '0.0000000125' }),
      [
        {
          ...{ unit: 'token', inputNano: 1_250_000_000, outputNano: 10_000_000_000, cachedNano: 12_500_000 },
          perTokens: 1_000_000,
        },
      ],
    ],
  ])('%s', (_, entry, readings) => {
    expect(readingsOf(entry)).toEqual(readings);
  });

  test('stands in a map beside the ratios', () => {
    const data = { model_ratio: { m: 0.625 }, completion_ratio: { m: 8 }, cache_ratio: { m: 0.1, other: 0.2 } };
    expect(read({ data }).prices).toEqual([{ model: 'm', kind: 'chat', readings: [{ ...usual, cachedNano: 125 }] }]);
  });

  // A zero is the default of an unfilled field, and a figure that cannot be says nothing about the others.
  test.each<[string, object]>([
    ['zero', pricing({ input_cache_read: '0' })],
    ['as much as other input', pricing({ input_cache_read: '0.00000125' })],
    ['more than other input', pricing({ input_cache_read: '0.005' })],
    ['too dear to be true', pricing({ input_cache_read: '0.125' })],
    ['no amount', pricing({ input_cache_read: 'n/a' })],
    ['negative', perToken({ cache_read_input_token_cost: -1 })],
    ['a ratio of one', { model_ratio: 0.625, completion_ratio: 8, cache_ratio: 1 }],
    ['no ratio', { model_ratio: 0.625, completion_ratio: 8, cache_ratio: 'x' }],
  ])('of %s is none', (_, entry) => {
    expect(readingsOf(entry)).toEqual([usual]);
  });
});

describe('the price of what is written to a cache', () => {
  const usual = { unit: 'token', inputNano: 3_000, outputNano: 15_000 };
  const pricing = (more: object) => ({ pricing: { prompt: '0.000003', completion: '0.000015', ...more } });
  const perToken = (more: object) => ({ input_cost_per_token: 3e-6, output_cost_per_token: 1.5e-5, ...more });
  const written = { ...usual, cacheWriteNano: 3_750 };

  test.each<[string, object, object[]]>([
    ['OpenRouter', pricing({ input_cache_write: '0.00000375' }), [written]],
    [
      'OpenRouter, with one for an hour, which is never asked for',
      pricing({ input_cache_read: '0.0000003', input_cache_write: '0.00000375', input_cache_write_1h: '0.000006' }),
      [{ ...usual, cachedNano: 300, cacheWriteNano: 3_750 }],
    ],
    [
      'LiteLLM',
      perToken({ cache_creation_input_token_cost: 3.75e-6, cache_creation_input_token_cost_above_1hr: 6e-6 }),
      [written],
    ],
    ['LiteLLM, of an hour alone', perToken({ cache_creation_input_token_cost_above_1hr: 6e-6 }), [usual]],
    [
      'LiteLLM, of long requests',
      perToken({
        input_cost_per_token_above_200k_tokens: 6e-6,
        output_cost_per_token_above_200k_tokens: 2.25e-5,
        cache_creation_input_token_cost: 3.75e-6,
        cache_creation_input_token_cost_above_200k_tokens: 7.5e-6,
        cache_creation_input_token_cost_above_1hr_above_200k_tokens: 1.2e-5,
      }),
      [written, { unit: 'token', inputNano: 6_000, outputNano: 22_500, cacheWriteNano: 7_500 }],
    ],
    ['new-api', { model_ratio: 1.5, completion_ratio: 5, create_cache_ratio: 1.25 }, [written]],
  ])('%s', (_, entry, readings) => {
    expect(readingsOf(entry)).toEqual(readings);
  });

  test('stands in a map beside the ratios', () => {
    const data = { model_ratio: { m: 1.5 }, completion_ratio: { m: 5 }, create_cache_ratio: { m: 1.25, other: 2 } };
    expect(read({ data }).prices).toEqual([{ model: 'm', kind: 'chat', readings: [written] }]);
  });

  // What is no surcharge is the default of an unfilled field, or what a service bills beside the input (OpenRouter lists Gemini's storage).
  test.each<[string, object]>([
    ['zero', pricing({ input_cache_write: '0' })],
    ['as much as other input', pricing({ input_cache_write: '0.000003' })],
    ['less than other input', pricing({ input_cache_write: '0.0000003' })],
    ['too dear to be true', pricing({ input_cache_write: '3.75' })],
    ['no amount', pricing({ input_cache_write: 'n/a' })],
    ['negative', perToken({ cache_creation_input_token_cost: -1 })],
    ['a ratio of one', { model_ratio: 1.5, completion_ratio: 5, create_cache_ratio: 1 }],
    ['no ratio', { model_ratio: 1.5, completion_ratio: 5, create_cache_ratio: 'x' }],
  ])('of %s is none', (_, entry) => {
    expect(readingsOf(entry)).toEqual([usual]);
  });
});
