import { z } from 'zod';
import { command } from '../contract/call.ts';
import { cursor, id, time } from '../contract/paging.ts';
import type { Finding } from './findings.ts';
import { type ChangedTriageLimits, type TriageLimits, triageLimitsSchema } from './limits.ts';

/** Triage: what was measured of new takes, before they are judged. It sets no verdict, hides nothing and bins nothing. */

/** One clip of a job that was made. */
export interface TriageTake {
  jobId: string;
  /** Which of its clips, counting from 0. */
  output: number;
  assetId: string;
  /** Of the file on this disk, by which `media.measures` has its series; '' where there is none. */
  sha256: string;
  projectId?: string;
  seconds?: number;
  /**
   * `clean`: nothing beyond the limits. `look`: something is. `broken`: half of it or more is missing, or it cannot be decoded. `waiting`: it
   * is being measured. `absent`: its file is not on this disk.
   */
  state: 'waiting' | 'clean' | 'look' | 'broken' | 'absent';
  /** Why it was not measured, in one sentence. */
  why?: string;
  /** In order of time. */
  findings: Finding[];
  /** The frame it was to begin with; `why` if its first frame was not compared with it. */
  given?: { jobId?: string; output?: number; assetId?: string; end: 'first' | 'last'; why?: string };
  /** How long measuring took, in milliseconds. */
  tookMs?: number;
}

export interface TriagePage {
  /** The night, where one was asked for. */
  run?: { id: string; number: number };
  /** Of at most 100 jobs, in the order in which they were ordered. */
  takes: TriageTake[];
  /** How many results of these jobs are no clips: they are not measured. */
  others: number;
  /** When the last of all the jobs ended. */
  lastEndedAt?: number;
  /** The limits of each project that these takes belong to; those of takes without one are under ''. */
  limits: Record<string, { limits: TriageLimits; changed: ChangedTriageLimits }>;
  nextCursor?: string;
}

const list = z
  .strictObject({ runId: id.optional(), since: time.optional(), cursor })
  .refine(({ runId, since }) => runId === undefined || since === undefined, {
    path: ['since'],
    message: 'must be left out where there is a runId',
  });

export const triageCalls = {
  /**
   * The takes of a night, or all that were made since a moment, with what stands out in each. Without either, those of the newest night that
   * has begun. What was never measured is measured from then on; `media.measured` tells when.
   */
  'triage.list': command<TriagePage>()(list),
  /** Sets all limits of a project: those that are left out are as shipped. It is a step on the board that can be undone. */
  'triage.setLimits': command<{ limits: TriageLimits }>()(
    z.strictObject({ projectId: id, limits: triageLimitsSchema }),
  ),
} as const;
