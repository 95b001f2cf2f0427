import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesOf } from '../../../../../test/helpers/gateway/cases.ts';
import type { PriceKind } from '../../../../shared/kinds/pricings.ts';
import { costOf, priceSchema } from '../../../../shared/money/price.ts';
import type { Json } from '../json/parse.ts';
import { type PriceList, readPriceList } from './priceList.ts';

interface Recorded {
  name: string;
  /** The kinds that the profile gives its models. */
  own?: Record<string, PriceKind>;
  body: Json;
  expect: PriceList;
}

test.each(linesOf<Recorded>('price-lists').map((line) => [line.name, line] as const))(
  '%s',
  (_name, { body, own = {}, expect: expected }) => {
    expect(readPriceList(body, (model) => own[model])).toEqual(expected);
  },
);

const noKind = () => undefined;

test('an amount is exact to its last digit', () => {
  const [price] = readPriceList(
    { data: [{ id: 'm', pricing: { prompt: '0.0000000375', completion: '0.00000015' } }] },
    noKind,
  ).prices;
  const cost = costOf(
    { kind: 'chat', model: 'm', readings: price?.readings ?? [], settledReading: null, source: '' },
    { inputTokens: 3, outputTokens: 1 },
  );
  // 3 × 37.5 + 150 = 262.5 nano-dollars
  expect(cost).toEqual({ nano: 263, lowNano: 263 });
});

test('whatever stands in a list, what comes out is a price of the book, or a refusal by name', () => {
  const names = fc.constantFrom(
    ...(
      'pricing prompt completion input output price_per_second unit currency model_ratio completion_ratio quota_type ' +
      'cache_ratio create_cache_ratio input_cache_read input_cache_write internal_reasoning billing_mode mode image request price'
    ).split(' '),
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
      const { prices, refused } = readPriceList(JSON.parse(JSON.stringify({ data })) as Json, noKind);
      for (const price of prices) expect(priceSchema.safeParse({ ...price, source: 's' }).success).toBe(true);
      for (const { why } of refused) expect(why.length).toBeGreaterThan(5);
    }),
    { numRuns: 2_000 },
  );
});
