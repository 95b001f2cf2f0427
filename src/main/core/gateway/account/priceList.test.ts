import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { PriceKind } from '../../../../shared/kinds/pricings.ts';
import { costOf, type PriceInterpretation, priceSchema } from '../../../../shared/price.ts';
import type { Json } from '../json/parse.ts';
import { readPriceList } from './priceList.ts';
import { amountOf, unitOf } from './priceQuotes.ts';

const token = (inputNano: number, outputNano: number): PriceInterpretation => ({
  unit: 'token',
  inputNano,
  outputNano,
});
const finer = (inputNano: number, outputNano: number): PriceInterpretation =>
  ({ ...token(inputNano, outputNano), perTokens: 1_000_000 }) as PriceInterpretation;
const second = (nano: number): PriceInterpretation => ({ unit: 'second', nano });
const video = (nano: number): PriceInterpretation => ({ unit: 'video', nano });
const image = (nano: number): PriceInterpretation => ({ unit: 'image', nano });

const own: Record<string, PriceKind> = { 'my-video': 'video', 'my-chat': 'chat', 'my-image': 'image' };
const read = (body: unknown) => readPriceList(body as Json, (model) => own[model]);
const one = (entry: Json) => {
  const { prices, refused } = read({ data: [{ id: 'm', ...(entry as object) }] as Json });
  return refused[0]?.why ?? prices[0];
};

