import { expect, test } from 'vitest';
import { STATED_COSTS, statedCost } from './statedCost.ts';

/** Services' answers and the costs they state. The name is that of the row that they need. */
const SEEN: [row: string, headers: Record<string, string>, body: object | null, stated: object | undefined][] = [
  [
    'x-litellm-response-cost',
    { 'x-litellm-response-cost': '0.000415' },
    { choices: [] },
    { as: '0.000415 USD', nano: 415_000 },
  ],
  ['x-litellm-response-cost', { 'x-litellm-response-cost': '2.85e-05' }, null, { as: '2.85e-05 USD', nano: 28_500 }],
  ['x-comfy-credits-used', { 'x-comfy-credits-used': '12.75' }, null, { as: '12.75 credits' }],
  ['x-new-api-usage', { 'x-new-api-usage': '1250' }, null, { as: '1250' }],
  ['x-new-api-usage', { 'x-new-api-usage': '{"quota":1250}' }, null, { as: '{"quota":1250}' }],
  [
    'usage.costInUsdTicks',
    {},
    { usage: { prompt_tokens: 9, cost_in_usd_ticks: 37_756_000 } },
    { as: '37756000 ticks', nano: 3_775_600 },
  ],
  [
    'usage.cost.totalCost',
    {},
    {
      usage: { cost: { input_tokens_cost: 0.001, output_tokens_cost: 0.002, request_cost: 0.005, total_cost: 0.008 } },
    },
    { as: '0.008 USD', nano: 8_000_000 },
  ],
  [
    'usage.cost',
    {},
    { usage: { prompt_tokens: 194, cost: 0.95, cost_details: { upstream_inference_cost: 19 } } },
    { as: '0.95 USD', nano: 950_000_000 },
  ],
  [
    'usage.cost',
    {},
    { id: 'job-1', status: 'completed', usage: { cost: 0.5, is_byok: false } },
    { as: '0.5 USD', nano: 500_000_000 },
  ],
  ['usage.cost', {}, { usage: { cost: 0.02, is_byok: true } }, { as: '0.02 USD', nano: 20_000_000, part: true }],
  ['usage.cost', {}, { id: 'x', currency: 'CNY', usage: { cost: 12 } }, { as: '12 CNY' }],
  ['usage.cost', {}, { id: 'x', usage: { cost: 12, currency: 'credits' } }, { as: '12 CREDITS' }],
  [
    'meta.usage.usdSpent',
    {},
    { meta: { usage: { credits_used: 3390, usd_spent: 0.001695 } } },
    { as: '0.001695 USD', nano: 1_695_000 },
  ],
  ['cost', {}, { data: [{ taskUUID: 'x', cost: 0.4 }] }, { as: '0.4 USD', nano: 400_000_000 }],
  ['cost', {}, { runId: 'x', cost: 2.5, paymentSource: 'USD' }, { as: '2.5 USD', nano: 2_500_000_000 }],
  ['cost', {}, { runId: 'x', cost: 2.5, paymentSource: 'XNO' }, { as: '2.5 XNO' }],
  ['cost', {}, { id: 'x', cost: 12, currency: 'usd' }, { as: '12 USD', nano: 12_000_000_000 }],
  ['cost', {}, { id: 'x', status: 'completed', cost: 12 }, { as: '12' }],
  ['cost', {}, { code: 0, data: { task_id: 'x', cost: '40' } }, { as: '40' }],
  ['cost', {}, { data: [{ taskUUID: 'x', cost: 12, currency: 'credits' }] }, { as: '12 CREDITS' }],
  [
    'inferenceStatus.cost',
    {},
    { request_id: 'x', inference_status: { status: 'succeeded', runtime_ms: 5000, cost: 0.5 }, video_url: 'x' },
    { as: '0.5 USD', nano: 500_000_000 },
  ],
  [
    'usage.costUsdTotal',
    {},
    { usage: { prompt_tokens: 10, cost_usd_total: 0.000125, cost_usd_input: 0.000025, cost_usd_output: 0.0001 } },
    { as: '0.000125 USD', nano: 125_000 },
  ],
  [
    'xNanogptPricing.cost',
    {},
    { usage: { prompt_tokens: 20 }, x_nanogpt_pricing: { cost: 0.0034, currency: 'USD', paymentSource: 'USD' } },
    { as: '0.0034 USD', nano: 3_400_000 },
  ],
  ['xNanogptPricing.cost', {}, { x_nanogpt_pricing: { cost: 0.5, paymentSource: 'XNO' } }, { as: '0.5 XNO' }],
  ['xNanogptPricing.cost', {}, { x_nanogpt_pricing: { cost: 0.5 } }, { as: '0.5' }],
  [
    'generate.cost.amount',
    {},
    { generate: { apiCreditCost: null, cost: { amount: '0.0123', unit: 'DOLLARS' }, generationId: '1f0c-2' } },
    { as: '0.0123 USD', nano: 12_300_000 },
  ],
  ['generate.cost.amount', {}, { generate: { cost: { amount: '12', unit: 'CREDITS' } } }, { as: '12' }],
  [
    'motionVideoGenerationJob.cost.amount',
    {},
    { motionVideoGenerationJob: { generationId: 'j9', cost: { amount: '0.0147', unit: 'DOLLARS' } } },
    { as: '0.0147 USD', nano: 14_700_000 },
  ],
  ['outputs.cost', {}, { id: 'x', status: 'completed', outputs: { cost: 2, video_url: 'x' } }, { as: '2' }],
  [
    'cost.total',
    {},
    { id: 'x', status: 'succeeded', cost: { base: 100, total: 120, currency: 'BUZZ' } },
    { as: '120 BUZZ' },
  ],
  ['cost.total', {}, { id: 'x', status: 'succeeded', cost: { total: 120 } }, { as: '120' }],
  ['usage.credits', {}, { id: 'x', usage: { duration: '10', credits: 0.03125 } }, { as: '0.03125 credits' }],
  ['creditsCost', {}, { code: 200, data: { task_id: 'x', credits_cost: 40 } }, { as: '40 credits' }],
  ['creditsUsed', {}, { task_id: 'x', status: 'completed', credits_used: 8 }, { as: '8 credits' }],
];

