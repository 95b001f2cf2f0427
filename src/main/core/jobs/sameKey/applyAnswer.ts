import { t } from '../../../../shared/text/texts.ts';
import type { RepeatOutcome, SubmitOutcome } from '../../gateway/index.ts';
import type { PreparedOutput } from '../../library/index.ts';
import type { WriteDb } from '../../store/index.ts';
import { taskNamedIn } from '../attemptKeys.ts';
import { markInDoubt } from '../charging.ts';
import type { EngineDeps } from '../deps.ts';
import { followOther } from '../otherOrders.ts';
import * as outcomes from '../outcomes.ts';
import { closeAttempt, saveRemoteTask } from '../records.ts';
import { type JobRow, remoteOf } from '../row.ts';
import * as statements from '../statements.ts';
import { reevaluateDependents } from '../waiting.ts';

/**
 * What the answer to a request that was sent again under its key means. It is the first request's answer where it says so: a task, a
 * result, an accepted order that failed, or a refusal that the service marks as replayed. Any other refusal is about the second request
 * alone (a service looks at key, quota and rate before it looks for the first one), so the first stays in doubt.
 *
 * A job follows one order. A task other than the one that it follows is another order, and gets a job of its own. That the service ignores
 * keys is shown only by two tasks in answers to the same key: a webhook may have named a task of another request.
 */

type Deps = Pick<EngineDeps, 'clock' | 'ids' | 'ledger' | 'library'>;

type Taken = Exclude<SubmitOutcome, { type: 'refused' }>;

export interface Applied {
  /** Ids of jobs that changed. */
  changed: string[];
  /** Of these, those that follow an order: their tasks are polled, or the results of the last one are taken. */
  follow: string[];
}

const BACK = 'the gateway gave the first order back under its key';

/** `prepared`: what the answer holds, on disk. */
export function applyAnswer(
  deps: Deps,
  db: WriteDb,
  row: JobRow,
  { outcome, replayed, prepared }: RepeatOutcome & { prepared: PreparedOutput[] },
): Applied {
  const { id } = row;
  const task = taskNamedIn(outcome);
  const followed = remoteOf(row)?.id;
  if (outcome.type !== 'refused' && task !== undefined && followed !== undefined && followed !== task)
    return applyOther(deps, db, row, outcome, prepared);
  if (row.state !== 'uncertain') {
    // A poll or a webhook was quicker.
    closeAttempt(db, row, outcome.type === 'refused' ? 'unknown' : outcome.type, { task });
    return { changed: [id], follow: [] };
  }
  switch (outcome.type) {
    case 'accepted':
      deps.ledger.reserveDoubt(db, row, BACK);
      outcomes.accepted(deps, db, row, outcome);
      return { changed: [id], follow: [id] };
    case 'done':
      deps.ledger.reserveDoubt(db, row, BACK);
      closeAttempt(db, row, 'done', { task, requestId: outcome.requestId });
      return { changed: [id, ...outcomes.answered(deps, db, row, prepared, outcome)], follow: [id] };
    case 'refused':
      // What becomes of a task that is known is told by its polls.
      if ((!replayed && outcome.error.accepted !== 'yes') || row.remote !== null) break;
      outcomes.refused(deps, db, row, outcome);
      return { changed: [id, ...reevaluateDependents(deps, db, id)], follow: [] };
    case 'unknown':
      if (outcome.task && row.remote === null) saveRemoteTask(db, row, outcome.task);
  }
  stayInDoubt(deps, db, row, outcome);
  return { changed: [id], follow: [id] };
}

/** Both are followed: the one that the job had, and the one that the answer names. */
function applyOther(deps: Deps, db: WriteDb, row: JobRow, outcome: Taken, prepared: PreparedOutput[]): Applied {
  const task = taskNamedIn(outcome) ?? '';
  const message = t`The gateway took another order, ${task}; it has a job of its own.`;
  closeAttempt(db, row, outcome.type, { task, message });
  // Another job follows it where the same answer came before.
  const known = { kinds: JSON.stringify([row.kind]), profileId: row.profile_id, remoteId: task };
  const others = db.one(statements.jobByRemoteId, known) ? [] : followOther(deps, db, row, outcome, prepared);
  return { changed: [row.id, ...others], follow: [row.id, ...others.slice(0, 1)] };
}

/** It is in doubt as before, and so is its money: once, or as much as the answer states. */
function stayInDoubt(
  deps: Deps,
  db: WriteDb,
  row: JobRow,
  outcome: Extract<SubmitOutcome, { type: 'refused' | 'unknown' }>,
): void {
  const { error, stated } = outcome;
  const refused = error.status === undefined ? 'unsent' : 'refused';
  const facts = { ...outcomes.attemptFields(error), task: taskNamedIn(outcome) };
  closeAttempt(db, row, error.accepted === 'no' ? refused : 'unknown', facts);
  const isFree = outcome.type === 'refused' && outcome.billed === 'no';
  if (stated && !isFree) markInDoubt(deps, db, row, { note: 'asked for again in vain', stated });
  const message = `Asked for again, without an answer about the first request: ${error.message}`;
  row.error = JSON.stringify({ ...outcomes.toJobError(error), message });
  db.run(statements.saveError, { id: row.id, error: row.error });
}
