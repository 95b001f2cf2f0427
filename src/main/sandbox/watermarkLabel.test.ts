import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitLabel, watermarkLabel } from './watermarkLabel.ts';

test.each([
  ['A quay at night', 'A quay at night  ·  seed 7'],
  ['A quay at night, wet stones, two lamps, fog and rain', 'A quay at night, wet stones, two lamps, fog…  ·  seed 7'],
  ['One two three four five six seven, eight, nine', 'One two three four five six seven, eight…  ·  seed 7'],
])('the name of %j on a watermark is cut between words and never ends with a comma', (prompt, label) => {
  expect(watermarkLabel(prompt, 7)).toBe(label);
});

test.each([
  [60, 'A quay at night, wet stones, two lamps, fog…  ·  seed 7'],
  [51, 'A quay at night, wet stones, two lamps…  ·  seed 7'],
  [45, 'A quay at night, wet stones, two…  ·  seed 7'],
  [41, 'A quay at night, wet stones…  ·  seed 7'],
  [36, 'A quay at night, wet…  ·  seed 7'],
  [31, 'A quay at night…  ·  seed 7'],
])('where %i characters fit, a label keeps whole words and its seed', (most, label) => {
  const whole = watermarkLabel('A quay at night, wet stones, two lamps, fog and rain', 7);
  expect(fitLabel(whole, (text) => text.length <= most)).toBe(label);
});

test('whatever fits, the seed is kept and no name ends with a comma', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 90 }), fc.nat(80), (prompt, most) => {
      const text = fitLabel(watermarkLabel(prompt, 12), (label) => label.length <= most);
      expect(text.endsWith('  ·  seed 12')).toBe(true);
      if (!prompt.includes('…')) expect(text).not.toMatch(/[\s,;:–-]…/);
      const whole = watermarkLabel(prompt, 12);
      if (whole.length <= most) expect(text).toBe(whole);
    }),
  );
});
