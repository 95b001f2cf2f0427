import { expect, test } from 'vitest';
import { DIRECTOR_TOOLS } from '../../../../shared/chat/director/tools.ts';
import { limitsSchema } from '../../../../shared/gateway/profileLimits.ts';
import { approximateTokens, type ChatRequest } from '../../../../shared/kinds/chat.ts';
import { chatDriver } from './chat.ts';

/** What an answer is charged for where the service has not counted it, or only a part of it. */

const request: ChatRequest = {
  kind: 'chat',
  model: 'language',
  messages: [{ role: 'user', content: 'A quay at night' }],
};
const TEXT = 'x'.repeat(400);

function counted(promptTokens: number, completionTokens: number, text = TEXT) {
  const usage = { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
  return chatDriver.countUsage(request, { text, finishReason: 'stop', usage }, limitsSchema.parse({}));
}

test.each([
  [0, 0, 8, 100],
  [0, 120, 8, 120],
  [25, 0, 25, 100],
])('of %i and %i tokens, a zero is not believed beside words', (prompt, completion, inputTokens, outputTokens) => {
  expect(counted(prompt, completion)).toMatchObject({
    quantity: { inputTokens, outputTokens },
    note: 'Tokens estimated',
  });
});

test('the tools that a request offers are counted with its words', () => {
  const offering = { ...request, tools: DIRECTOR_TOOLS };
  const answer = { text: TEXT, finishReason: 'stop' };
  const { quantity } = chatDriver.countUsage(offering, answer, limitsSchema.parse({}));
  expect(quantity.inputTokens).toBe(8 + approximateTokens(JSON.stringify(DIRECTOR_TOOLS)));
});

test('an answer without a word may have none', () => {
  expect(counted(25, 0, '')).toEqual({ quantity: { inputTokens: 25, outputTokens: 0 }, hasCounted: true });
  expect(counted(0, 0, '')).toEqual({ quantity: { inputTokens: 0, outputTokens: 0 }, hasCounted: true });
});

test('a count of the beginning is none of all that came', () => {
  expect(counted(25, 1).hasCounted).toBe(false);
  expect(counted(25, 90, 'Море спокойно. '.repeat(20)).hasCounted).toBe(true);
  expect(counted(25, 80)).toEqual({ quantity: { inputTokens: 25, outputTokens: 80 }, hasCounted: true });
});

test('what was in a cache is kept beside the count, as far as the service says it', () => {
  const usage = { promptTokens: 25, completionTokens: 90, totalTokens: 115, cachedTokens: 20, cacheWriteTokens: 0 };
  const { quantity } = chatDriver.countUsage(
    request,
    { text: TEXT, finishReason: 'stop', usage },
    limitsSchema.parse({}),
  );
  expect(quantity).toEqual({ inputTokens: 25, outputTokens: 90, cachedTokens: 20, cacheWriteTokens: 0 });
  expect(counted(25, 90).quantity).toEqual({ inputTokens: 25, outputTokens: 90 });
});

test('a picture that the service has not counted has as many tokens as one of the usual size', () => {
  const limits = limitsSchema.parse({});
  const answer = { text: '', finishReason: 'stop', pictures: 2 };
  expect(chatDriver.countUsage(request, answer, limits).quantity).toEqual({ inputTokens: 8, outputTokens: 2_580 });
  const usage = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };
  expect(chatDriver.countUsage(request, { ...answer, usage }, limits)).toMatchObject({
    quantity: { inputTokens: 8, outputTokens: 2_580 },
    hasCounted: false,
  });
});
