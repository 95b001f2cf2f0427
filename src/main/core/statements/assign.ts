import type { Nano } from '../../../shared/money/money.ts';
import { type BillJob, countsOf, isReadingOf, NEAR_MS } from './billJobs.ts';
import { type Assigned, JOBS_PER_TURN, type JobIndex, MAX_COMPARED } from './jobIndex.ts';
import type { BillLine } from './readBill.ts';

/** Which job each line of a bill belongs to. */

/** The user's decision about a line, or about an entry of the ledger without one. */
export interface Decision {
  as: 'adopt' | 'keep' | 'match';
  /** The job that a line of the bill was entered for, or that a line which is kept differs from; null if none. */
  jobId: string | null;
  at: number;
}

/** A job that another profile ordered. */
export interface OtherJob {
  jobId: string;
  profileId: string;
  chargedNano: Nano;
}

/** Work between two turns of the event loop. */
const PER_TURN = 500;
/** Each may be compared with thousands of jobs. */
const COMPARED_PER_TURN = 10;
/** How far a line is from the time its job took, in milliseconds. */
export const apartOf = ({ at, spanMs }: Pick<BillLine, 'at' | 'spanMs'>, job: BillJob): number =>
  Math.max(0, job.sentAt - (at + spanMs), at - job.endedAt);

/** Whether what a line counts, or its amount, is that of the job. */
export const fits = ({ nano, units }: BillLine, job: BillJob): boolean =>
  isReadingOf(job, nano) || (units !== null && countsOf(job).includes(units));

export type Decisions = ReadonlyMap<string, Decision>;

/** Which lines belong to which jobs. */
export interface Placed {
  index: JobIndex;
  /** Times state no zone, and the user has chosen none: no line is found by its time. */
  isZoneAssumed: boolean;
  /** By the position of the line. */
  assigned: readonly (Assigned | undefined)[];
  /** The positions of each job's lines. */
  groups: ReadonlyMap<BillJob, readonly number[]>;
  /** By the mark of a line that names one. */
  ofOthers: ReadonlyMap<string, OtherJob>;
}

const NO_OTHERS: Placed['ofOthers'] = new Map();

/** Generates between slices of the work. */
export function* place(
  lines: readonly BillLine[],
  index: JobIndex,
  decisions: Decisions,
  { isZoneAssumed = false, ofOthers = NO_OTHERS }: Partial<Pick<Placed, 'isZoneAssumed' | 'ofOthers'>> = {},
): Generator<void, Placed> {
  const assigned = yield* assign(lines, index, decisions);
  if (!isZoneAssumed) yield* assignNear(lines, index, { assigned, decisions, ofOthers });
  const groups = new Map<BillJob, number[]>();
  for (const [at, one] of assigned.entries()) {
    if (at % JOBS_PER_TURN === JOBS_PER_TURN - 1) yield;
    if (!one) continue;
    const group = groups.get(one.job);
    if (group) group.push(at);
    else groups.set(one.job, [at]);
  }
  return { index, assigned, groups, isZoneAssumed, ofOthers };
}

/**
 * Same id, then same key; what the user has decided comes first. Generates between slices of the work, and returns the jobs by the position of
 * the line.
 */
function* assign(
  lines: readonly BillLine[],
  jobs: JobIndex,
  decisions: Decisions,
): Generator<void, (Assigned | undefined)[]> {
  const assigned: (Assigned | undefined)[] = [];
  for (const [index, line] of lines.entries()) {
    if (index % PER_TURN === PER_TURN - 1) yield;
    assigned.push(decidedJob(line, jobs, decisions) ?? jobs.named(line));
  }
  jobs.areTasks = assigned.some((one) => one?.by === 'id');
  return assigned;
}

/** A line that is kept as it is stays with the job that it differs from. */
function decidedJob(line: BillLine, jobs: JobIndex, decisions: Decisions): Assigned | undefined {
  const { jobId = null } = decisions.get(line.mark) ?? {};
  const job = jobId === null ? undefined : jobs.byId.get(jobId);
  if (!job) return undefined;
  const named = jobs.named(line);
  return named?.job === job ? named : { job, by: 'user' };
}

/** Then model with units or amount within five minutes, where one line and one job fit each other alone. */
function* assignNear(
  lines: readonly BillLine[],
  jobs: JobIndex,
  { assigned, decisions, ofOthers }: Open,
): Generator<void, void> {
  const taken = new Set(assigned.map((one) => one?.job));
  const claims: Claims = new Map();
  for (const [index, line] of lines.entries()) {
    if (index % COMPARED_PER_TURN === COMPARED_PER_TURN - 1) yield;
    if (assigned[index] || line.nano === 0 || decisions.has(line.mark) || ofOthers.has(line.mark)) continue;
    addTo(claims, fittingJobs(line, jobs, taken), index);
  }
  for (const [job, index] of claims) if (index !== null) assigned[index] = { job, by: 'near' };
}

interface Open extends Pick<Placed, 'ofOthers'> {
  assigned: (Assigned | undefined)[];
  decisions: Decisions;
}

/** The line that claims a job; null if several do. */
type Claims = Map<BillJob, number | null>;

/** By a line that one job fits. */
function addTo(claims: Claims, [job, ...others]: readonly BillJob[], index: number): void {
  if (job && others.length === 0) claims.set(job, claims.has(job) ? null : index);
}

/** The charged jobs without a line that fit; none where more ran then than are compared. */
function fittingJobs(line: BillLine, jobs: JobIndex, taken: ReadonlySet<BillJob | undefined>): BillJob[] {
  const isNamed = jobs.areTasks && line.remoteId !== '';
  const isOpen = (job: BillJob): boolean => job.isCharged && !taken.has(job) && !(isNamed && job.ids.length > 0);
  const fitting: BillJob[] = [];
  let compared = 0;
  for (const job of jobs.near(line, NEAR_MS)) {
    compared += 1;
    if (compared > MAX_COMPARED) return [];
    if (isOpen(job) && jobs.isModelOf(line, job) && fits(line, job)) fitting.push(job);
  }
  return fitting;
}
