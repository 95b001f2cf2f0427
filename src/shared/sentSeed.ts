import type { Job } from './job.ts';
import { kindOf } from './kinds/index.ts';
import { t } from './texts.ts';

type Seeded = Pick<Job, 'request' | 'omitted'>;

/** Whether it has a seed that was not sent: its gateway takes none. */
export const isSeedUnsent = ({ omitted }: Pick<Job, 'omitted'>): boolean => omitted?.includes('seed') ?? false;

/** The seed that a job was sent with, or is to be: with it, the same result can be made again. */
export const sentSeedOf = (job: Seeded): number | undefined =>
  isSeedUnsent(job) ? undefined : kindOf(job.request).seed(job.request);

export const UNSENT_SEED = t`not sent: this gateway takes no seed`;