describe('what services publish', () => {
  it('OpenRouter: dollars for one token, as decimal texts', () => {
    const body = {
      data: [
        {
          id: 'vendor/language',
          architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
          pricing: {
            prompt: '0.00000027',
            completion: '0.00000108',
            request: '0',
            image: '0.001',
            web_search: '0.01',
            internal_reasoning: '0',
            input_cache_read: '0.00000007',
          },
        },
        {
          id: 'vendor/thinks',
          pricing: { prompt: '0.0000004', completion: '0.0000012', internal_reasoning: '0.000004' },
        },
        { id: 'vendor/fine', pricing: { prompt: '0.0000000375', completion: '0.00000015' } },
        { id: 'vendor/free', pricing: { prompt: '0', completion: '0' } },
        { id: 'vendor/auto', pricing: { prompt: '-1', completion: '-1' } },
        { id: 'vendor/asks', pricing: { prompt: '0.000001', completion: '0.000002', request: '0.005' } },
        { id: 'vendor/silent' },
      ],
    };
    expect(read(body)).toEqual({
      prices: [
        { model: 'vendor/language', kind: 'chat', readings: [{ ...token(270, 1_080), cachedNano: 70 }] },
        { model: 'vendor/thinks', kind: 'chat', readings: [token(400, 1_200), token(400, 4_000)] },
        { model: 'vendor/fine', kind: 'chat', readings: [finer(37_500_000, 150_000_000)] },
        { model: 'vendor/free', kind: 'chat', readings: [token(0, 0)] },
        { model: 'vendor/asks', kind: 'chat', readings: [{ ...token(1_000, 2_000), requestNano: 5_000_000 }] },
      ],
      refused: [{ model: 'vendor/auto', why: 'prompt is negative' }],
    });
  });

  it('new-api: ratios, of which one is 0.002 dollars for a thousand tokens, times the group', () => {
    const body = {
      success: true,
      data: [
        {
          model_name: 'a',
          quota_type: 0,
          model_ratio: 0.135,
          completion_ratio: 4,
          enable_groups: ['default'],
          supported_endpoint_types: ['openai'],
        },
        {
          model_name: 'my-image',
          quota_type: 1,
          model_price: 0.05,
          model_ratio: 0,
          completion_ratio: 0,
          enable_groups: ['default'],
        },
        {
          model_name: 'b',
          quota_type: 0,
          model_ratio: 1,
          completion_ratio: 2,
          enable_groups: ['default', 'vip', 'closed'],
        },
        {
          model_name: 'clip',
          quota_type: 1,
          model_price: 0.4,
          supported_endpoint_types: ['openai-video'],
          enable_groups: ['default'],
        },
        { model_name: 'odd', quota_type: 7, model_ratio: 1 },
        { model_name: 'half', quota_type: 0, model_ratio: 1 },
      ],
      group_ratio: { default: 1, vip: 0.8, closed: 5 },
      usable_group: { default: 'Default', vip: 'VIP' },
    };
    expect(read(body)).toEqual({
      prices: [
        { model: 'a', kind: 'chat', readings: [token(270, 1_080)] },
        { model: 'my-image', kind: 'image', readings: [image(50_000_000)] },
        { model: 'b', kind: 'chat', readings: [token(1_600, 3_200), token(2_000, 4_000)] },
        { model: 'clip', kind: 'video', readings: [video(400_000_000)] },
      ],
      refused: [
        { model: 'odd', why: 'has a quota type that is not known: 7' },
        { model: 'half', why: 'has no ratio for its output' },
      ],
    });
  });

  it('one-api: the ratios as maps', () => {
    const body = {
      data: { model_ratio: { 'my-chat': 0.135 }, completion_ratio: { 'my-chat': 4 }, model_price: { 'my-image': 0.1 } },
    };
    expect(read(body).prices).toEqual([
      { model: 'my-chat', kind: 'chat', readings: [token(270, 1_080)] },
      { model: 'my-image', kind: 'image', readings: [image(100_000_000)] },
    ]);
  });

  // new-api model/pricing.go: what is priced by an expression is listed with the ratio that no bill uses, 37.5 where none is set. Its
  // setting/billing_setting (GetPricingSyncData) puts the modes beside the maps of /api/ratio_config.
  it('new-api: a model that is priced by an expression has no price here, whatever ratio or price stands beside it', () => {
    const mode = {
      billing_mode: 'tiered_expr',
      billing_expr: 'p <= 272000 ? tier("base", p * 2.5 + c * 15) : tier("long", p * 5 + c * 22.5)',
    };
    const listed = {
      data: [
        { model_name: 'unset', quota_type: 0, model_ratio: 37.5, completion_ratio: 8, ...mode },
        { model_name: 'kept', quota_type: 0, model_ratio: 1.25, completion_ratio: 8, ...mode },
        { model_name: 'my-image', quota_type: 1, model_price: 0.05, ...mode },
        { model_name: 'a', quota_type: 0, model_ratio: 0.135, completion_ratio: 4, billing_mode: 'ratio' },
        { model_name: 'b', quota_type: 0, model_ratio: 0.135, completion_ratio: 4, billing_mode: '' },
      ],
    };
    const why = 'is priced by a rule that Dailies does not read';
    expect(read(listed)).toEqual({
      prices: [
        { model: 'a', kind: 'chat', readings: [token(270, 1_080)] },
        { model: 'b', kind: 'chat', readings: [token(270, 1_080)] },
      ],
      refused: [
        { model: 'unset', why },
        { model: 'kept', why },
        { model: 'my-image', why },
      ],
    });
    const maps = {
      data: {
        model_ratio: { 'my-chat': 0.135, tiered: 1.25 },
        completion_ratio: { 'my-chat': 4, tiered: 8 },
        billing_mode: { tiered: 'tiered_expr', 'my-chat': 'ratio' },
      },
    };
    expect(read(maps)).toEqual({
      prices: [{ model: 'my-chat', kind: 'chat', readings: [token(270, 1_080)] }],
      refused: [{ model: 'tiered', why }],
    });
  });

  it('LiteLLM: a map of costs with their units in the names', () => {
    const body = {
      sample_spec: { input_cost_per_token: 0, output_cost_per_token: 0, mode: 'one of chat, embedding' },
      language: {
        mode: 'chat',
        input_cost_per_token: 2.7e-7,
        output_cost_per_token: 1.08e-6,
        cache_read_input_token_cost: 7e-8,
        input_cost_per_audio_token: 1e-5,
        litellm_provider: 'x',
      },
      long: {
        mode: 'chat',
        input_cost_per_token: 1.25e-6,
        output_cost_per_token: 1e-5,
        input_cost_per_token_above_200k_tokens: 2.5e-6,
        output_cost_per_token_above_200k_tokens: 1.5e-5,
      },
      // Its own reservations take the higher of the two prices for each token of an answer.
      thinking: {
        mode: 'chat',
        input_cost_per_token: 4e-7,
        output_cost_per_token: 1.2e-6,
        output_cost_per_reasoning_token: 4e-6,
      },
      alike: {
        mode: 'chat',
        input_cost_per_token: 1e-7,
        output_cost_per_token: 4e-7,
        output_cost_per_reasoning_token: 4e-7,
        output_cost_per_reasoning_token_flex: 2e-7,
      },
      'long thinking': {
        mode: 'chat',
        input_cost_per_token: 1e-6,
        output_cost_per_token: 5e-6,
        input_cost_per_token_above_200k_tokens: 2e-6,
        output_cost_per_token_above_200k_tokens: 1e-5,
        output_cost_per_reasoning_token: 8e-6,
        output_cost_per_reasoning_token_above_200k_tokens: 1.6e-5,
      },
      clips: { mode: 'video_generation', output_cost_per_video_per_second: 0.4 },
      pictures: { mode: 'image_generation', output_cost_per_image: 0.04 },
      pixels: { mode: 'image_generation', input_cost_per_pixel: 1.9e-8, output_cost_per_pixel: 0 },
      vectors: { mode: 'embedding', input_cost_per_token: 1e-7, output_cost_per_token: 0 },
    };
    expect(read(body).prices).toEqual([
      { model: 'language', kind: 'chat', readings: [{ ...token(270, 1_080), cachedNano: 70 }] },
      { model: 'long', kind: 'chat', readings: [token(1_250, 10_000), token(2_500, 15_000)] },
      { model: 'thinking', kind: 'chat', readings: [token(400, 1_200), token(400, 4_000)] },
      { model: 'alike', kind: 'chat', readings: [token(100, 400)] },
      {
        model: 'long thinking',
        kind: 'chat',
        readings: [token(1_000, 5_000), token(1_000, 8_000), token(2_000, 10_000), token(2_000, 16_000)],
      },
      { model: 'clips', kind: 'video', readings: [second(400_000_000)] },
      { model: 'pictures', kind: 'image', readings: [image(40_000_000)] },
    ]);
  });

  it('LiteLLM: model_info beside the name', () => {
    const body = {
      data: [
        {
          model_name: 'a',
          litellm_params: { model: 'x/a' },
          model_info: {
            mode: 'chat',
            input_cost_per_token: 2.2e-7,
            output_cost_per_token: 3.5e-7,
            input_cost_per_second: null,
          },
        },
      ],
    };
    expect(read(body).prices).toEqual([{ model: 'a', kind: 'chat', readings: [token(220, 350)] }]);
  });
});

