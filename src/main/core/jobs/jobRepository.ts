import type { Job, JobAttempt, JobError } from '../../../shared/jobs/job.ts';
import type { RemoteTask } from '../gateway/index.ts';
import { assetsOfJobs } from '../library/index.ts';
import { recordOutcomeInNight } from '../night/index.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';
import { isTerminal, type JobTransition, nextStatus } from './machine.ts';
import * as statements from './queries/jobSql.ts';
import { recordAnswer } from './recordEvidence.ts';
import { type JobRow, remoteOf, type StoredTask, toJob } from './row.ts';
import { storedRequestOf } from './sending/storedRequests.ts';

/** Reads and writes the record of one job. Every change of state goes through {@link advance}, which asks the state machine. */

export const rowById = (db: ReadDb, id: string): JobRow | undefined => db.one<JobRow>(statements.jobById, { id });

/** In the order of the ids; an unknown one is left out. */
export function rowsByIds(db: ReadDb, ids: readonly string[]): JobRow[] {
  const rows = db.all<JobRow>(statements.jobsByIds, { ids: JSON.stringify(ids) });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

interface AttemptRow {
  job_id: string;
  at: number;
  outcome: JobAttempt['outcome'];
  status: number | null;
  request_id: string | null;
  message: string | null;
  again: number;
}

export function readJob(db: ReadDb, row: JobRow): Job {
  const [job] = readJobs(db, [row]);
  return job as Job;
}

/** The jobs, in the sequence of the rows. Their parts are read together, because one statement costs more than the rows that it returns. */
export function readJobs(db: ReadDb, rows: readonly JobRow[]): Job[] {
  const ids = JSON.stringify(rows.map(({ id }) => id));
  const attempts = Map.groupBy(db.all<AttemptRow>(statements.attemptsOf, { ids }), ({ job_id }) => job_id);
  const needs = Map.groupBy(
    db.all<{ job_id: string; on_id: string }>(statements.needsOf, { ids }),
    ({ job_id }) => job_id,
  );
  const outputs = assetsOfJobs(db, ids);
  return rows.map((row) => {
    const kept = storedRequestOf(db, row);
    const usually = row.state === 'running' ? usualMs(db, row.kind, row.model) : undefined;
    return toJob(row, {
      outputs: outputs.get(row.id) ?? [],
      attempts: attempts.get(row.id)?.map(attemptOf) ?? [],
      dependsOn: needs.get(row.id)?.map(({ on_id }) => on_id) ?? [],
      ...(kept ? { kept } : {}),
      ...(usually === undefined ? {} : { usualMs: usually }),
    });
  });
}

const attemptOf = (attempt: AttemptRow): JobAttempt => ({
  at: attempt.at,
  outcome: attempt.outcome,
  ...(attempt.status === null ? {} : { status: attempt.status }),
  ...(attempt.request_id === null ? {} : { requestId: attempt.request_id }),
  ...(attempt.message === null ? {} : { message: attempt.message }),
  ...(attempt.again === 1 ? { again: true as const } : {}),
});

interface Patch {
  /** `null` clears it. */
  error?: JobError | null;
  /** When a waiting job may be attempted next; `null` clears it. */
  nextAt?: number | null;
  /** When it was sent, which counts as one more attempt. */
  sentAt?: number;
}

/**
 * Applies a transition to a job and writes it. Returns false, and writes nothing, if the state machine does not allow it, such as for a
 * late answer to a job that has ended.
 */
export function advance(db: WriteDb, row: JobRow, transition: JobTransition, now: number, patch: Patch = {}): boolean {
  const status = nextStatus(
    { state: row.state, progress: row.progress, ...(row.reason ? { reason: row.reason } : {}) },
    transition,
  );
  if (!status) return false;
  const before = row.state;
  row.state = status.state;
  row.reason = status.reason ?? null;
  row.progress = status.progress;
  if (patch.error !== undefined) row.error = patch.error === null ? null : JSON.stringify(patch.error);
  if (patch.nextAt !== undefined) row.next_at = patch.nextAt;
  if (patch.sentAt !== undefined) {
    row.sent_at = patch.sentAt;
    row.tries += 1;
  }
  if (isTerminal(status.state)) row.finished_at = now;
  db.run(statements.saveStatus, {
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
  // An interruption by Dailies is not the service's fault, so the overnight run does not count it as a failure.
  if (row.run_id !== null && transition.type !== 'interrupt') recordOutcomeInNight(db, row, before, now);
  return true;
}

/** Whether the request was sent again under its key. */
export const wasAskedAgain = (db: ReadDb, id: string): boolean => db.one(statements.askedAgain, { id }) !== undefined;

/** The service has just named the task, so earlier answers that it is unknown no longer count. */
export function saveRemoteTask(db: WriteDb, row: JobRow, task: RemoteTask): void {
  if (row.missing_since !== null) db.run(statements.saveMissing, { id: row.id, since: null });
  row.missing_since = null;
  row.remote = JSON.stringify(task);
  row.remote_id = task.id;
  db.run(statements.saveRemote, { id: row.id, remote: row.remote, remoteId: task.id });
}

/** Another job follows the task from now on. */
export function forgetTask(db: WriteDb, row: JobRow): void {
  row.remote = null;
  row.remote_id = null;
  db.run(statements.saveRemote, { id: row.id, remote: null, remoteId: null });
}

/** Fields that were not sent, because the gateway does not accept them. An earlier attempt may have left out others. */
export function saveOmitted(db: WriteDb, row: Pick<JobRow, 'id' | 'omitted'>, fields: readonly string[] = []): void {
  const omitted = fields.length > 0 ? JSON.stringify(fields) : null;
  if (omitted !== row.omitted) db.run(statements.saveOmitted, { id: row.id, omitted });
}

/** The id that a service gave to a result that it returned at once. */
export function saveRemoteId(db: WriteDb, row: JobRow, remoteId: string): void {
  row.remote_id = remoteId;
  db.run(statements.saveRemote, { id: row.id, remote: row.remote, remoteId });
}

/**
 * Ends the polls of a canceled job whose cost is known: a later poll would also settle the unconfirmed cost of an earlier attempt. A task
 * with results is kept, because it can name new links to them.
 */
export function stopPolling(db: WriteDb, row: JobRow, { hasResults }: { hasResults: boolean }): void {
  const task = hasResults ? remoteOf(row) : undefined;
  const settled: StoredTask | undefined = task && { ...task, isSettled: true };
  row.remote = settled ? JSON.stringify(settled) : null;
  db.run(statements.saveRemote, { id: row.id, remote: row.remote, remoteId: row.remote_id });
}

export function closeAttempt(
  db: WriteDb,
  row: JobRow,
  outcome: JobAttempt['outcome'],
  facts: { status?: number; requestId?: string; message?: string; task?: string } = {},
): void {
  db.run(statements.saveAttempt, {
    id: row.id,
    outcome,
    status: facts.status ?? null,
    requestId: facts.requestId ?? null,
    message: facts.message ?? null,
    task: facts.task ?? null,
  });
  recordAnswer(db, row, outcome, facts);
}

/** Only the newest jobs of the kind are read, so that this stays fast in a large library. */
const recent = sql(
  'jobs.recentDurations',
  `SELECT ms FROM (
     SELECT model, finished_at - sent_at AS ms FROM jobs INDEXED BY jobs_ended
     WHERE finished_at IS NOT NULL AND state = 'succeeded' AND kind = $kind ORDER BY finished_at DESC LIMIT 500
   ) WHERE model IS $model AND ms IS NOT NULL LIMIT 15`,
);

/** How long jobs of this kind and model usually take, in milliseconds: the median of recent ones, undefined if there are none. */
export function usualMs(db: ReadDb, kind: string, model: string | null): number | undefined {
  const times = db.all<{ ms: number }>(recent, { kind, model }).map(({ ms }) => ms);
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
}
