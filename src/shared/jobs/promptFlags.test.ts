import fc from 'fast-check';
import { expect, test } from 'vitest';
import { composePromptFlags, flagValue, parsePromptFlags, withFlag } from './promptFlags.ts';
import { withinChoices } from './promptMatrix.ts';

test('known and unknown flags are kept in order, with their values', () => {
  const parsed = parsePromptFlags('A night quay, rain --v 7 --ar 16:9 --weird 250 --tile --q 2');
  expect(parsed.text).toBe('A night quay, rain');
  expect(parsed.flags.map(({ name, value }) => `${name}=${value}`)).toEqual([
    'v=7',
    'ar=16:9',
    'weird=250',
    'tile=',
    'q=2',
  ]);
  expect(composePromptFlags(parsed)).toBe('A night quay, rain --v 7 --ar 16:9 --weird 250 --tile --q 2');
});

test('typographic dashes count as flags; a dash inside the text does not', () => {
  expect(parsePromptFlags('A well-lit quay — at night').flags).toEqual([]);
  expect(flagValue(parsePromptFlags('Quay —ar 3:2'), 'ar')).toBe('3:2');
});

test('a flag within a choice is none of the text, and a choice may be the value of one', () => {
  const set = (prompt: string, value: string) =>
    composePromptFlags(withFlag(parsePromptFlags(prompt, withinChoices(prompt)), 'v', value));
  expect(set('{red|blue --v 7}', '6')).toBe('{red|blue --v 7} --v 6');
  expect(set('A {red --q 2|{blue|green} --v 7} quay --ar 1:1', '6')).toBe(
    'A {red --q 2|{blue|green} --v 7} quay --ar 1:1 --v 6',
  );
  expect(set('A quay --v {6|7 --q 2}', '6')).toBe('A quay --v 6');
  expect(set('A {quay --v 7}', '6')).toBe('A {quay --v 6');
});

test('the last of two counts, and setting it leaves one', () => {
  const twice = parsePromptFlags('x --ar 1:1 --v 6 --ar 16:9');
  expect(flagValue(twice, 'ar')).toBe('16:9');
  expect(composePromptFlags(withFlag(twice, 'ar', '9:16'))).toBe('x --v 6 --ar 9:16');
  expect(composePromptFlags(withFlag(twice, 'ar', undefined))).toBe('x --v 6');
  expect(composePromptFlags(withFlag(twice, 'q', '2'))).toBe('x --ar 1:1 --v 6 --ar 16:9 --q 2');
});

test('parse and compose lose nothing, whatever the flags', () => {
  const word = fc.stringMatching(/^[a-z0-9:.]{1,8}$/);
  const flags = fc.array(
    fc.record({ name: fc.stringMatching(/^[a-z]{1,6}$/), value: fc.oneof(fc.constant(''), word) }),
    { maxLength: 6 },
  );
  const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(text, flags, (words, list) => {
      const prompt = { text: words, flags: list };
      expect(parsePromptFlags(composePromptFlags(prompt))).toEqual(prompt);
    }),
  );
});
