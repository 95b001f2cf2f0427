import { isPlayMoney } from '../gateway/profile.ts';
import type { Job } from '../jobs/job.ts';
import type { Verdict } from '../jobs/verdict.ts';
import type { Nano } from './money.ts';

/** Why something is not kept: the verdict, `none` without one, `failed` for a charge without result. */
export type NotKept = Exclude<Verdict, 'keep'> | 'none' | 'failed';

/** The output of one model, project or month: made, kept and spent, without chats. Nano-dollars at the higher price. */
export interface KeptRow {
  /** A model, a project id, or a month `2026-11`; empty if there is none. */
  key: string;
  /** Counted by the charged quantities. */
  madeSeconds: number;
  madeImages: number;
  /** Of jobs with the verdict `keep`. */
  keptSeconds: number;
  keptImages: number;
  spentNano: Nano;
  /** At the lower price if the unit is not known. */
  spentLowNano: Nano;
  /** Spend on clips per kept second, rounded up; absent if none is kept. */
  perKeptSecondNano?: Nano;
  perKeptSecondLowNano?: Nano;
  /** Spend on pictures per kept one, rounded up; absent if none is kept. */
  perKeptImageNano?: Nano;
  perKeptImageLowNano?: Nano;
  /** Spend on everything not kept. */
  notKeptNano: Nano;
  notKept: { verdict: NotKept; seconds: number; images: number; nano: Nano }[];
  /** Jobs with no price set, in no other figure. */
  unpriced: number;
}

/** The jobs that may be summed: those with real money or, if there are none, with test money. */
export function summableJobs(jobs: readonly Job[]): readonly Job[] {
  const real = jobs.filter(({ profileId }) => !isPlayMoney(profileId));
  return real.length > 0 ? real : jobs;
}
