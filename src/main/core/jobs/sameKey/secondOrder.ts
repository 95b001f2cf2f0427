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
import { advance, closeAttempt, rowById } from '../records.ts';
import type { JobRow } from '../row.ts';
import * as statements from '../statements.ts';

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
  const row = writeSent(deps, db, first, now);
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

/** A job that has just been sent, with its reservation; in the night of the first one while that is open. */
function writeSent(deps: Deps, db: WriteDb, first: JobRow, now: number): JobRow {
  const id = deps.ids.id('job');
  const runId = first.run_id !== null && currentNightRun(db)?.id === first.run_id ? first.run_id : null;
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
  // It may exceed a cap: the service has taken it already.
  deps.ledger.reserve(db, row);
  advance(db, row, { type: 'claim' }, now, { nextAt: null, sentAt: now });
  db.run(statements.insertAttempt, { id, at: now, again: 0, key: null });
  recordClaim(db, row);
  return row;
}
