import { expect, test } from 'vitest';
import { shownName } from './shownName.ts';

test('a name that turns its reading direction shows where and how', () => {
  expect(shownName('photo\u202egpj.exe')).toBe('photo‹U+202E›gpj.exe');
  expect(shownName('\u061c\u200e\u200f\u202a\u2066\u2069')).toBe('‹U+061C›‹U+200E›‹U+200F›‹U+202A›‹U+2066›‹U+2069›');
});

test.each(['clip.mp4', 'שלום.png', 'صورة.jpg', '👩‍👧 a.png', 'می‌خواهم'])('%s stays as it is', (name) => {
  expect(shownName(name)).toBe(name);
});
