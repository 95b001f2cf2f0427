import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { linesOf } from '../../../../../test/helpers/gateway/cases.ts';
import { type ModelFacts, modelFactsSchema } from '../../../../shared/gateway/modelFacts.ts';
import type { Json } from '../json/parse.ts';
import { FACT_RULES, type FactRule, modelsIn } from './modelList.ts';

interface Case {
  name: string;
  body: Json;
  expect: ModelFacts;
}

const cases = linesOf<Case>('model-lists');

const factsIn = (body: unknown) => modelsIn(body as Json)?.get('m')?.facts;
const one = (entry: object) => factsIn({ data: [{ id: 'm', ...entry }] });

test.each(cases.map((one) => [one.name, one] as const))('a list with %s', (_name, { body, expect: facts }) => {
  expect(factsIn(body)).toEqual(facts);
});

test.each(FACT_RULES.map((rule) => [`${rule.fact} by ${rule.path.join('.')}`, rule] as const))(
  'without its row reads differently: %s',
  (_name, rule: FactRule) => {
    const needed = cases.find(({ name }) => name === rule.fixture);
    if (!needed) throw new Error(`there is no case ${rule.fixture}`);
    const at = FACT_RULES.indexOf(rule);
    FACT_RULES.splice(at, 1);
    try {
      expect(factsIn(needed.body)).not.toEqual(needed.expect);
    } finally {
      FACT_RULES.splice(at, 0, rule);
    }
  },
);

it('names the field as the service spells it', () => {
  const body = { data: [{ id: 'm', shutdown_date: '2026-12-01', top_provider: { maxCompletionTokens: 5 } }] };
  expect(modelsIn(body as Json)?.get('m')?.by).toEqual({
    endsAt: 'shutdown_date',
    outputTokens: 'top_provider.maxCompletionTokens',
  });
});

describe('what cannot be true states nothing', () => {
  const hostile: [string, object][] = [
    ['a day that the calendar does not have', { shutdown_date: '2026-02-31' }],
    ['a year far away', { shutdown_date: '9999-12-31' }],
    ['a day of before there were such services', { expiration_date: '1970-01-01' }],
    ['words', { shutdown_date: 'soon' }],
    ['a number for a day', { shutdown_date: 1_796_083_200 }],
    ['a month 13', { deprecation_date: '2026-13-01' }],
    ['a negative context', { context_length: -1 }],
    ['no context', { context_length: 0 }],
    ['a part of a token', { context_length: 1.5 }],
    ['an endless context', { context_length: 1e30 }],
    ['a context in words', { context_length: 'large' }],
    ['a negative length', { supported_durations: [-4] }],
    ['a length of a day', { supported_durations: [4, 86_400] }],
    ['a thousand lengths', { supported_durations: Array.from({ length: 1_000 }, (_, index) => index + 1) }],
    ['a size with markup', { supported_resolutions: ['<img src=x>720p'] }],
    ['a size without end', { supported_resolutions: ['9'.repeat(10_000)] }],
    ['a size that is no text', { supported_resolutions: [720] }],
    ['a flag in words', { generate_audio: 'yes' }],
    ['an empty list of parameters', { supported_parameters: [] }],
    ['no list of frames', { supported_frame_images: {} }],
  ];
  it.each(hostile)('%s', (_name, entry) => expect(one(entry)).toEqual({}));
});

it('the rest of an entry is read all the same', () => {
  expect(one({ shutdown_date: 'never', context_length: 4096, supported_durations: 'all' })).toEqual({
    contextTokens: 4_096,
  });
});

it('no answer breaks the reading, and what is read is within bounds', () => {
  const names = [...new Set(FACT_RULES.flatMap(({ path }) => path))];
  const entry = fc.dictionary(fc.constantFrom(...names, 'id'), fc.jsonValue());
  fc.assert(
    fc.property(fc.array(entry), (data) => {
      for (const { facts } of modelsIn({ data } as unknown as Json)?.values() ?? [])
        expect(modelFactsSchema.safeParse(facts).success).toBe(true);
    }),
  );
});

it('is no list of models', () => {
  for (const body of [undefined, null, 'x', {}, { data: {} }]) expect(modelsIn(body as Json)).toBeUndefined();
});
