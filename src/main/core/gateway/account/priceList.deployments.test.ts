import { describe, expect, test } from 'vitest';
import type { PriceInterpretation } from '../../../../shared/price.ts';
import type { Json } from '../json/parse.ts';
import { readPriceList } from './priceList.ts';

const token = (inputNano: number, outputNano: number): PriceInterpretation => ({
  unit: 'token',
  inputNano,
  outputNano,
});
const second = (nano: number): PriceInterpretation => ({ unit: 'second', nano });
const video = (nano: number): PriceInterpretation => ({ unit: 'video', nano });

const read = (body: unknown) => readPriceList(body as Json, (model) => (model === 'my-video' ? 'video' : undefined));

describe('a name that is listed several times', () => {
  const named = (model_name: string, model_info: object) => ({
    model_name,
    model_info: { mode: 'chat', ...model_info },
  });
  const chat = (input: number, output: number) => ({ input_cost_per_token: input, output_cost_per_token: output });

  test('has the readings of all of them, as each of them may answer', () => {
    const data = [
      named('gpt-4o', chat(2.5e-6, 1e-5)),
      named('other', chat(1e-6, 2e-6)),
      named('gpt-4o', chat(2.75e-6, 1.1e-5)),
      named('gpt-4o', chat(2.5e-6, 1e-5)),
      named('gpt-4o', { id: 'a deployment without a price' }),
    ];
    expect(read({ data })).toEqual({
      prices: [
        { model: 'gpt-4o', kind: 'chat', readings: [token(2_500, 10_000), token(2_750, 11_000)] },
        { model: 'other', kind: 'chat', readings: [token(1_000, 2_000)] },
      ],
      refused: [],
    });
  });

  test('has the cheapest and the dearest of more than a price can have', () => {
    const costs = [3, 5, 1, 2, 4].map((times) => chat(times * 1e-6, times * 2e-6));
    const [price] = read({ data: costs.map((cost) => named('m', cost)) }).prices;
    expect(price?.readings).toEqual([token(1_000, 2_000), token(5_000, 10_000)]);
    const unlike = [chat(1e-6, 2e-6), chat(2e-6, 4e-6), chat(4e-6, 8e-6), chat(3e-6, 1.5e-5), chat(5e-6, 1e-5)];
    expect(read({ data: unlike.map((cost) => named('m', cost)) }).prices[0]?.readings).toEqual([
      token(1_000, 2_000),
      token(5_000, 10_000),
      token(3_000, 15_000),
    ]);
    const discounted = [5, 5, 1, 2, 4].map((times, at) => ({
      ...chat(times * 1e-6, times * 2e-6),
      ...(at === 1 ? { cache_read_input_token_cost: 5e-7 } : {}),
    }));
    for (const data of [discounted, [...discounted].reverse()])
      expect(read({ data: data.map((cost) => named('m', cost)) }).prices[0]?.readings).toContainEqual(
        token(5_000, 10_000),
      );
    const clips = [0.3, 0.5, 0.1, 0.2, 0.4].map((each) => ({
      model_name: 'my-video',
      model_info: { output_cost_per_video_per_second: each },
    }));
    expect(read({ data: clips }).prices[0]?.readings).toEqual([second(100_000_000), second(500_000_000)]);
  });

  test('is refused if one of them is not understood; what it is for has each its own price', () => {
    const data = [named('m', chat(1e-6, 2e-6)), named('m', chat(-1, 2e-6)), named('m', chat(3e-6, 4e-6))];
    expect(read({ data })).toEqual({ prices: [], refused: [{ model: 'm', why: 'input_cost_per_token is negative' }] });
    const kinds = [named('n', chat(1e-6, 2e-6)), { model_name: 'n', type: 'video', price_per_video: 1 }];
    expect(read({ data: kinds }).prices).toEqual([
      { model: 'n', kind: 'chat', readings: [token(1_000, 2_000)] },
      { model: 'n', kind: 'video', readings: [video(1_000_000_000)] },
    ]);
  });
});

describe('a model with prices by the length of its requests', () => {
  const tier = (input: number, output: number, more: object = {}) => ({
    input_cost_per_token: input,
    output_cost_per_token: output,
    ...more,
  });
  // Of LiteLLM's map, for models of DashScope.
  const tiers = [tier(1e-6, 5e-6, { range: [0, 32_000] }), tier(2e-6, 1e-5, { range: [32_000, 128_000] })];

  test.each<[string, object, PriceInterpretation[]]>([
    [
      'in a list',
      {
        pricing: [
          { input: 1, output: 5 },
          { input: 2, output: 10 },
        ],
      },
      [token(1_000, 5_000), token(2_000, 10_000)],
    ],
    ['in LiteLLM’s map', { mode: 'chat', tiered_pricing: tiers }, [token(1_000, 5_000), token(2_000, 10_000)]],
    [
      'in LiteLLM’s model_info',
      { model_info: { mode: 'chat', input_cost_per_token: null, tiered_pricing: tiers } },
      [token(1_000, 5_000), token(2_000, 10_000)],
    ],
    [
      'beside one for all',
      { mode: 'chat', ...tier(5e-6, 2.5e-5), tiered_pricing: tiers },
      [token(5_000, 25_000), token(1_000, 5_000), token(2_000, 10_000)],
    ],
    [
      'beside one for all, and by what it thinks',
      { mode: 'chat', ...tier(5e-6, 2.5e-5, { output_cost_per_reasoning_token: 4e-5 }), tiered_pricing: tiers },
      [token(1_000, 5_000), token(5_000, 40_000)],
    ],
    [
      'beside one for all that it thinks',
      { mode: 'chat', output_cost_per_reasoning_token: 4e-5, tiered_pricing: tiers },
      [token(1_000, 5_000), token(1_000, 40_000), token(2_000, 10_000), token(2_000, 40_000)],
    ],
    [
      'beside one in an object of another name',
      { pricing: { input: 3, output: 15 }, prices: [{ input: 1, output: 5 }] },
      [token(3_000, 15_000), token(1_000, 5_000)],
    ],
    [
      'in two lists',
      { mode: 'chat', pricing: [{ input: 1, output: 5 }], tiered_pricing: tiers.slice(1) },
      [token(1_000, 5_000), token(2_000, 10_000)],
    ],
    [
      'in a list, beside one with a figure each way',
      { mode: 'chat', pricing: [{ input: 3 }, { output: 15 }], tiered_pricing: tiers },
      [token(3_000, 15_000), token(1_000, 5_000), token(2_000, 10_000)],
    ],
    [
      'and by what it thinks: more than a price can have',
      {
        mode: 'chat',
        tiered_pricing: [...tiers, tier(2.5e-6, 1.2e-5), tier(3e-6, 1.5e-5, { output_cost_per_reasoning_token: 3e-5 })],
      },
      [token(1_000, 5_000), token(3_000, 30_000)],
    ],
    ['of which there is one', { pricing: [{ input: 1, output: 5 }] }, [token(1_000, 5_000)]],
  ])('%s', (_, entry, readings) => {
    expect(read({ data: [{ id: 'm', ...entry }] }).prices).toEqual([{ model: 'm', kind: 'chat', readings }]);
  });
});
