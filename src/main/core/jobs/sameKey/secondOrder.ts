import { quantityOf } from '../../../../shared/kinds/index.ts';
import { costOf } from '../../../../shared/price.ts';
import { isPlayMoney } from '../../../../shared/profile.ts';
import { t } from '../../../../shared/texts.ts';
import type { RemoteTask, SubmitOutcome } from '../../gateway/index.ts';
import type { PreparedOutput } from '../../library/index.ts';
import { currentNightRun, joinNight } from '../../night/index.ts';
import type { WriteDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import { recordClaim, recordOrder } from '../journaled.ts';
import * as outcomes from '../outcomes.ts';
import { positionAtEnd } from '../positions.ts';
import { advance, closeAttempt, forgetTask, rowById, saveRemoteTask } from '../records.ts';
import { costInDoubt, hasOpenTask, isTaskKnown, type JobRow, remoteOf, requestOf } from '../row.ts';
import * as statements from '../statements.ts';
import { taskNamedIn } from './attemptKeys.ts';

/**
 * An order that a service took beside the one that a job follows: it will be billed, so it becomes a job of its own, with the same request
 * and money of its own, and is followed to its result like any other. Nothing is sent for it.
 */

type Deps = Pick<EngineDeps, 'clock' | 'ids' | 'ledger' | 'library'>;

/** What the service said about an order beside the first: a task to follow, or its result. */
export type OtherOrder =
  | { task: RemoteTask; outcome: SubmitOutcome }
  | { outcome: Extract<SubmitOutcome, { type: 'done' }>; prepared: PreparedOutput[] };

const FROM = (id: string): string => t`Taken as an order of its own when ${id} was asked for again under its key.`;

/** Writes the job that follows it, in the caller's transaction. Returns its id, then those of jobs that changed with it. */
export function followOther(deps: Deps, db: WriteDb, first: JobRow, other: OtherOrder): string[] {
  const now = deps.clock.now();
  // In the night of the first one while that is open.
  const runId = first.run_id !== null && currentNightRun(db)?.id === first.run_id ? first.run_id : null;
  // It may exceed a cap: the service has taken it already.
  const row = writeSent(deps, db, { first, now, runId }, (written) => void deps.ledger.reserve(db, written));
  const { outcome } = other;
  const message = FROM(first.id);
  if ('task' in other) {
    const { stated } = outcome;
    outcomes.accepted(deps, db, row, { type: 'accepted', task: other.task, ...(stated ? { stated } : {}) });
    closeAttempt(db, row, 'accepted', { message });
    return [row.id];
  }
  closeAttempt(db, row, 'done', { message });
  return [row.id, ...outcomes.answered(deps, db, row, other.prepared, other.outcome)];
}

const OWN_JOB = 'the earlier order has a job of its own';
const EARLIER = (id: string): string => t`The first order of ${id}, which was sent again and taken as another one.`;

/**
 * The order of an earlier attempt, which is in doubt, gets a job of its own where the answer to the last attempt names another: the job
 * follows one order only, and what the service makes of the earlier one is billed too. Returns the new job's id, if any.
 */
export function followEarlier(deps: Deps, db: WriteDb, row: JobRow, answer: SubmitOutcome): string[] {
  const named = taskNamedIn(answer);
  const earlier = hasOpenTask(row) && !isTaskKnown(row) ? remoteOf(row) : undefined;
  if (named === undefined || !earlier || earlier.id === named) return [];
  // The bill has settled it.
  if (row.estimate_nano > 0 && !costInDoubt(row)) return [];
  const now = deps.clock.now();
  const isLastInDoubt = row.state === 'canceled' && row.reserved_nano === 0;
  const first = { ...row, ...moneyOfEarlier(deps, db, row, isLastInDoubt) };
  forgetTask(db, row);
  // Its night has counted it already.
  const own = writeSent(deps, db, { first, now, runId: null }, (written) =>
    deps.ledger.moveEarlier(db, row, { to: written, isLastInDoubt, note: OWN_JOB }),
  );
  const message = EARLIER(row.id);
  saveRemoteTask(db, own, { ...earlier, acceptedAt: now });
  closeAttempt(db, own, 'unknown', { message, task: earlier.id });
  advance(db, own, { type: 'lose' }, now, { error: { kind: 'timeout', message, retryable: false }, nextAt: null });
  return [own.id];
}

/** The price at which the earlier attempt was sent. */
function moneyOfEarlier(
  { ledger }: Deps,
  db: WriteDb,
  row: JobRow,
  isLastInDoubt: boolean,
): Pick<JobRow, 'price' | 'estimate_nano' | 'estimate_low_nano'> {
  const price = ledger.priceChanges.priceOfEarlier(db, row, isLastInDoubt);
  if (!price) return row;
  const { nano, lowNano } = costOf(price, quantityOf(requestOf(row), 0));
  return { price: JSON.stringify(price), estimate_nano: nano, estimate_low_nano: lowNano };
}

/** A job that has just been sent; `hold` counts what it may cost. */
function writeSent(
  deps: Deps,
  db: WriteDb,
  { first, now, runId }: { first: JobRow; now: number; runId: string | null },
  hold: (row: JobRow) => void,
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
    position: positionAtEnd(db),
    notBefore: null,
    createdAt: now,
  });
  if (runId !== null) joinNight(db, runId, { id, isPlay: isPlayMoney(first.profile_id) }, now);
  const row = rowById(db, id);
  if (!row) throw new Error(`${id} was not written`);
  recordOrder(db, row, undefined);
  hold(row);
  advance(db, row, { type: 'claim' }, now, { nextAt: null, sentAt: now });
  db.run(statements.insertAttempt, { id, at: now, again: 0, key: null });
  recordClaim(db, row);
  return row;
}
