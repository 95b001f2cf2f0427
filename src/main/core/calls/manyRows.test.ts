import { expect, test } from 'vitest';
import type { CallInput } from '../../../shared/contract/contract.ts';
import { jobsListSchema } from '../../../shared/jobs/lists.ts';
import { libraryListSchema } from '../../../shared/library/asset.ts';
import { walksManyAssets, walksManyJobs } from './manyRows.ts';

test.each<[CallInput<'jobs.list'>, boolean]>([
  [{}, false],
  [{ offset: 500_000 }, false],
  [{ offset: 500_000, order: 'queue' }, false],
  [{ offset: 500_000, states: ['succeeded', 'failed'], models: ['m'] }, false],
  [{ offset: 500_000, states: ['queued'] }, true],
  [{ order: 'queue', states: ['queued', 'blocked'], projectId: 'p', kinds: ['video'] }, false],
  [{ states: ['queued'], projectId: 'p', kinds: ['video'] }, false],
  [{ projectId: 'p', kinds: ['video'] }, true],
  [{ costInDoubt: true, play: false }, false],
  [{ text: 'a' }, true],
  [{ text: ' ' }, false],
  [{ from: 1 }, true],
])('jobs that walk many are read elsewhere: %j', (input, expected) => {
  expect(walksManyJobs(jobsListSchema.parse(input))).toBe(expected);
});

test.each<[CallInput<'library.list'>, boolean]>([
  [{}, false],
  [{ cursor: '500000', limit: 100, roles: [], sort: { by: 'made' } }, false],
  [{ offset: 500_000, upTo: 1 }, false],
  [{ offset: 500_000, sort: { by: 'cost' } }, true],
  [{ roles: ['output'] }, true],
  [{ days: true }, false],
])('assets that walk many are read elsewhere: %j', (input, expected) => {
  expect(walksManyAssets(libraryListSchema.parse(input), true)).toBe(expected);
});

test('days that are not counted yet are counted elsewhere', () => {
  expect(walksManyAssets(libraryListSchema.parse({ days: true }), false)).toBe(true);
  expect(walksManyAssets(libraryListSchema.parse({}), false)).toBe(false);
});
