import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortened } from './shortened.ts';

test.each([
  ['A quay at night', 20, 'A quay at night'],
  ['A quay at night, wet stones, low light', 17, 'A quay at night…'],
  ['A quay at night, wet stones', 16, 'A quay at night…'],
  ['One: two – three', 12, 'One: two…'],
  ['  two\n lines\t here ', 40, 'two lines here'],
  ['Donaudampfschifffahrtsgesellschaft', 10, 'Donaudamp…'],
  ['🌊🌊🌊🌊🌊🌊', 6, '🌊🌊…'],
  ['', 10, ''],
])('%j in %i characters is %j', (text, longest, name) => {
  expect(shortened(text, longest)).toBe(name);
});

test('a name is never longer than its room, never cut inside a character, and never ends with a comma', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 4, max: 80 }), (text, longest) => {
      const name = shortened(text, longest);
      expect(name.length).toBeLessThanOrEqual(longest);
      expect(name.isWellFormed()).toBe(true);
      if (name.endsWith('…') && !text.includes('…')) expect(name).not.toMatch(/[\s,;:–-]…$/);
    }),
  );
});
