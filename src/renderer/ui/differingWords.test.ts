import { expect, test } from 'vitest';
import { differingWords } from './differingWords.tsx';

const marked = (before: string, text: string) =>
  differingWords(before, text)
    ?.map(({ text: part, is }) => (is === 'same' ? part : is === 'added' ? `[+${part}]` : `[-${part}]`))
    .join('');

test('words that were put in and taken out are marked, and nothing else', () => {
  expect(marked('a wet window, warm light', 'a wet window, colder light')).toBe('a wet window, [-warm][+colder] light');
  expect(marked('a ferry', 'a ferry at night')).toBe('a ferry [+at night]');
  expect(marked('the same', 'the same')).toBe('the same');
});

test('words of a language without spaces are told apart', () => {
  expect(marked('港の赤い灯り', '港の青い灯り')).toMatch(/^港の\[-赤い\]\[\+青い\]灯り$/);
});

test('the new text is whole, whatever is marked in it', () => {
  const [before, text] = ['One, two — three!\n\nFour.', 'One, 2 — three?\nFour, five.'];
  const parts = differingWords(before, text) ?? [];
  const kept = parts.filter(({ is }) => is !== 'removed').map((part) => part.text);
  expect(kept.join('')).toBe(text);
});

test('texts with too little in common are not marked at all', () => {
  const words = (of: string) => Array.from({ length: 5_000 }, (_, n) => `${of}${n}`).join(' ');
  expect(differingWords(words('a'), words('b'))).toBeUndefined();
});
