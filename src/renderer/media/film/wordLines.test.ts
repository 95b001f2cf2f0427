import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesOf } from './wordLines.ts';

const upTo = (letters: number) => (line: string) => line.length <= letters;

test('a text breaks at its own lines, between words, and within a word that is too long', () => {
  expect(linesOf('I counted the lights\nuntil I lost', upTo(12))).toEqual(['I counted', 'the lights', 'until I lost']);
  expect(linesOf('Donaudampfschiff ahoy', upTo(8))).toEqual(['Donaudam', 'pfschiff', 'ahoy']);
});

test('every letter is drawn, and no line is wider than it may be', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 0, max: 20 }), (text, most) => {
      const lines = linesOf(text, upTo(most));
      const bare = (words: string) => words.replaceAll(' ', '').replaceAll('\n', '');
      expect(bare(lines.join(''))).toBe(bare(text));
      const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });
      for (const line of lines) expect(line.length <= most || [...letters.segment(line)].length === 1).toBe(true);
    }),
  );
});
