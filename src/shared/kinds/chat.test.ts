import { expect, test } from 'vitest';
import { GO_ON } from '../chat/finish.ts';
import { approximateTokens, type ChatMessage, type ChatRequest, chat, chatRequestSchema, contextOf } from './chat.ts';

/** A character of two UTF-16 units, or half of one, counts as one character of an estimate. */
test.each([
  ['', 0],
  ['abcd', 1],
  ['abcde', 2],
  ['港灯', 2],
  ['é', 1],
  ['éé', 2],
  ['😀😀', 2],
  ['a😀b', 2],
  ['\ud83d', 1],
  ['\ude00', 1],
  ['\ude00\ude00', 2],
  ['\ud83d\ud83d\ude00', 2],
])('%o is about %i tokens', (text, tokens) => {
  expect(approximateTokens(text)).toBe(tokens);
});

test('the reasoning and the signatures that go back with calls are counted', () => {
  const call = { id: 'c1', name: 'f', arguments: '{}' };
  const plain: ChatMessage = { role: 'assistant', content: '', toolCalls: [call] };
  const full = { ...plain, reasoning: 'x'.repeat(400), toolCalls: [{ ...call, thoughtSignature: 'y'.repeat(800) }] };
  const request = (message: ChatMessage): ChatRequest => ({ kind: 'chat', model: 'm', messages: [message] });
  const most = (message: ChatMessage) => chat.most(request(message), { outputTokens: 0 }).inputTokens;
  expect(contextOf(request(full)) - contextOf(request(plain))).toBe(300);
  expect(most(full) - most(plain)).toBeGreaterThanOrEqual(1_200);
  expect(chatRequestSchema.safeParse(request(full)).success).toBe(true);
  const said = { role: 'assistant' as const, content: 'Hi', reasoning: 'x' };
  expect(chatRequestSchema.safeParse(request(said)).success).toBe(false);
});

test('what is asked is the last question, also where the model was asked to go on', () => {
  const messages = [
    { role: 'user' as const, content: 'Names for the boat' },
    { role: 'assistant' as const, content: 'Aur' },
    { role: 'user' as const, content: GO_ON },
  ];
  expect(chat.promptText({ kind: 'chat', model: 'm', messages })).toBe('Names for the boat');
});
