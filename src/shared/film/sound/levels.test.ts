import { expect, test } from 'vitest';
import { isAudible } from './levels.ts';

test.each([
  [-59.9, true],
  [-60, true],
  [-60.1, false],
  [0, true],
  [Number.NEGATIVE_INFINITY, false],
  [null, false],
  [undefined, false],
])('a loudness of %s is heard: %j', (lufs, heard) => {
  expect(isAudible(lufs)).toBe(heard);
});
