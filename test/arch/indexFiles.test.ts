import { expect, test } from 'vitest';
import { codeInIndex, indexFilesWithCode } from './indexFiles.ts';

test('an index file only re-exports', () => {
  expect(indexFilesWithCode()).toEqual([]);
});

test.each([
  ["export { Night } from './night.ts';\nexport * from './window.ts';\nimport './page.css';", 0],
  ["import { Night } from './night.ts';\nexport class Nights extends Night {}", 2],
  ['export const call = () => undefined;', 1],
])('code in an index is found: %s', (text, count) => {
  expect(codeInIndex(text)).toHaveLength(count);
});
