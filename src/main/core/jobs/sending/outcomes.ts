import { withBareAddresses } from '../../../../shared/gateway/bareAddress.ts';
import { limitsSchema } from '../../../../shared/gateway/profileLimits.ts';
import type { JobError } from '../../../../shared/jobs/job.ts';
import { kindOf, promptOf, quantityOf } from '../../../../shared/kinds/index.ts';
import { shortened } from '../../../../shared/text/shortened.ts';
import { t } from '../../../../shared/text/texts.ts';
import {
  type ChatOutcome,
  type FilterNote,
  type GatewayError,
  type PollOutcome,
  type StatedCost,
  type SubmitOutcome,
  statesSome,
} from '../../gateway/index.ts';
import { assetRowsOfJob, type PreparedOutput } from '../../library/index.ts';
import type { WriteDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import { advance, closeAttempt, saveRemoteId, saveRemoteTask, stopPolling } from '../jobRepository.ts';
import type { StreamDriver } from '../kinds/driver.ts';
import { taskDriverOf } from '../kinds/index.ts';
import { acceptStated, chargeAnswer, correctUnlessStated, saveStatedCost, setUncertain } from '../money/charging.ts';
import * as statements from '../queries/jobSql.ts';
import { recordEvent } from '../recordEvidence.ts';
import { costInDoubt, hasOpenTask, isTaskKnown, type JobRow, remoteOf, requestOf } from '../row.ts';
import { keyOfLastAttempt, lostAsOtherTasks } from './storedRequests.ts';

/**
 * Applies an outcome to a job and its money, in one transaction each (ARCHITECTURE "The way of one cent"). A job that was canceled after
 * the service accepted it stays canceled, but its answer still counts: paid outputs are kept, and the cost is settled.
 */

type Deps = Pick<EngineDeps, 'clock' | 'ledger' | 'library'>;
type StreamDeps = Deps & { profiles: Pick<EngineDeps['profiles'], 'get'> };

export function toJobError(error: GatewayError): JobError {
  const { kind, message, retryable, requestId } = error;
  return requestId === undefined ? { kind, message, retryable } : { kind, message, retryable, requestId };
}

export const attemptFields = (error: GatewayError) => ({
  message: error.message,
  status: error.status,
  requestId: error.requestId,
});

const isCanceled = (row: JobRow): boolean => row.state === 'canceled';

/** Outputs are named by the first words of the prompt. */
const NAME_LENGTH = 60;

const originOf = (row: JobRow) => ({
  id: row.id,
  profileId: row.profile_id,
  name: shortened(withBareAddresses(promptOf(requestOf(row))), NAME_LENGTH) || row.kind,
  ...(row.project_id ? { projectId: row.project_id } : {}),
  ...(row.model ? { model: row.model } : {}),
});

/**
 * A picture of an answer that is still arriving. The job ends with the answer; a picture that came as an address is downloaded separately.
 */
export function pictureCame({ library }: Pick<Deps, 'library'>, db: WriteDb, row: JobRow, picture: PreparedOutput[]) {
  library.recordOutputs(db, originOf(row), picture, assetRowsOfJob(db, row.id).length);
}

/**
 * A repeat at another price created no second task, so the job gets the earlier price back. Only the result of the earlier task may still
 * come, and tasks are not counted in tokens.
 */
function backToPriceOfDoubt(deps: Deps, db: WriteDb, row: JobRow): void {
  if (!taskDriverOf(row)) return;
  const sentAt = remoteOf(row)?.acceptedAt ?? row.sent_at ?? row.created_at;
  deps.ledger.priceChanges.backToDoubt(db, row, { quantity: quantityOf(requestOf(row), 0), sentAt });
}

/** The service has accepted the job. */
export function applyAccepted(
  deps: Deps,
  db: WriteDb,
  row: JobRow,
  outcome: Extract<SubmitOutcome, { type: 'accepted' }>,
): void {
  // The repeated request got the same task, so there is only one task. No other cost under this key is unconfirmed, except for attempts
  // that got another task.
  if (row.remote_id === outcome.task.id) {
    const others = lostAsOtherTasks(db, row.id, keyOfLastAttempt(db, row.id), outcome.task.id);
    if (others === 0) backToPriceOfDoubt(deps, db, row);
    // A job that was canceled meanwhile is unconfirmed itself.
    deps.ledger.clearDoubt(db, row, 'the gateway had taken it once only', others + (isCanceled(row) ? 1 : 0));
    if (!isCanceled(row)) deps.ledger.reserve(db, row);
  }
  saveRemoteTask(db, row, outcome.task);
  saveStatedCost(db, row, outcome.stated);
  closeAttempt(db, row, 'accepted', {
    status: outcome.status,
    requestId: outcome.requestId,
    task: outcome.task.id,
  });
  advance(db, row, { type: 'accept' }, deps.clock.now(), { error: null, nextAt: null });
}

/** The results are known: their links are written and the reservation becomes a charge. */
export function applyResults(
  deps: Deps,
  db: WriteDb,
  row: JobRow,
  outputs: PreparedOutput[],
  note: { filtered?: FilterNote; remoteId?: string; stated?: StatedCost } = {},
): void {
  // A poll has already found the result, by the task id from a webhook, before the answer to the submission arrived.
  if (row.quantity !== null) return;
  const applies =
    isCanceled(row) || advance(db, row, { type: 'answer' }, deps.clock.now(), { error: null, nextAt: null });
  if (!applies) return;
  if (note.remoteId !== undefined && row.remote_id === null) saveRemoteId(db, row, note.remoteId);
  deps.library.recordOutputs(db, originOf(row), outputs);
  const filtered =
    note.filtered && note.filtered.count > 0 ? `${note.filtered.count} filtered, not charged` : undefined;
  const { stated } = note;
  const request = requestOf(row);
  const received = outputs.filter(({ output }) => output.role === 'output').length;
  const quantity = kindOf(request).made(request, received);
  chargeAnswer(deps, db, row, { quantity, note: filtered, stated });
  const missing = taskDriverOf(row)?.findMissing(request, received, note.filtered?.count ?? 0);
  if (missing) correctUnlessStated(deps, db, row, missing);
  if (isCanceled(row)) stopPolling(db, row, { hasResults: true });
}

/** A definite refusal. It costs nothing, unless the service may have accepted the job first. */
export function applyRefused(
  deps: Deps,
  db: WriteDb,
  row: JobRow,
  { error, billed, stated }: Pick<Extract<SubmitOutcome, { type: 'refused' }>, 'error' | 'billed' | 'stated'>,
): void {
  closeAttempt(db, row, 'refused', attemptFields(error));
  attemptEnded(deps, db, row, { error: toJobError(error), billed, stated });
}

/**
 * An attempt failed, which ends its job. If an earlier, unconfirmed attempt has a task, the job is unconfirmed again (or stays canceled),
 * and that task can be polled.
 */
export function attemptEnded(deps: Deps, db: WriteDb, row: JobRow, end: EndWithoutResult): void {
  const isInFlight = row.state === 'sending' || isCanceled(row);
  const hasEarlierTask = hasOpenTask(row) && !isTaskKnown(row);
  if (!isInFlight || !hasEarlierTask) return applyEnded(deps, db, row, end);
  settleEnd(deps, db, row, end);
  if (!costInDoubt(row)) return endedWithoutResult(deps, db, row, end);
  // Only the result of the earlier attempt may still come.
  if (end.billed === 'no') backToPriceOfDoubt(deps, db, row);
  if (!isCanceled(row)) advance(db, row, { type: 'lose' }, deps.clock.now(), { error: end.error, nextAt: null });
}

interface EndWithoutResult {
  error: JobError;
  billed: 'no' | 'unknown';
  /** The gateway reports that the job was stopped, not that it failed. */
  canceled?: boolean | undefined;
  stated?: StatedCost | undefined;
}

/** The job has ended without a result. */
export function applyEnded(deps: Deps, db: WriteDb, row: JobRow, end: EndWithoutResult): void {
  settleEnd(deps, db, row, end);
  endedWithoutResult(deps, db, row, end);
}

function settleEnd(deps: Deps, db: WriteDb, row: JobRow, { billed, stated }: EndWithoutResult): void {
  if (billed === 'unknown')
    setUncertain(deps, db, row, { note: t`The gateway does not say whether it bills this.`, stated });
  else deps.ledger.releaseAttempt(db, row, 'not billed');
}

function endedWithoutResult(
  deps: Pick<Deps, 'clock'>,
  db: WriteDb,
  row: JobRow,
  { error, canceled = false }: EndWithoutResult,
): void {
  const stopped = canceled && advance(db, row, { type: 'cancel' }, deps.clock.now(), { error, nextAt: null });
  if (stopped || isCanceled(row)) stopPolling(db, row, { hasResults: false });
  else advance(db, row, { type: 'fail' }, deps.clock.now(), { error, nextAt: null });
}

/** Definitely not accepted, but it may be accepted later: the reservation stays. */
export function deferred(deps: Deps, db: WriteDb, row: JobRow, error: GatewayError, nextAt: number): void {
  closeAttempt(db, row, 'unsent', attemptFields(error));
  const now = deps.clock.now();
  if (isCanceled(row)) return attemptEnded(deps, db, row, { error: toJobError(error), billed: 'no' });
  const patch = { error: toJobError(error), nextAt };
  if (error.kind === 'network' || error.kind === 'timeout')
    advance(db, row, { type: 'defer', reason: 'offline' }, now, patch);
  else if (error.kind === 'rate_limit') advance(db, row, { type: 'defer', reason: 'rate' }, now, patch);
  else advance(db, row, { type: 'defer' }, now, patch);
}

/** Refused for a reason that the user can fix in the profile or the account; the job waits for that. */
export function blockedForUser(deps: Deps, db: WriteDb, row: JobRow, error: GatewayError): void {
  closeAttempt(db, row, 'refused', attemptFields(error));
  if (isCanceled(row)) return attemptEnded(deps, db, row, { error: toJobError(error), billed: 'no' });
  const reason = error.kind === 'quota' ? 'quota' : 'auth';
  advance(db, row, { type: 'defer', reason }, deps.clock.now(), { error: toJobError(error), nextAt: null });
}

/** The answer was lost. The job is never sent again automatically; its reservation becomes an unconfirmed cost. */
export function applyLost(
  deps: Deps,
  db: WriteDb,
  row: JobRow,
  error: GatewayError,
  { stated, task }: Pick<Extract<SubmitOutcome, { type: 'unknown' }>, 'stated' | 'task'> = {},
): void {
  closeAttempt(db, row, 'unknown', { ...attemptFields(error), task: task?.id });
  setUncertain(deps, db, row, { note: error.message, stated });
  if (!isCanceled(row))
    advance(db, row, { type: 'lose' }, deps.clock.now(), { error: toJobError(error), nextAt: null });
}

/**
 * Dailies ended before the answer was complete: the reservation becomes an unconfirmed cost. A task may be looked up; a chat's stream
 * cannot.
 */
export function interrupted(deps: Deps, db: WriteDb, row: JobRow, message: string): void {
  closeAttempt(db, row, 'unknown', { message });
  setUncertain(deps, db, row, { note: message });
  const error: JobError = { kind: 'network', message, retryable: true };
  advance(db, row, { type: 'interrupt' }, deps.clock.now(), { error, nextAt: null });
}

/** Canceled by the user. If the service may have accepted the job, its cost is unconfirmed until a poll tells it. */
export function canceled(deps: Deps, db: WriteDb, row: JobRow): boolean {
  const wasSent = row.state === 'sending' || row.state === 'running';
  if (!advance(db, row, { type: 'cancel' }, deps.clock.now(), { error: null, nextAt: null })) return false;
  recordEvent(db, row, 'canceled', { sent: wasSent });
  if (wasSent) setUncertain(deps, db, row, { note: t`Canceled at the gateway` });
  else {
    deps.ledger.release(db, row, 'canceled before it was sent');
    backToPriceOfDoubt(deps, db, row);
  }
  return true;
}

/** The end of a streamed answer, complete or cut off. */
export function streamAnswered(
  deps: StreamDeps,
  db: WriteDb,
  row: JobRow,
  { driver, outcome }: { driver: StreamDriver; outcome: Extract<ChatOutcome, { type: 'answered' }> },
): void {
  const { complete, stated } = outcome;
  const limits = deps.profiles.get(row.profile_id)?.limits ?? limitsSchema.parse({});
  const { quantity, hasCounted, rejectedBecause, note } = driver.countUsage(requestOf(row), outcome.result, limits);
  // A usage that was rejected is not stored.
  const { usage: _usage, ...uncounted } = outcome.result;
  const result = rejectedBecause === undefined ? outcome.result : uncounted;
  // Done first: each update writes the whole row, which is then smaller.
  db.run(statements.removePartial, { id: row.id });
  if (outcome.remoteId !== undefined) saveRemoteId(db, row, outcome.remoteId);
  closeAttempt(db, row, complete ? 'done' : 'unknown', {
    status: outcome.status,
    requestId: outcome.requestId,
    message: outcome.error?.message,
  });
  // A stated zero is no cost; the service's cost record may give it later.
  const some = stated && statesSome(stated) ? stated : undefined;
  const isStated = acceptStated(db, row, some).chargeNano !== undefined;
  const isCounted = complete || hasCounted || isStated;
  if (isCounted) chargeAnswer(deps, db, row, { quantity, note, rejectedBecause, stated });
  else setUncertain(deps, db, row, { note: t`The answer was cut off.`, stated: some });
  if (!isCanceled(row)) endStreamed(deps, db, row, outcome);
  row.result = JSON.stringify(result);
  db.run(statements.saveResult, { id: row.id, result: row.result });
}

function endStreamed(
  deps: StreamDeps,
  db: WriteDb,
  row: JobRow,
  { complete, error }: Extract<ChatOutcome, { type: 'answered' }>,
): void {
  const now = deps.clock.now();
  if (complete) advance(db, row, { type: 'complete' }, now, { error: null });
  else advance(db, row, { type: 'fail' }, now, { error: error ? toJobError(error) : CUT_OFF });
}

const CUT_OFF: JobError = {
  kind: 'network',
  message: t`The answer was cut off.`,
  retryable: true,
};

/** A poll of an unfinished task: only the progress may change. */
export function progressed(
  deps: Deps,
  db: WriteDb,
  row: JobRow,
  outcome: Extract<PollOutcome, { type: 'running' }>,
): boolean {
  const before = row.progress;
  if (row.missing_since !== null) db.run(statements.saveMissing, { id: row.id, since: null });
  if (row.state === 'uncertain') return advance(db, row, { type: 'accept' }, deps.clock.now(), { error: null });
  if (outcome.progress === undefined) return false;
  return advance(db, row, { type: 'progress', percent: outcome.progress }, deps.clock.now()) && row.progress !== before;
}
