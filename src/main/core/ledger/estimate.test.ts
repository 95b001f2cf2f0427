import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { profileSchema } from '../../../shared/gateway/profile.ts';
import type { ChatRequest } from '../../../shared/kinds/chat.ts';
import { quantityOf, requestSchema, type StudioRequest } from '../../../shared/kinds/index.ts';
import { pricedQuantitySchema } from '../../../shared/kinds/pricedQuantity.ts';
import { type Price, priceSchema } from '../../../shared/money/price.ts';
import { billableTokens, estimate, estimateQuantity } from './index.ts';

const asset = { assetId: 'a' };
const words = fc.string({ minLength: 1, unit: 'grapheme' }).map((text) => `x${text}`);
const model = fc.constantFrom('m', 'video-pro', 'video-fast');
const aRequest: fc.Arbitrary<object> = fc.oneof(
  fc.record({
    kind: fc.constant('chat'),
    model,
    messages: fc.tuple(fc.record({ role: fc.constant('user'), content: words })),
  }),
  fc.record({
    kind: fc.constant('video'),
    model,
    prompt: words,
    config: fc.record(
      { durationSeconds: fc.constantFrom(4, 6, 8), sampleCount: fc.integer({ min: 1, max: 4 }) },
      { requiredKeys: [] },
    ),
  }),
  fc.record({ kind: fc.constant('video'), model, prompt: words, video: fc.constant(asset) }),
  fc.record({ kind: fc.constant('imagine'), prompt: words }),
  fc.record({ kind: fc.constant('edit'), base: fc.constant(asset), mask: fc.constant(asset) }),
);

const nano = fc.integer({ min: 0, max: 1e12 });
const anInterpretation = fc.oneof(
  fc.record({ unit: fc.constant('token'), inputNano: nano, outputNano: nano }),
  fc.record({ unit: fc.constantFrom('second', 'video', 'image'), nano }),
);
const aPrice: fc.Arbitrary<Price> = fc
  .record({
    kind: fc.constantFrom('chat', 'video', 'image'),
    model: fc.constantFrom('m', '*'),
    readings: fc.array(anInterpretation, { minLength: 1, maxLength: 4 }),
  })
  .map((price) => priceSchema.parse(price));

test('what any request comes to can be asked for, and costs the same at any price book', () => {
  fc.assert(
    fc.property(
      aRequest,
      fc.array(aPrice, { maxLength: 4 }),
      fc.integer({ min: 1, max: 9_000 }),
      (given, prices, outputTokens) => {
        const parsed = profileSchema.parse({ baseUrl: 'http://127.0.0.1:9', prices, limits: { outputTokens } });
        const profile = { ...parsed, id: 'p', name: 'P' };
        const request = requestSchema.parse(given as StudioRequest);
        const quantity = pricedQuantitySchema.parse({
          kind: request.kind,
          ...('model' in request ? { model: request.model } : {}),
          quantity: quantityOf(request, outputTokens),
        });
        expect(estimateQuantity(profile, quantity)).toEqual(estimate(profile, request));
      },
    ),
  );
});

/** A gateway's count of tokens is charged only as far as the request makes it possible. */

const request: ChatRequest = { kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'é'.repeat(50) }] };
/** 100 bytes of text and 8 for each message and the frame. */
const INPUT = 116;
/** What a gateway may add to a prompt. */
const OVERHEAD = 1_024;
const limits = { contextTokens: 10_000, outputTokens: 500 };

function count(promptTokens: number, completionTokens: number, more: { text?: string; limits?: typeof limits } = {}) {
  const usage = { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
  return billableTokens(request, { text: more.text ?? 'Hello.', finishReason: 'stop', usage }, more.limits ?? limits);
}

describe('a count', () => {
  test('that is possible is what is charged', () => {
    expect(count(20, 10)).toEqual({ quantity: { inputTokens: 20, outputTokens: 10 } });
    expect(count(0, 0)).toEqual({ quantity: { inputTokens: 0, outputTokens: 0 } });
  });

  test.each([
    ['a prompt, at most its bytes and what a gateway may add', INPUT + OVERHEAD, 10, true],
    ['a prompt of one more', INPUT + OVERHEAD + 1, 10, false],
    ['an answer, hidden reasoning included, at most the context', 20, 10_000, true],
    ['an answer of one more', 20, 10_001, false],
    ['less than nothing', -1, 10, false],
    ['part of a token', 20, 1.5, false],
    ['no number', Number.NaN, 10, false],
  ])('of %s', (_, prompt, completion, isPossible) => {
    const { quantity, rejectedBecause } = count(prompt, completion);
    expect(rejectedBecause === undefined).toBe(isPossible);
    expect(quantity).toEqual(
      isPossible
        ? { inputTokens: prompt, outputTokens: completion }
        : { inputTokens: INPUT, outputTokens: limits.outputTokens },
    );
  });

  test('of an answer may be as many tokens as bytes have come', () => {
    const small = { contextTokens: 50, outputTokens: 10 };
    const text = 'é'.repeat(40);
    expect(count(20, 80 + 2, { text, limits: small }).rejectedBecause).toBeUndefined();
    expect(count(20, 80 + 3, { text, limits: small }).rejectedBecause).toBeDefined();
  });

  test('of a prompt may be above the setting for the context, which is sent to nobody', () => {
    const small = { contextTokens: 30, outputTokens: 10 };
    expect(count(INPUT + OVERHEAD, 10, { limits: small })).toEqual({
      quantity: { inputTokens: INPUT + OVERHEAD, outputTokens: 10 },
    });
    expect(count(INPUT + OVERHEAD + 1, 10, { limits: small }).rejectedBecause).toBeDefined();
  });

  test('that is not believed is reported with both numbers', () => {
    expect(count(1_141, 20_000).rejectedBecause).toBe(
      'The gateway counts 1,141 tokens sent, where at most 1,140 are possible and 20,000 tokens answered, where at most 10,000 are possible. That is not believed',
    );
  });
});
