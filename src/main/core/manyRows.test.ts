import { expect, test } from 'vitest';
import { libraryListSchema } from '../../shared/asset.ts';
import type { CallInput } from '../../shared/contract.ts';
import { jobsListSchema } from '../../shared/lists.ts';
import { walksMany, walksManyAssets } from './manyRows.ts';

/** Bug: at a million jobs, to scroll to the middle held up the program for a tenth of a second, since what is skipped is walked. */
test.each<[CallInput<'jobs.list'>, boolean]>([
  [{}, false],
  [{ offset: 5_000, states: ['succeeded'] }, false],
  [{ offset: 500_000 }, true],
  [{ text: 'a' }, true],
  [{ text: ' ' }, false],
  [{ from: 1 }, true],
])('jobs that walk many are read elsewhere: %j', (input, expected) => {
  expect(walksMany(jobsListSchema.parse(input))).toBe(expected);
});

test.each<[CallInput<'library.list'>, boolean]>([
  [{}, false],
  [{ cursor: '500000', limit: 100, roles: [], sort: { by: 'made' } }, false],
  [{ offset: 5_000, upTo: 1 }, false],
  [{ offset: 500_000 }, true],
  [{ roles: ['output'] }, true],
  [{ days: true }, true],
])('assets that walk many are read elsewhere: %j', (input, expected) => {
  expect(walksManyAssets(libraryListSchema.parse(input))).toBe(expected);
});
