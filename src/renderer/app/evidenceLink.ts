import { monthKey } from '../ui/index.ts';
import { hashOf } from './route.ts';

/** Where the evidence of a job is. */
export const evidenceOfJob = (id: string): string => hashOf('spend', { job: id }, 'evidence');

/** Where the evidence of a night is. */
export const evidenceOfNight = (runId: string): string => hashOf('spend', { night: runId }, 'evidence');

/** Where the evidence of a month is; without a gateway, of the active one. */
export const evidenceOfMonth = (at: number, gateway: string | undefined): string =>
  hashOf('spend', { month: monthKey(at), ...(gateway === undefined ? {} : { gateway }) }, 'evidence');