describe('one listing', () => {
  it.each<[string, Json, unknown]>([
    [
      'plain figures are for a million tokens',
      { pricing: { input: 0.27, output: 1.08, hourly: 0, base: 0, finetune: 0 } },
      [token(270, 1_080)],
    ],
    [
      'signs and units in the text',
      { pricing: { input: '$0.27 / 1M tokens', output: 'US$1.08 per million tokens' } },
      [token(270, 1_080)],
    ],
    ['a thousand tokens', { pricing: { input: '0.00027', output: '0.00108', unit: '1K tokens' } }, [token(270, 1_080)]],
    ['a unit of its own', { price: { amount: '0.40', unit: 'second', currency: 'USD' } }, [second(400_000_000)]],
    ['a minute', { price_per_minute: 24 }, [second(400_000_000)]],
    ['a third of a cent a second is rounded up', { price_per_minute: '0.2' }, [second(3_333_334)]],
    [
      'per million in the name',
      { input_price_per_1m_tokens: 0.27, price_per_million_output_tokens: '1.08' },
      [token(270, 1_080)],
    ],
    ['commas between thousands', { type: 'video', price_per_video: '$1,000.50' }, [video(1_000_500_000_000)]],
    [
      'a list of tiers',
      { type: 'video', pricing: [{ per_second: 0.1 }, { per_second: 0.4 }] },
      [second(100_000_000), second(400_000_000)],
    ],
    [
      'a video without a unit keeps both readings',
      { type: 'video', price: 2 },
      [second(2_000_000_000), video(2_000_000_000)],
    ],
  ])('%s', (_, entry, readings) => {
    expect(one(entry)).toMatchObject({ readings });
  });

  it.each<[Json, string]>([
    [{ pricing: { prompt: 'free', completion: '0' } }, 'prompt is no amount: “free”'],
    [{ pricing: { prompt: '¥0.27', completion: '1' } }, 'prompt is not in dollars: “¥0.27”'],
    [{ pricing: { prompt: '0.27 credits', completion: '1' } }, 'prompt is not in dollars: “0.27 credits”'],
    [{ pricing: { input: 2, output: 8, currency: 'CNY' } }, 'is in CNY, not in dollars'],
    [{ pricing: { prompt: '27', completion: '108' } }, 'prompt is too dear to be true: its unit must be another one'],
    [{ pricing: { prompt: '1e30', completion: '1' } }, 'prompt is too dear to be true: its unit must be another one'],
    [{ pricing: { prompt: '0.000001' } }, 'has no price for its output'],
    [
      { pricing: { input: 0.00000027, output: 0.00000108 } },
      'input may be for one token or for a million: it is not said',
    ],
    [{ pricing: { input: '0.27 / fortnight', output: '1' } }, 'input has a unit that is not known: “fortnight”'],
    [{ price: { amount: 0.4, unit: 'frame' } }, 'has a unit that is not known: “frame”'],
    [{ price_per_frame: 0.4 }, 'price_per_frame has a unit that is not known'],
    [{ type: 'image', price: 0.4 }, 'has a price without a unit'],
    [
      { type: 'image', pricing: { prompt: '0.000005', completion: '0.00004' } },
      'is priced by tokens, which are not known for a picture',
    ],
    [{ price: 0.4 }, 'nothing says whether it is for chat, video or pictures'],
    [{ pricing: { input: '0,27', output: '1' } }, 'input is no amount: “0,27”'],
  ])('%j is refused by name: %s', (entry, why) => {
    expect(one(entry)).toBe(why);
  });
});

