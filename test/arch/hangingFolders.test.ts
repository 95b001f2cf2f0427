import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from './source.ts';
import { root } from './tools.ts';

/** A folder of the user's may lie on a share that never answers: a synchronous call there stops the whole program. */
const ASYNCHRONOUS = /^src\/main\/core\/(library|exports|film|imports|bundle)\//;

/** What these call synchronously is no folder that the user named. */
const ELSEWHERE = [
  // The data folder.
  'src/main/core/bundle/openBundle.ts',
  // In the data folder: where the library is.
  'src/main/core/library/content/place.ts',
];

test('no synchronous call of the file system touches a folder that the user named', () => {
  const isFound = (file: string) => /\b(?!inflateSync)\w+Sync\(/.test(readFileSync(join(root, file), 'utf8'));
  expect(sourceFiles().filter((file) => ASYNCHRONOUS.test(file) && isFound(file))).toEqual(ELSEWHERE);
});
