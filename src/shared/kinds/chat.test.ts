import { expect, test } from 'vitest';
import { approximateTokens } from './chat.ts';

/** Estimates are money: half a character, or a character of two halves, counts as what it is on the screen: one. */
test.each([
  ['', 0],
  ['abcd', 1],
  ['abcde', 2],
  ['港灯', 2],
  ['😀😀', 2],
  ['a😀b', 2],
  ['\ud83d', 1],
  ['\ude00', 1],
  ['\ude00\ude00', 2],
  ['\ud83d\ud83d\ude00', 2],
])('%o is about %i tokens', (text, tokens) => {
  expect(approximateTokens(text)).toBe(tokens);
});