test.each([
  ['token', { of: 'token', count: 1 }],
  ['per 1M tokens', { of: 'token', count: 1_000_000 }],
  ['USD/1,000,000 tokens', { of: 'token', count: 1_000_000 }],
  ['MTok', { of: 'token', count: 1_000_000 }],
  ['M', { of: 'token', count: 1_000_000 }],
  ['m', undefined],
  ['1k_tokens', { of: 'token', count: 1_000 }],
  ['second', { of: 'second', count: 1 }],
  ['output_second', { of: 'second', count: 1 }],
  ['min', { of: 'second', count: 60 }],
  ['generation', { of: 'request', count: 1 }],
  ['', undefined],
  ['megapixel', undefined],
])('the unit %j is %j', (text, unit) => {
  expect(unitOf(text)).toEqual(unit);
});

test('an amount is exact to its last digit', () => {
  expect(amountOf('0.0000000375')).toEqual({ amount: { units: 375n, scale: 10 } });
  const [price] = read({ data: [{ id: 'm', pricing: { prompt: '0.0000000375', completion: '0.00000015' } }] }).prices;
  const cost = costOf(
    { kind: 'chat', model: 'm', readings: price?.readings ?? [], settledReading: null, source: '' },
    { inputTokens: 3, outputTokens: 1 },
  );
  // 3 × 37.5 + 150 = 262.5 nano-dollars
  expect(cost).toEqual({ nano: 263, lowNano: 263 });
});

test('whatever stands in a list, what comes out is a price of the book, or a refusal by name', () => {
  const names = fc.constantFrom(
    'pricing',
    'prompt',
    'completion',
    'input',
    'output',
    'price_per_second',
    'unit',
    'currency',
    'model_ratio',
    'completion_ratio',
    'quota_type',
    'cache_ratio',
    'create_cache_ratio',
    'input_cache_read',
    'input_cache_write',
    'internal_reasoning',
    'billing_mode',
    'mode',
    'image',
    'request',
    'price',
  );
  const leaf = fc.oneof(
    fc.double(),
    fc.string(),
    fc.constantFrom('0.5', '$1', '-1', '1e-9', 'second', 'USD', 'video', null, true),
    fc.integer(),
  );
  const entry = fc.dictionary(
    names,
    fc.oneof(leaf, fc.dictionary(names, leaf), fc.array(fc.dictionary(names, leaf), { maxLength: 2 })),
    { maxKeys: 6 },
  );
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 4 }), (entries) => {
      const data = entries.map((fields, index) => ({ id: `m${index}`, ...fields }));
      const { prices, refused } = read(JSON.parse(JSON.stringify({ data })) as Json);
      for (const price of prices) expect(priceSchema.safeParse({ ...price, source: 's' }).success).toBe(true);
      for (const { why } of refused) expect(why.length).toBeGreaterThan(5);
    }),
    { numRuns: 2_000 },
  );
});
