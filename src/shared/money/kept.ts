import { isPlayMoney } from '../gateway/profile.ts';
import type { Job } from '../jobs/job.ts';
import type { Verdict } from '../jobs/verdict.ts';
import type { Nano } from './money.ts';

/** Why something is not kept: the verdict, `none` without one, `failed` where a charge brought no result. */
export type NotKept = Exclude<Verdict, 'keep'> | 'none' | 'failed';

/** What one model, project or month made, kept and spent. Chats count nowhere. Amounts are in nano-dollars at the higher price. */
export interface KeptRow {
  /** A model, a project id, or a month `2026-11`; empty where there is none. */
  key: string;
  /** By the quantities that were charged. */
  madeSeconds: number;
  madeImages: number;
  /** Of jobs with the verdict `keep`. */
  keptSeconds: number;
  keptImages: number;
  spentNano: Nano;
  /** The same at the lower price where the unit is not known. */
  spentLowNano: Nano;
  /** All that was spent on clips for each kept second, rounded up; left out where none is kept. */
  perKeptSecondNano?: Nano;
  perKeptSecondLowNano?: Nano;
  /** All that was spent on pictures for each kept one, rounded up; left out where none is kept. */
  perKeptImageNano?: Nano;
  perKeptImageLowNano?: Nano;
  /** What was spent on everything else than what is kept. */
  notKeptNano: Nano;
  notKept: { verdict: NotKept; seconds: number; images: number; nano: Nano }[];
  /** Jobs without a known price: none of the other figures holds them. */
  unpriced: number;
}

/** The jobs that may be summed together: those of real money or, if there are none, of play money. The two are never added. */
export function oneSide(jobs: readonly Job[]): readonly Job[] {
  const real = jobs.filter(({ profileId }) => !isPlayMoney(profileId));
  return real.length > 0 ? real : jobs;
}
