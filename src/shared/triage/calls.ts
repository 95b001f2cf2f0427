import { z } from 'zod';
import { command } from '../contract/call.ts';
import { cursor, id, time } from '../contract/paging.ts';
import type { Finding } from './findings.ts';
import { type ChangedTriageLimits, type TriageLimits, triageLimitsSchema } from './limits.ts';

/** The quality check: findings about new takes before they get a verdict. The check sets no verdict, hides nothing and bins nothing. */

/** One clip of a finished job. */
export interface TriageTake {
  jobId: string;
  /** The clip's index, from 0. */
  output: number;
  assetId: string;
  /** The hash of the file on this disk, the key of its series in `media.measures`; '' without a file. */
  sha256: string;
  projectId?: string;
  seconds?: number;
  /**
   * `clean`: within the limits. `look`: beyond a limit. `broken`: half of it or more is missing, or it cannot be decoded. `waiting`: being
   * measured. `absent`: no file on this disk.
   */
  state: 'waiting' | 'clean' | 'look' | 'broken' | 'absent';
  /** Why it was not measured, in one sentence. */
  why?: string;
  /** In order of time. */
  findings: Finding[];
  /** The frame that it was to begin with; `why` if the first frame was not compared with it. */
  given?: { jobId?: string; output?: number; assetId?: string; end: 'first' | 'last'; why?: string };
  tookMs?: number;
}

export interface TriagePage {
  /** The run that was asked for. */
  run?: { id: string; number: number };
  /** At most 100 jobs, in the order of enqueuing. */
  takes: TriageTake[];
  /** Results that are not clips and are not measured. */
  others: number;
  /** When the last job ended. */
  lastEndedAt?: number;
  /** The limits of each project of these takes; '' for takes without one. */
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
   * The takes of a run, or all made since a moment, with their findings; by default of the newest run that has begun. Missing measures are
   * taken from then on; `media.measured` reports them.
   */
  'triage.list': command<TriagePage>()(list),
  /** Sets all limits of a project; omitted ones get their defaults. The change is an undo step of the board. */
  'triage.setLimits': command<{ limits: TriageLimits }>()(
    z.strictObject({ projectId: id, limits: triageLimitsSchema }),
  ),
} as const;
