import { expect, test } from 'vitest';
import { linesOf } from '../../../../../test/helpers/gateway/cases.ts';
import type { Json } from '../json/parse.ts';
import { STATED_COSTS, statedCost } from './outcome.ts';

interface Seen {
  /** The row of the table that it needs. */
  name: string;
  headers?: Record<string, string>;
  body?: Json;
  stated: object;
}
const SEEN = linesOf<Seen>('stated-costs');

test.each(SEEN)('$name of $headers $body', ({ name, headers = {}, body = null, stated }) => {
  expect(statedCost(headers, body)).toEqual({ by: name, ...stated });
});

test('every row of the table is needed by an answer that was seen', () => {
  const rows = STATED_COSTS.map(({ name }) => name);
  expect(new Set(SEEN.map(({ name }) => name))).toEqual(new Set(rows));
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
