import type { Job } from '../../shared/jobs/job.ts';
import { monthKey } from '../ui/index.ts';
import { hashOf } from './route.ts';

/** Where the evidence of a job is, with its night and its month beside it. */
export const evidenceOfJob = ({
  id,
  profileId,
  runId,
  sentAt,
  createdAt,
}: Pick<Job, 'id' | 'profileId' | 'runId' | 'sentAt' | 'createdAt'>): string => {
  const night: Record<string, string> = runId === undefined ? {} : { night: runId };
  return hashOf('spend', { job: id, ...night, month: monthKey(sentAt ?? createdAt), gateway: profileId }, 'evidence');
};
/** Where the evidence of a night is; of a job of it, that is chosen there. */
export const evidenceOfNight = (runId: string, startsAt: number): string =>
  hashOf('spend', { night: runId, month: monthKey(startsAt) }, 'evidence');

/** Where the evidence of a month is; without a gateway, of the active one. */
export const evidenceOfMonth = (at: number, gateway: string | undefined): string =>
  hashOf('spend', { month: monthKey(at), ...(gateway === undefined ? {} : { gateway }) }, 'evidence');