test.each(SEEN)('%s %j %j', (by, headers, body, stated) => {
  expect(statedCost(headers, body as never)).toEqual({ by, ...stated });
});

test('every row of the table has a source, and is needed by an answer that was seen', () => {
  const rows = STATED_COSTS.map(({ name }) => name);
  expect(new Set(SEEN.map(([name]) => name))).toEqual(new Set(rows));
  for (const { source } of STATED_COSTS) expect(source.length).toBeGreaterThan(10);
});

test.each([
  ['nothing', {}, {}],
  ['no number', { 'x-litellm-response-cost': 'None' }, { cost: 'free', usage: { cost: null } }],
  ['an empty header', { 'x-litellm-response-cost': ' ' }, null],
  ['a cost that is no amount', {}, { usage: { cost: {} }, cost: [], credits_cost: true }],
  ['how long it took', {}, { cost_time: 12, costTime: 900, usage: { total_tokens: 5 } }],
  ['an estimate', {}, { usage: { estimated_cost: 0.4 }, estimated_credits: 9 }],
  ['words of the model', {}, { choices: [{ message: { content: '{"cost": 9, "usage": {"cost": 9}}' } }] }],
  ['digits without end', {}, { cost: '9'.repeat(500), usage: { cost: `0.${'1'.repeat(500)}` } }],
])('%s states no cost', (_name, headers, body) => {
  expect(statedCost(headers as Record<string, string>, body)).toBeUndefined();
});

test('negative and uncountable costs are kept as they were stated and are no amount', () => {
  expect(statedCost({}, { usage: { cost: -0.4 } })).toEqual({ by: 'usage.cost', as: '-0.4 USD' });
  expect(statedCost({}, { usage: { cost: 1e30 } })).toEqual({ by: 'usage.cost', as: '1e+30 USD' });
});

test('a stated zero is kept', () => {
  expect(statedCost({}, { usage: { cost: 0 } })).toEqual({ by: 'usage.cost', as: '0 USD', nano: 0 });
});

test('of several statements the dearest in dollars counts, and dollars before credits', () => {
  const headers = { 'x-litellm-response-cost': '0.3', 'x-comfy-credits-used': '900' };
  expect(statedCost(headers, { usage: { cost: 0.4 } })).toMatchObject({ by: 'usage.cost', nano: 400_000_000 });
  expect(statedCost({ ...headers, 'x-litellm-response-cost': '0.5' }, { usage: { cost: 0.4 } })).toMatchObject({
    by: 'x-litellm-response-cost',
  });
});
