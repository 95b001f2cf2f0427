import type { Job } from '../../shared/jobs/job.ts';
import { t } from '../../shared/text/texts.ts';
import { formatSpan } from '../ui/index.ts';
import { useStudio } from './state/studio.ts';
import { useNow } from './state/useCall.ts';

/** Services report the first few percent at once, and the last few long before the end: outside of these the figure says nothing. */
const HONEST = { from: 10, to: 95 };

type Running = Pick<Job, 'progress' | 'sentAt' | 'usualMs' | 'reason' | 'profileId'>;

const MINUTE_MS = 60_000;

/** Of what is at a gateway that cannot be asked: when it was last heard of. */
export function seenWords(profileId: string, now: number): string {
  const seenAt = useStudio.getState().atGateway[profileId]?.seenAt;
  if (seenAt === undefined) return t`At the gateway`;
  const minutes = Math.max(1, Math.round((now - seenAt) / MINUTE_MS));
  return minutes < 120
    ? t`At the gateway, last seen ${minutes} min ago`
    : t`At the gateway, last seen ${Math.round(minutes / 60)} h ago`;
}

/** How many milliseconds it still needs: by its own progress, else by what such jobs took; 0 where neither tells. */
export function leftMs({ progress, sentAt, usualMs }: Running, now: number): number {
  const elapsed = now - (sentAt ?? now);
  const isHonest = progress >= HONEST.from && progress <= HONEST.to && elapsed > 0;
  return Math.max(0, isHonest ? (elapsed * (100 - progress)) / progress : (usualMs ?? 0) - elapsed);
}

/** `about 40 s left`, `about 2 min left`; undefined where that is not known. */
export function leftWords(ms: number): string | undefined {
  if (ms === 0) return undefined;
  const seconds = Math.max(5, Math.round(ms / 5_000) * 5);
  return seconds < 60 ? t`about ${seconds} s left` : t`about ${Math.round(seconds / 60)} min left`;
}

/** How long a job at the service still needs, or for how long it has been there: `finishing, 3:10 so far`, `0:12 so far`; or why it is not asked. */
export function runningWords(job: Running, now: number): string {
  const { progress, sentAt, reason } = job;
  // Nobody has asked how far it is.
  if (reason === 'key') return seenWords(job.profileId, now);
  const left = leftWords(leftMs(job, now));
  if (left !== undefined) return left;
  const clock = sentAt === undefined ? undefined : t`${formatSpan(now - sentAt)} so far`;
  return [progress > HONEST.to ? t`finishing` : undefined, clock].filter((part) => part !== undefined).join(', ');
}

/** The same, counting on; nothing while the job is not running. */
export function useRunningWords(job: (Running & Pick<Job, 'state'>) | undefined): string | undefined {
  const isRunning = job?.state === 'running';
  const now = useNow(isRunning ? 1_000 : undefined);
  return isRunning ? runningWords(job, now) || undefined : undefined;
}
