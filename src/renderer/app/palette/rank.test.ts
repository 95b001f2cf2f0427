import { expect, it } from 'vitest';
import { ranked } from './rank.ts';

const items = [
  { label: 'Export film', words: 'mp4 save' },
  { label: 'Save the subtitles' },
  { label: 'Open a bundle', words: 'file export' },
  { label: 'Export with sidecars', isElsewhere: true },
  { label: 'Reuse prompt' },
];
const found = (query: string) => ranked(query, items).map(({ label }) => label);

it('the label’s beginning comes first, then its words, then other words; what is elsewhere is last', () => {
  expect(found('export')).toEqual(['Export film', 'Open a bundle', 'Export with sidecars']);
  expect(found('sav')).toEqual(['Save the subtitles', 'Export film']);
  expect(found('film')).toEqual(['Export film']);
});

it('every word has to fit, in any order and case', () => {
  expect(found('FILM exp')).toEqual(['Export film']);
  expect(found('export prompt')).toEqual([]);
  expect(found('xport')).toEqual([]);
  expect(found(' ')).toEqual([]);
});
