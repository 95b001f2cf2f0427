import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanName } from './content/uploadChecks.ts';

const words = 'A quay at night, wet stones, '.repeat(8);

test.each([
  ['C:\\films\\take\u0007 7.mp4', 'take 7.mp4'],
  ['  ', 'Untitled'],
  [`${'a'.repeat(196)}.png`, `${'a'.repeat(196)}.png`],
  ['two  spaces.png', 'two  spaces.png'],
  [`${words}.png`, `${'A quay at night, wet stones, '.repeat(6)}A quay at night, wet….png`],
  [`${'a'.repeat(300)}.png`, `${'a'.repeat(195)}….png`],
  [`${'🌊'.repeat(150)}.png`, `${'🌊'.repeat(97)}….png`],
  [`quay. ${words}`, `quay. ${'A quay at night, wet stones, '.repeat(6)}A quay at night…`],
])('a name is of limited length, and keeps its ending: %#', (given, name) => {
  expect(cleanName(given)).toBe(name);
});

test('a name is never longer than 200, nor cut inside a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (given) => {
      const name = cleanName(given);
      expect(name.length).toBeLessThanOrEqual(200);
      expect(name.isWellFormed()).toBe(true);
    }),
  );
});
