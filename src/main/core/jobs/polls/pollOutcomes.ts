import type { JobError } from '../../../../shared/jobs/job.ts';
import { ASSUMED_LINK_LIFE_MS } from '../../../../shared/library/asset.ts';
import { t } from '../../../../shared/text/texts.ts';
import type { PollOutcome, RemoteTask } from '../../gateway/index.ts';
import type { PreparedOutput } from '../../library/index.ts';
import type { WriteDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import { advance, rowById, saveRemoteTask } from '../jobRepository.ts';
import * as statements from '../queries/jobSql.ts';
import { type PollCounts, recordPolls } from '../recordEvidence.ts';
import { reevaluateDependents } from '../reevaluate.ts';
import { costInDoubt, errorOf, hasOpenTask, type JobRow, remoteOf } from '../row.ts';
import { GIVE_UP_MS, GRACE_MS } from '../sending/backoff.ts';
import * as outcomes from '../sending/outcomes.ts';

/** The effect of a poll's outcome on its job. */

/** The columns that decide whether a job is polled. */
export type PolledJob = Pick<
  JobRow,
  | 'id'
  | 'kind'
  | 'state'
  | 'reason'
  | 'profile_id'
  | 'remote'
  | 'progress'
  | 'missing_since'
  | 'error'
  | 'uncertain_nano'
  | 'unpriced_doubt'
  | 'created_at'
>;

const acceptedAt = (row: PolledJob): number => remoteOf(row)?.acceptedAt ?? row.created_at;

/** A canceled job is polled until its cost is known, even after a restart, but not longer than services keep results. */
export const isPolled = (row: PolledJob, now: number): boolean =>
  hasOpenTask(row) &&
  (row.state === 'running' ||
    (row.state === 'canceled' && costInDoubt(row) && now - acceptedAt(row) < ASSUMED_LINK_LIFE_MS));

/**
 * Whether the task is polled again. An unconfirmed task has the same time limit as any other. It is polled until its cost is known if it
 * was canceled, otherwise until the service has answered, or has named the file of a task that succeeded. While the service does not
 * answer, the limit is the time that results are kept, because the task may be finished.
 */
export function isPolledAgain(
  row: PolledJob,
  { now, askedMs, isSilent, isFileDue }: { now: number; askedMs: number; isSilent: boolean; isFileDue: boolean },
): boolean {
  const limitMs = isSilent ? ASSUMED_LINK_LIFE_MS : GIVE_UP_MS;
  if (row.state !== 'running' && askedMs >= limitMs) return false;
  if (row.state !== 'uncertain') return isPolled(row, now);
  return row.remote !== null && (isSilent || isFileDue || (missingMs(row, now) ?? GRACE_MS) < GRACE_MS);
}

/** An unconfirmed job is polled only on request: by the user or by a webhook, until the service has answered. */
export const mayBePolled = (row: PolledJob, now: number): boolean =>
  isPolled(row, now) || (row.state === 'uncertain' && row.remote !== null);

/** Whether a poll concerns the job's present task: during the poll the job may have been sent again. */
export const isSameTask = (row: PolledJob, polled: RemoteTask, now: number): boolean =>
  mayBePolled(row, now) && remoteOf(row)?.id === polled.id;

/** How long a task has been asked for in this run, in ms, as {@link activePollingTime} counts: in all, and since the last answer. */
export interface PollingTime {
  totalMs: number;
  silentMs: number;
}

/**
 * Whether a running task has taken too long. Only time spent polling counts, not its age: during a restart, a sleep or a clock change
 * nobody polled, and the results may be waiting. Without a key nobody polls either.
 */
function isOverdue(row: PolledJob, outcome: PollOutcome, asking: PollingTime): boolean {
  if (lacksKey(outcome)) return false;
  const askedMs = outcome.type === 'unreachable' ? asking.silentMs : asking.totalMs;
  return row.state === 'running' && askedMs >= GIVE_UP_MS;
}

/** How long the service has not known the task; undefined if it knew the task at the last poll, or the clock was set back since. */
const missingMs = ({ missing_since: since }: PolledJob, now: number): number | undefined =>
  since === null || since > now ? undefined : now - since;

export const lacksKey = (outcome: PollOutcome): boolean => outcome.type === 'unreachable' && outcome.lacksKey === true;

/** Whether the service says that the task has succeeded, and names no file. */
export const lacksFile = (outcome: PollOutcome): boolean => outcome.type === 'missing' && outcome.succeeded === true;

/** Whether a running job starts or stops waiting for a key. */
const changesReason = (row: Pick<PolledJob, 'state' | 'reason'>, outcome: PollOutcome): boolean =>
  row.state === 'running' && lacksKey(outcome) !== (row.reason === 'key');

/** Whether the quoted sentence of the service changes. */
const changesWords = (row: Pick<JobRow, 'state' | 'error'>, outcome: PollOutcome): boolean =>
  row.state === 'running' &&
  (outcome.type === 'running' || outcome.type === 'missing') &&
  outcome.said !== errorOf(row)?.message;

/** Most polls change nothing; they cost no write. */
export function isUnchanged(row: PolledJob, outcome: PollOutcome, asking: PollingTime, now: number): boolean {
  if (changesReason(row, outcome) || changesWords(row, outcome)) return false;
  const missing = missingMs(row, now);
  switch (outcome.type) {
    case 'running':
      if (row.state === 'uncertain' || row.missing_since !== null || isOverdue(row, outcome, asking)) return false;
      return outcome.progress === undefined || Math.min(99, Math.round(outcome.progress)) <= row.progress;
    case 'missing':
      return missing !== undefined && (row.state !== 'running' || missing < GRACE_MS);
    case 'unreachable':
      return !isOverdue(row, outcome, asking);
    default:
      return false;
  }
}

export const noPolls = (since: number): PollCounts => ({ since, times: 0, answers: {} });

/**
 * Adds one poll to the counts. They are kept only in memory, because most polls change nothing and cost no write; a restart counts from 0.
 */
export const withPoll = ({ since, times, answers }: PollCounts, answer: PollOutcome['type']): PollCounts => ({
  since,
  times: times + 1,
  answers: { ...answers, [answer]: (answers[answer] ?? 0) + 1 },
});

/** A poll that was answered. */
interface Polled {
  polled: RemoteTask;
  outcome: PollOutcome;
  prepared: PreparedOutput[];
  /** Includes this poll, as does `asking`. */
  counts: PollCounts;
  asking: PollingTime;
}

/** Runs in the caller's transaction. Returns whether anything changed. */
export function applyPollOutcome(
  deps: EngineDeps,
  db: WriteDb,
  jobId: string,
  { polled, outcome, prepared, counts, asking }: Polled,
): boolean {
  const row = rowById(db, jobId);
  const now = deps.clock.now();
  if (!row || !isSameTask(row, polled, now)) return false;
  const isTold = tells(db, row, outcome, now);
  const overdue = isOverdue(row, outcome, asking);
  recordIfLast(deps, db, row, { outcome, counts, overdue });
  return apply(deps, db, row, { outcome, prepared, overdue }) || isTold;
}

/** Shows at once why a task is not polled, or what the service says about it. */
function tells(db: WriteDb, row: JobRow, outcome: PollOutcome, now: number): boolean {
  const isQuoted = changesWords(row, outcome);
  if (!isQuoted && !changesReason(row, outcome)) return false;
  const reason = lacksKey(outcome) ? { reason: 'key' as const } : {};
  const patch = isQuoted ? { error: quoted(outcome) } : {};
  return advance(db, row, { type: 'progress', percent: row.progress, ...reason }, now, patch);
}

const quoted = (outcome: PollOutcome): JobError | null =>
  'said' in outcome && outcome.said !== undefined ? { kind: 'server', message: outcome.said, retryable: false } : null;

function apply(
  deps: EngineDeps,
  db: WriteDb,
  row: JobRow,
  { outcome, prepared, overdue }: Pick<Polled, 'outcome' | 'prepared'> & { overdue: boolean },
): boolean {
  switch (outcome.type) {
    case 'running':
      return applyRunning(deps, db, row, outcome, overdue);
    case 'done':
      outcomes.applyResults(deps, db, row, prepared, outcome);
      return true;
    case 'failed':
      outcomes.applyEnded(deps, db, row, { ...outcome, error: outcomes.toJobError(outcome.error) });
      reevaluateDependents(deps, db, row.id);
      return true;
    case 'missing':
      return applyMissing(deps, db, row, outcome);
    case 'unreachable':
      return overdue && setLost(deps, db, row, outcome.error.message);
    default:
      return false;
  }
}

/** All polls of a task become one record, written with the change that ends them. */
function recordIfLast(
  deps: Pick<EngineDeps, 'clock'>,
  db: WriteDb,
  row: JobRow,
  { outcome, counts, overdue }: Pick<Polled, 'outcome' | 'counts'> & { overdue: boolean },
): void {
  const isMissed = outcome.type === 'missing' && (missingMs(row, deps.clock.now()) ?? 0) >= GRACE_MS;
  const isEnd = outcome.type === 'done' || outcome.type === 'failed';
  if (!isEnd && !overdue && !isMissed) return;
  recordPolls(db, row, counts, {
    ...(outcome.type === 'done' ? { results: outcome.outputs.length } : {}),
    ...('error' in outcome && outcome.error ? { message: outcome.error.message } : {}),
  });
}

function applyRunning(
  deps: EngineDeps,
  db: WriteDb,
  row: JobRow,
  outcome: Extract<PollOutcome, { type: 'running' }>,
  overdue: boolean,
): boolean {
  const task = remoteOf(row);
  // An unconfirmed job that was found again is polled as long as a newly accepted one.
  if (row.state === 'uncertain' && task) saveRemoteTask(db, row, { ...task, acceptedAt: deps.clock.now() });
  return (
    outcomes.progressed(deps, db, row, outcome) ||
    (overdue && setLost(deps, db, row, outcome.said ?? t`No result for 65 minutes.`))
  );
}

/** A task that the service does not know stays running for the grace period, and is then unconfirmed; it never fails. */
function applyMissing(deps: EngineDeps, db: WriteDb, row: JobRow, outcome: Missing): boolean {
  const now = deps.clock.now();
  const ms = missingMs(row, now);
  if (ms === undefined) {
    db.run(statements.saveMissing, { id: row.id, since: now });
    return false;
  }
  if (ms < GRACE_MS || row.state !== 'running') return false;
  return setLost(deps, db, row, wordsOfMissing(outcome, remoteOf(row)));
}

type Missing = Extract<PollOutcome, { type: 'missing' }>;

/** The sentence of the service comes before a conclusion from it. */
function wordsOfMissing({ said, error }: Missing, task: RemoteTask | undefined): string {
  if (said !== undefined) return said;
  if (task?.said !== undefined) return t`The gateway does not know this task: ${task.said}`;
  if (error) return t`The gateway does not know this task: ${error.message}`;
  return t`The gateway no longer knows this task.`;
}

function setLost(deps: EngineDeps, db: WriteDb, row: JobRow, message: string): boolean {
  outcomes.applyLost(deps, db, row, { kind: 'timeout', message, retryable: false, accepted: 'unknown' });
  return true;
}
