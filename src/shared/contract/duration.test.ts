import { expect, test } from 'vitest';
import { durationWords } from './duration.ts';

test.each([
  [0, '0.0 s'],
  [5, '5.0 s'],
  [59.94, '59.9 s'],
  [59.96, '1 min'],
  [60, '1 min'],
  [65.4, '1 min 5 s'],
  [119.7, '2 min'],
  [3_599.6, '1 h'],
  [3_605, '1 h 5 s'],
  [10_774, '2 h 59 min 34 s'],
  [86_400, '24 h'],
])('%d seconds are %s', (seconds, words) => {
  expect(durationWords(seconds)).toBe(words);
});

test('the decimals of the seconds can be given, where two lengths are compared or all are whole', () => {
  expect(durationWords(20, 0)).toBe('20 s');
  expect(durationWords(800, 0)).toBe('13 min 20 s');
  expect(durationWords(12.3456, 3)).toBe('12.346 s');
  expect(durationWords(10_774.0004, 3)).toBe('2 h 59 min 34.000 s');
});
