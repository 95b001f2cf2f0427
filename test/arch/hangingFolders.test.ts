import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from './source.ts';
import { root } from './tools.ts';

/** A user's folder may be on a share that never answers, where a synchronous call would stop the whole program. */
const ASYNCHRONOUS = /^src\/main\/core\/(library|exports|film|imports|bundle)\//;

/** Their synchronous calls are about folders that the user did not name. */
const ELSEWHERE = [
  // The data folder.
  'src/main/core/bundle/openBundle.ts',
  // In the data folder: where the library is.
  'src/main/core/library/content/location.ts',
];

test('no synchronous call of the file system touches a folder that the user named', () => {
  const isFound = (file: string) => /\b(?!inflateSync)\w+Sync\(/.test(readFileSync(join(root, file), 'utf8'));
  expect(sourceFiles().filter((file) => ASYNCHRONOUS.test(file) && isFound(file))).toEqual(ELSEWHERE);
});
