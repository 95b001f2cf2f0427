import type { Job } from '../../../shared/job.ts';

/** What a job waits for, where its state alone does not say it. */
export function wordsOf(job: Job): string | undefined {
  if (job.state === 'running' && job.progress > 0) return `${Math.floor(job.progress)} %`;
  if (job.state !== 'blocked') return undefined;
  const words: Partial<Record<NonNullable<Job['reason']>, string>> = {
    dependency: 'Waits for another take',
    budget: 'Waits for budget',
    offline: 'Waits for the gateway',
    rate: 'Waits for the rate limit',
    window: 'Waits for the night',
    paused: 'The queue is paused',
    key: 'Needs a key',
    auth: 'The key was refused',
    quota: 'Out of quota',
  };
  return job.reason && words[job.reason];
}
