import { expect, it } from 'vitest';
import type { Job } from '../../shared/job.ts';
import { jobTitle } from './jobTitle.ts';

it('shows what would turn the words behind a title around', () => {
  const job = { kind: 'video', request: { kind: 'video', model: 'm', prompt: 'a quay\u202e at night' } } as Job;
  expect(jobTitle(job)).toBe('a quay‹U+202E› at night');
});
