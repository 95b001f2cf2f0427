import type { Job } from '../../shared/job.ts';
import { WAITS_FOR_KEY } from '../../shared/profile.ts';
import { t } from '../../shared/texts.ts';
import { formatSpan } from '../ui/index.ts';
import { useNow } from './state/useCall.ts';

/** Services report the last few percent long before the end: above this the figure says nothing, and the clock alone counts. */
const HONEST_PERCENT = 95;

/**
 * How far a job is at the service, and for how long: `62 %, 1:05`; `finishing, 3:10`; `0:12` where the service reports no progress; or why
 * it is not asked.
 */
export function runningWords(
  { progress, sentAt, reason }: Pick<Job, 'progress' | 'sentAt' | 'reason'>,
  now: number,
): string {
  // Nobody has asked how far it is.
  if (reason === 'key') return WAITS_FOR_KEY;
  const done = progress > HONEST_PERCENT ? t`finishing` : progress > 0 ? `${Math.floor(progress)} %` : undefined;
  const clock = sentAt === undefined ? undefined : formatSpan(now - sentAt);
  return [done, clock].filter((part) => part !== undefined).join(', ');
}

/** The same, counting on; nothing while the job is not running. */
export function useRunningWords(
  job: Pick<Job, 'state' | 'progress' | 'sentAt' | 'reason'> | undefined,
): string | undefined {
  const isRunning = job?.state === 'running';
  const now = useNow(isRunning ? 1_000 : undefined);
  return isRunning ? runningWords(job, now) || undefined : undefined;
}
