import { expect, test } from 'vitest';
import { safeProgramName } from './safeProgramName.ts';

test.each([
  ['Claude', 'Claude'],
  ['Jürgen’s tool 2', 'Jürgen’s tool 2'],
  ['Студия', 'Студия'],
  ['Αθήνα', 'Αθήνα'],
  ['AI助手 デイリーズ', 'AI助手 デイリーズ'],
  // Cyrillic С and а in a Latin word.
  ['Сlаude', '‹U+0421›l‹U+0430›ude'],
  // A whole word of letters that look Latin.
  ['Сосоа helper', '‹U+0421›‹U+043E›‹U+0441›‹U+043E›‹U+0430› helper'],
  ['ΑΡΙ 5', '‹U+0391›‹U+03A1›‹U+0399› 5'],
  ['Ｃlaude', '‹U+FF23›laude'],
  ['𝐂laude', '‹U+1D402›laude'],
  ['Cıaude', 'C‹U+0131›aude'],
  ['A” and “B', 'A‹U+201D› and ‹U+201C›B'],
  ['Cla\u200bude', 'Cla‹U+200B›ude'],
  ['photo\u202egpj', 'photo‹U+202E›gpj'],
])('%j is shown as %s', (name, shown) => {
  expect(safeProgramName(name)).toBe(shown);
});
