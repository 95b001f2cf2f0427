import type { Job } from './job.ts';
import { isPlayMoney } from './profile.ts';

/** The jobs that may be summed together: those of real money or, if there are none, of play money. The two are never added. */
export function oneSide(jobs: readonly Job[]): readonly Job[] {
  const real = jobs.filter(({ profileId }) => !isPlayMoney(profileId));
  return real.length > 0 ? real : jobs;
}
