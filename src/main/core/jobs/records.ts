import type { Job, JobAttempt, JobError } from '../../../shared/job.ts';
import { kindOf, makesFiles } from '../../../shared/kinds/index.ts';
import type { RemoteTask } from '../gateway/index.ts';
import { assetsOfJob } from '../library/index.ts';
import { recordOutcomeInNight } from '../night/index.ts';
import type { ReadDb, WriteDb } from '../store/index.ts';
import { isTerminal, type JobEvent, next } from './machine.ts';
import { type JobRow, jobOf } from './row.ts';
import * as statements from './statements.ts';

/** Reading and writing one job's record. Every change of state goes through {@link advance}, which asks the table. */

export const rowById = (db: ReadDb, id: string): JobRow | undefined => db.one<JobRow>(statements.jobById, { id });

interface AttemptRow {
  at: number;
  outcome: JobAttempt['outcome'];
  status: number | null;
  request_id: string | null;
  message: string | null;
}

export function jobFrom(db: ReadDb, row: JobRow): Job {
  const attempts = db.all<AttemptRow>(statements.attemptsOf, { id: row.id }).map((attempt) => ({
    at: attempt.at,
    outcome: attempt.outcome,
    ...(attempt.status === null ? {} : { status: attempt.status }),
    ...(attempt.request_id === null ? {} : { requestId: attempt.request_id }),
    ...(attempt.message === null ? {} : { message: attempt.message }),
  }));
  const dependsOn = db.all<{ on_id: string }>(statements.dependenciesOf, { id: row.id }).map(({ on_id }) => on_id);
  const outputs = makesFiles(kindOf(row)) ? assetsOfJob(db, row.id) : [];
  return jobOf(row, { outputs, attempts, dependsOn });
}

export interface Patch {
  /** `null` clears it. */
  error?: JobError | null;
  /** When a waiting job may be tried next; `null` clears it. */
  nextAt?: number | null;
  /** When it was sent: one more try. */
  sentAt?: number;
}

/**
 * Moves a job by one event and writes it. Returns false, and writes nothing, where the table does not allow it
 * (a late answer for a job that has ended, say).
 */
export function advance(db: WriteDb, row: JobRow, event: JobEvent, now: number, patch: Patch = {}): boolean {
  const life = next({ state: row.state, progress: row.progress, ...(row.reason ? { reason: row.reason } : {}) }, event);
  if (!life) return false;
  const before = row.state;
  row.state = life.state;
  row.reason = life.reason ?? null;
  row.progress = life.progress;
  if (patch.error !== undefined) row.error = patch.error === null ? null : JSON.stringify(patch.error);
  if (patch.nextAt !== undefined) row.next_at = patch.nextAt;
  if (patch.sentAt !== undefined) {
    row.sent_at = patch.sentAt;
    row.tries += 1;
  }
  if (isTerminal(life.state)) row.finished_at = now;
  db.run(statements.saveLife, {
    id: row.id,
    state: row.state,
    reason: row.reason,
    progress: row.progress,
    error: row.error,
    nextAt: row.next_at,
    sentAt: row.sent_at,
    tries: row.tries,
    finishedAt: row.finished_at,
  });
  // What Dailies itself cut off says nothing about the service, so it is in no night's row of failures.
  if (row.run_id !== null && event.type !== 'interrupt') recordOutcomeInNight(db, row, before, now);
  return true;
}

export function keepRemote(db: WriteDb, row: JobRow, task: RemoteTask): void {
  row.remote = JSON.stringify(task);
  row.remote_id = task.id;
  db.run(statements.saveRemote, { id: row.id, remote: row.remote, remoteId: task.id });
}

/** The id a service gave to something that was answered at once. */
export function keepRemoteId(db: WriteDb, row: JobRow, remoteId: string): void {
  row.remote_id = remoteId;
  db.run(statements.saveRemote, { id: row.id, remote: row.remote, remoteId });
}

/** The bill of a canceled one is known. What is in doubt for an order before it says nothing more, and must not be settled by it again. */
export function askNoMore(db: WriteDb, row: JobRow): void {
  row.remote = null;
  db.run(statements.saveRemote, { id: row.id, remote: null, remoteId: row.remote_id });
}

export function closeAttempt(
  db: WriteDb,
  row: JobRow,
  outcome: JobAttempt['outcome'],
  facts: { status?: number; requestId?: string; message?: string } = {},
): void {
  db.run(statements.saveAttempt, {
    id: row.id,
    outcome,
    status: facts.status ?? null,
    requestId: facts.requestId ?? null,
    message: facts.message ?? null,
  });
}
