import { isPlayMoney } from '../../../../shared/gateway/profile.ts';
import { quantityOf } from '../../../../shared/kinds/index.ts';
import { costOf } from '../../../../shared/money/price.ts';
import { t } from '../../../../shared/text/texts.ts';
import type { SubmitOutcome } from '../../gateway/index.ts';
import type { PreparedOutput } from '../../library/index.ts';
import { currentNightRun, joinNight } from '../../night/index.ts';
import type { WriteDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import { advance, closeAttempt, forgetTask, rowById, saveRemoteTask } from '../jobRepository.ts';
import { positionAtEnd } from '../positions.ts';
import * as statements from '../queries/jobSql.ts';
import { recordClaim, recordRequest } from '../recordEvidence.ts';
import { hasOpenTask, isTaskKnown, type JobRow, remoteOf, requestOf } from '../row.ts';
import * as outcomes from './outcomes.ts';
import { attemptSentBefore, saveAsTaken, taskNamedIn } from './storedRequests.ts';

/**
 * A second request that the service accepted besides the one that the job follows. It will be billed, so it becomes a job of its own with
 * its own money, and is followed to its result. Nothing is sent for it.
 */

type Deps = Pick<EngineDeps, 'clock' | 'ids' | 'ledger' | 'library'>;

const TWICE = (id: string): string => t`The gateway accepted ${id} a second time.`;

/** Writes the job for the second task, in the caller's transaction. Returns its id. */
export function adoptDuplicateTask(
  deps: Deps,
  db: WriteDb,
  first: JobRow,
  outcome: Exclude<SubmitOutcome, { type: 'refused' }>,
  prepared: PreparedOutput[],
): string {
  const now = deps.clock.now();
  // The new job belongs to the same overnight run, if that is still open.
  const runId = first.run_id !== null && currentNightRun(db)?.id === first.run_id ? first.run_id : null;
  const row = writeSent(deps, db, { first, now, sentAt: now, runId });
  if (first.inputs !== null) db.run(statements.saveInputs, { id: row.id, inputs: first.inputs });
  // The budget may be exceeded, because the service has already accepted the request.
  deps.ledger.reserve(db, row);
  const message = TWICE(first.id);
  if (outcome.type === 'done') {
    closeAttempt(db, row, 'done', { message });
    outcomes.applyResults(deps, db, row, prepared, outcome);
    return row.id;
  }
  const { task, stated } = outcome;
  if (task) outcomes.applyAccepted(deps, db, row, { type: 'accepted', task, ...(stated ? { stated } : {}) });
  closeAttempt(db, row, 'accepted', { message });
  return row.id;
}

const OWN_JOB = 'the earlier request has a job of its own';
/**
 * Gives an earlier, unconfirmed attempt a job of its own if the answer to the last attempt names another task: a job follows only one task,
 * and the earlier one is billed too. Its cost stays unconfirmed until its task is known. Returns the new job's id, if any.
 */
export function adoptEarlierTask(
  deps: Deps & Pick<EngineDeps, 'profiles'>,
  db: WriteDb,
  row: JobRow,
  answer: SubmitOutcome,
): string[] {
  const earlier = hasOpenTask(row) && !isTaskKnown(row) ? remoteOf(row) : undefined;
  if (!earlier || !isAnotherTask(deps, row, answer)) return [];
  const now = deps.clock.now();
  const attempt = attemptSentBefore(db, row.id, earlier.acceptedAt);
  const sentAt = attempt?.at ?? row.created_at;
  const first = { ...row, ...moneySentAt(deps, db, row, sentAt) };
  forgetTask(db, row);
  const own = writeSent(deps, db, { first, now, sentAt, runId: null });
  deps.ledger.moveDoubt(db, row, { to: own, sentAt, note: OWN_JOB });
  saveRemoteTask(db, own, { ...earlier, acceptedAt: now });
  closeAttempt(db, own, 'accepted', { ...attempt?.facts, message: TWICE(row.id), task: earlier.id });
  advance(db, own, { type: 'accept' }, now, { error: null, nextAt: null });
  if (attempt) saveAsTaken(db, row.id, attempt.n, t`The gateway accepted it as a second request, ${own.id}.`);
  return [own.id];
}

/**
 * Whether the answer is about another request than the known task. A result without an id may belong to that task only if the gateway is
 * documented to return first results.
 */
function isAnotherTask({ profiles }: Pick<EngineDeps, 'profiles'>, row: JobRow, answer: SubmitOutcome): boolean {
  const named = taskNamedIn(answer);
  if (named !== undefined) return named !== row.remote_id;
  return answer.type === 'done' && profiles.get(row.profile_id)?.idempotency.kind !== 'documented';
}

/** The price and estimate of an attempt that was sent at `sentAt`. */
function moneySentAt(
  { ledger }: Deps,
  db: WriteDb,
  row: JobRow,
  sentAt: number,
): Pick<JobRow, 'price' | 'estimate_nano' | 'estimate_low_nano'> {
  const price = ledger.priceChanges.priceSentAt(db, row, sentAt);
  if (!price) return row;
  const { nano, lowNano } = costOf(price, quantityOf(requestOf(row), 0));
  return { price: JSON.stringify(price), estimate_nano: nano, estimate_low_nano: lowNano };
}

/** A job that was sent at `sentAt`, without money yet. */
function writeSent(
  deps: Deps,
  db: WriteDb,
  { first, now, sentAt, runId }: { first: JobRow; now: number; sentAt: number; runId: string | null },
): JobRow {
  const id = deps.ids.id('job');
  db.run(statements.insertJob, {
    id,
    kind: first.kind,
    state: 'queued',
    reason: null,
    request: first.request,
    profileId: first.profile_id,
    play: first.play,
    projectId: first.project_id,
    runId,
    model: first.model,
    lane: first.lane,
    idempotencyKey: deps.ids.secret(),
    hookSecret: deps.ids.secret(),
    price: first.price,
    estimateNano: first.estimate_nano,
    estimateLowNano: first.estimate_low_nano,
    confirmedNano: first.confirmed_nano,
    position: positionAtEnd(db),
    notBefore: null,
    createdAt: now,
  });
  if (runId !== null) joinNight(db, runId, { id, isPlay: isPlayMoney(first.profile_id) }, now);
  const row = rowById(db, id);
  if (!row) throw new Error(`${id} was not written`);
  if (first.omitted !== null) db.run(statements.saveOmitted, { id, omitted: first.omitted });
  recordRequest(db, row, undefined);
  advance(db, row, { type: 'claim' }, now, { nextAt: null, sentAt });
  db.run(statements.insertAttempt, { id, at: sentAt, again: 0, key: null });
  recordClaim(db, row, { at: sentAt });
  return row;
}
