import { expect, test } from 'vitest';
import { knownRecent, recentIn, withRecent } from './recentProjects.ts';

test('the project that is opened comes first, once, and ten are kept', () => {
  expect(withRecent(['a', 'b', 'c'], 'b')).toEqual(['b', 'a', 'c']);
  const many = Array.from({ length: 10 }, (_, at) => `${at}`);
  expect(withRecent(many, 'new')).toEqual(['new', ...many.slice(0, 9)]);
});

test('only those that are there are shown, by the name they have now', () => {
  expect(
    knownRecent(
      ['b', 'gone', 'a'],
      [
        { id: 'a', name: 'A' },
        { id: 'b', name: 'New name' },
      ],
    ),
  ).toEqual([
    { id: 'b', name: 'New name' },
    { id: 'a', name: 'A' },
  ]);
});

test('a settings file with anything else holds none', () => {
  for (const value of [undefined, null, 'a', { 0: 'a' }]) expect(recentIn(value)).toEqual([]);
  expect(recentIn(['a', 3, 'x'.repeat(300)])).toEqual(['a']);
});
