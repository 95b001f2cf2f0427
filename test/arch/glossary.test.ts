import { expect, test } from 'vitest';
import { replacedWords, replacedWordsIn } from './glossary.ts';

test('no identifier uses a word that the glossary has replaced', () => {
  expect(replacedWords()).toEqual([]);
});

test.each(['const deedWords = 1;', 'type Custody = 1;', 'work({ commissions: 1 });', 'function auditionOf() {}'])(
  'refuses %s',
  (text) => {
    expect(replacedWordsIn('src/planted.ts', text)).toHaveLength(1);
  },
);

test.each(["const words = 'deed';", 'const permission = 1;', 'const indeed = 1;'])('accepts %s', (text) => {
  expect(replacedWordsIn('src/planted.ts', text)).toEqual([]);
});

test('the engine says what is scheduled and enqueued, and the pages may not yet', () => {
  expect(replacedWordsIn('src/main/core/night/planted.ts', 'const armedRun = isOrdering;')).toHaveLength(2);
  expect(replacedWordsIn('src/renderer/planted.ts', 'const armedRun = isOrdering;')).toEqual([]);
});

test('the library has a location, and what a move copies is not kept', () => {
  const planted = 'const libraryPlace = keptFiles;';
  expect(replacedWordsIn('src/main/core/library/moving/planted.ts', planted)).toHaveLength(2);
  expect(replacedWordsIn('src/main/core/library/bin/planted.ts', planted)).toHaveLength(1);
  expect(replacedWordsIn('src/main/core/jobs/planted.ts', planted)).toEqual([]);
});
