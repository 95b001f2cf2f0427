import { monthKey } from '../ui/index.ts';
import { hashOf } from './route.ts';

/** The address of a job's record. */
export const evidenceOfJob = (id: string): string => hashOf('spend', { job: id }, 'evidence');

/** The address of an overnight run's records. */
export const evidenceOfNight = (runId: string): string => hashOf('spend', { night: runId }, 'evidence');

/** The address of a month's records at a gateway; by default the active one. */
export const evidenceOfMonth = (at: number, gateway: string | undefined): string =>
  hashOf('spend', { month: monthKey(at), ...(gateway === undefined ? {} : { gateway }) }, 'evidence');
