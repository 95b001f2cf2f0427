import type { Verdict } from '../../shared/job.ts';
import { call } from '../client/index.ts';
import { showRefusal } from './refusals.ts';
import { cacheJobs } from './state/entities.ts';

/** Judges a job, or takes its verdict back (undefined). Answers whether that is saved; if it is not, it shows why. */
export async function saveVerdict(id: string, verdict: Verdict | undefined): Promise<boolean> {
  const answer = await call('jobs.judge', { id, verdict: verdict ?? null });
  if (answer.ok) cacheJobs([answer.data]);
  else showRefusal(answer.error);
  return answer.ok;
}
