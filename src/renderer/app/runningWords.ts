import type { Job } from '../../shared/jobs/job.ts';
import { t } from '../../shared/text/texts.ts';
import { formatSpan } from '../ui/index.ts';
import { useStudio } from './state/studio.ts';
import { useNow } from './state/useCall.ts';

/** Gateways report the first few percent at once and the last few long before the end: outside this range progress says nothing. */
const HONEST = { from: 10, to: 95 };

type Running = Pick<Job, 'progress' | 'sentAt' | 'usualMs' | 'reason' | 'profileId'>;

const MINUTE_MS = 60_000;

/** When a gateway that cannot be asked was last reached. */
export function seenWords(profileId: string, now: number): string {
  const seenAt = useStudio.getState().atGateway[profileId]?.seenAt;
  if (seenAt === undefined) return t`At the gateway`;
  const minutes = Math.max(1, Math.round((now - seenAt) / MINUTE_MS));
  return minutes < 120
    ? t`At the gateway, last seen ${minutes} min ago`
    : t`At the gateway, last seen ${Math.round(minutes / 60)} h ago`;
}

/** The remaining milliseconds: by the job's progress, else by what such jobs took; 0 if neither is known. */
export function leftMs({ progress, sentAt, usualMs }: Running, now: number): number {
  const elapsed = now - (sentAt ?? now);
  const isHonest = progress >= HONEST.from && progress <= HONEST.to && elapsed > 0;
  return Math.max(0, isHonest ? (elapsed * (100 - progress)) / progress : (usualMs ?? 0) - elapsed);
}

/** `about 40 s left`, `about 2 min left`; undefined if unknown. */
export function leftWords(ms: number): string | undefined {
  if (ms === 0) return undefined;
  const seconds = Math.max(5, Math.round(ms / 5_000) * 5);
  return seconds < 60 ? t`about ${seconds} s left` : t`about ${Math.round(seconds / 60)} min left`;
}

/**
 * The remaining time of a job at the gateway, or how long it has been there: `finishing, 3:10 so far`, `0:12 so far`; or why the gateway is
 * not asked.
 */
export function runningWords(job: Running, now: number): string {
  const { progress, sentAt, reason } = job;
  // Without a key its progress is not polled.
  if (reason === 'key') return seenWords(job.profileId, now);
  const left = leftWords(leftMs(job, now));
  if (left !== undefined) return left;
  const clock = sentAt === undefined ? undefined : t`${formatSpan(now - sentAt)} so far`;
  return [progress > HONEST.to ? t`finishing` : undefined, clock].filter((part) => part !== undefined).join(', ');
}

/** {@link runningWords}, updated while the job runs; undefined otherwise. */
export function useRunningWords(job: (Running & Pick<Job, 'state'>) | undefined): string | undefined {
  const isRunning = job?.state === 'running';
  const now = useNow(isRunning ? 1_000 : undefined);
  return isRunning ? runningWords(job, now) || undefined : undefined;
}
