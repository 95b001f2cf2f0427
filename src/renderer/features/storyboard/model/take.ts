import type { Asset } from '../../../../shared/asset.ts';
import type { Job } from '../../../../shared/job.ts';
import { kindOf } from '../../../../shared/kinds/index.ts';

/** A take as the page shows it: its job, where that is known, and the clips it made. */
export interface TakeView {
  jobId: string;
  /** Counts from 1, oldest first. */
  number: number;
  job: Job | undefined;
  clips: Asset[];
  /** The candidate that is looked at, and its place among them. */
  clip: Asset | undefined;
  clipIndex: number;
}

/** The seed that a take was sent with: with it, the same take can be made again. */
export const seedOf = (take: Pick<TakeView, 'job'> | undefined): number | undefined =>
  take?.job && kindOf(take.job).seed(take.job.request);
