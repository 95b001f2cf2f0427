import { expect, test } from 'vitest';
import type { CallInput } from '../../../../shared/contract/contract.ts';
import { jobsListSchema } from '../../../../shared/jobs/lists.ts';
import { walksManyJobs } from './filter.ts';

test.each<[CallInput<'jobs.list'>, boolean]>([
  [{}, false],
  [{ offset: 5_000, order: 'queue' }, false],
  [{ offset: 500_000, order: 'queue' }, true],
  [{ states: ['failed'] }, true],
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
