import type { NightStatus } from '../../../shared/jobs/night.ts';
import type { Nano } from '../../../shared/money/money.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import type { ReadDb, Store } from '../store/index.ts';
import { leaveOutOfNight, nightRunById, rulesOf } from './nightRuns.ts';

/** What the nights ask about jobs, inside a transaction of their own. */
export interface NightJobs {
  /** Those of a night that are not sent yet, in the order of the queue. */
  waitingOfNight(db: ReadDb, runId: string): WaitingMember[];
  /** What these build on, in the night or outside it. */
  dependenciesOfNight(
    db: ReadDb,
    runId: string,
  ): { jobId: string; onId: string; state: string; runId: string | null }[];
  underWay(db: ReadDb): { lane: string; kind: string; model: string | null; sentAt: number | null }[];
  /** How long such jobs usually take, in milliseconds; undefined if none has been made here lately. */
  usualMs(db: ReadDb, kind: string, model: string | null): number | undefined;
  /** What a night's jobs that are with the service have reserved on one side. */
  reservedUnderWay(db: ReadDb, runId: string, play: number): Nano;
  hasQueuedOfNight(db: ReadDb, runId: string): boolean;
  statesOfNight(db: ReadDb, runId: string): { state: string; n: number }[];
  /** Those of these nights that wait: how many on each side, and the ids of the first thousand of each, night by night. */
  leftOfNights(db: ReadDb, runIds: readonly string[]): Pick<NightStatus, 'leftOver' | 'leftOverBySide'>;
  /** The profiles whose jobs wait in this night. */
  waitingProfilesOfNight(db: ReadDb, runId: string): string[];
  /** The lanes in which jobs of this night wait. */
  waitingLanesOfNight(db: ReadDb, runId: string): string[];
  /** How many of its jobs were asked for again in its hours because their answer was lost, and how many of these are in doubt no more. */
  askedAgainInNight(db: ReadDb, runId: string, hours: { from: number; to: number }): { jobs: number; answered: number };
  /** Those of these jobs that belong to a night, and whether the service's filter refused them. */
  ofNights(db: ReadDb, ids: readonly string[]): NightJob[];
  /** How many of these jobs the service's filter refused in this night. */
  refusedAmong(db: ReadDb, runId: string, ids: readonly string[]): number;
  /** Those of these jobs that wait in this night. */
  waitingAmong(db: ReadDb, runId: string, ids: readonly string[]): string[];
  anySpendsRealMoney(db: ReadDb, ids: readonly string[]): boolean;
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
 * Leaves the waiting takes of a shot out of the night once the filter has refused as many of its takes as the rule says. Returns the id
 * of the night that has to be evaluated anew.
 */
export function leaveOutShot({ store, jobTable, takesBeside }: Deps, job: NightJob): string | undefined {
  if (!job.isRefused || job.projectId === null) return undefined;
  const run = nightRunById(store.read, job.runId);
  const limit = run && run.ended_at === null ? rulesOf(run).shotRefusals : null;
  if (!run || limit === null) return undefined;
  const takes = takesBeside(job.projectId, job.id);
  const refused = jobTable.refusedAmong(store.read, run.id, takes);
  if (refused < limit) return undefined;
  const text = t`Its shot was left out of the run after ${counted(refused, 'refusal')}.`;
  const leave = () =>
    store.transaction((db) =>
      jobTable.waitingAmong(db, run.id, takes).reduce((n, id) => n + leaveOutOfNight(db, run.id, id, text), 0),
    );
  return leave() > 0 ? run.id : undefined;
}
