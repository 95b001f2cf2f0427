import type { JobState } from '../../../shared/jobs/job.ts';
import type { NightStatus } from '../../../shared/jobs/night.ts';
import type { Nano } from '../../../shared/money/money.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import type { ReadDb, Store } from '../store/index.ts';
import { leaveOutOfNight, nightRunById, rulesOf } from './nightRuns.ts';

/** Queries about jobs, inside the caller's transaction. */
export interface NightJobs {
  /** Jobs of a run that are not sent yet, in queue order. */
  waitingOfNight(db: ReadDb, runId: string): WaitingMember[];
  /** Their dependencies, in the run or outside it. */
  dependenciesOfNight(db: ReadDb, runId: string): MemberDependency[];
  underWay(db: ReadDb): { lane: string; kind: string; model: string | null; sentAt: number | null }[];
  /** The usual duration in milliseconds; undefined if none has been made here lately. */
  usualMs(db: ReadDb, kind: string, model: string | null): number | undefined;
  /** Reserved on one side for a run's jobs at the gateway. */
  reservedUnderWay(db: ReadDb, runId: string, play: number): Nano;
  hasQueuedOfNight(db: ReadDb, runId: string): boolean;
  statesOfNight(db: ReadDb, runId: string): { state: string; n: number }[];
  /** Queued jobs of these runs: the number on each side, and the first thousand ids of each, run by run. */
  leftOfNights(db: ReadDb, runIds: readonly string[]): Pick<NightStatus, 'leftOver' | 'leftOverBySide'>;
  /** The profiles of this run's queued jobs. */
  waitingProfilesOfNight(db: ReadDb, runId: string): string[];
  /** The lanes of this run's queued jobs. */
  waitingLanesOfNight(db: ReadDb, runId: string): string[];
  /** How many of its jobs with a lost reply were sent again during the run, and how many of these are resolved. */
  askedAgainInNight(db: ReadDb, runId: string, hours: { from: number; to: number }): { jobs: number; answered: number };
  /** The jobs of these that belong to a run, and whether they were refused for their content. */
  ofNights(db: ReadDb, ids: readonly string[]): NightJob[];
  /** How many of these jobs were refused for their content in this run. */
  refusedAmong(db: ReadDb, runId: string, ids: readonly string[]): number;
  /** The jobs of these that are queued in this run. */
  waitingAmong(db: ReadDb, runId: string, ids: readonly string[]): string[];
  anySpendsRealMoney(db: ReadDb, ids: readonly string[]): boolean;
}

export interface MemberDependency {
  jobId: string;
  onId: string;
  state: JobState;
  runId: string | null;
}

interface NightJob {
  id: string;
  runId: string;
  projectId: string | null;
  isRefused: number;
}

export interface WaitingMember {
  id: string;
  kind: string;
  model: string | null;
  lane: string;
  profile_id: string;
  project_id: string | null;
  play: number;
  price: string;
  unpriced_allowed: number;
  reason: string | null;
  error: string | null;
  estimate_nano: Nano;
  estimate_low_nano: Nano;
  reserved_nano: Nano;
  reserved_low_nano: Nano;
  reserved_at: number | null;
  money_run: string | null;
  not_before: number | null;
}

interface Deps {
  store: Store;
  jobTable: Pick<NightJobs, 'refusedAmong' | 'waitingAmong'>;
  takesBeside(projectId: string, jobId: string): string[];
}

/**
 * Leaves a shot's queued takes out of the run once as many of its takes as the rule says were refused for their content. Returns the id of
 * the run to evaluate again.
 */
export function leaveOutShot({ store, jobTable, takesBeside }: Deps, job: NightJob): string | undefined {
  if (!job.isRefused || job.projectId === null) return undefined;
  const run = nightRunById(store.read, job.runId);
  const limit = run && run.ended_at === null ? rulesOf(run).shotRefusals : null;
  if (!run || limit === null) return undefined;
  const takes = takesBeside(job.projectId, job.id);
  const refused = jobTable.refusedAmong(store.read, run.id, takes);
  if (refused < limit) return undefined;
  const text = t`The run skipped its shot after ${counted(refused, 'refusal')}.`;
  const leave = () =>
    store.transaction((db) =>
      jobTable.waitingAmong(db, run.id, takes).reduce((n, id) => n + leaveOutOfNight(db, run.id, id, text), 0),
    );
  return leave() > 0 ? run.id : undefined;
}
