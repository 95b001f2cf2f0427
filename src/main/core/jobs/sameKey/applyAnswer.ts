import type { GatewayError, RepeatOutcome, SubmitOutcome } from '../../gateway/index.ts';
import type { PreparedOutput } from '../../library/index.ts';
import type { WriteDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import * as outcomes from '../outcomes.ts';
import { closeAttempt, saveRemoteTask } from '../records.ts';
import { type JobRow, remoteOf } from '../row.ts';
import * as statements from '../statements.ts';
import { reevaluateDependents } from '../waiting.ts';

/**
 * What the answer to a request that was sent again under its key means. It is the first request's answer where it says so: a task, a
 * result, an accepted order that failed, or a refusal that the service marks as replayed. Any other refusal is about the second request
 * alone (a service looks at key, quota and rate before it looks for the first one), so the first stays in doubt.
 */

type Deps = Pick<EngineDeps, 'clock' | 'ledger' | 'library'>;

export interface Applied {
  /** Ids of jobs that changed. */
  changed: string[];
  /** The service took a second order. */
  keyIgnored: boolean;
}

const BACK = 'the service gave the first order back under its key';
const SECOND = 'sent again under its key, and taken as a second order';

export function applyAnswer(
  deps: Deps,
  db: WriteDb,
  row: JobRow,
  answer: RepeatOutcome,
  prepared: PreparedOutput[],
): Applied {
  const id = taskIn(answer.outcome);
  const knownId = remoteOf(row)?.id ?? row.remote_id;
  if (id !== undefined && knownId !== null && knownId !== id) return tookSecond(deps, db, row, id);
  if (row.state === 'uncertain') return applyToDoubt(deps, db, row, answer, prepared);
  // A poll or a webhook was quicker.
  const { type } = answer.outcome;
  closeAttempt(db, row, type === 'accepted' || type === 'done' ? type : 'unknown');
  return applied(row);
}

/** The id of the task that the service has for the request. */
function taskIn(outcome: SubmitOutcome): string | undefined {
  if (outcome.type === 'accepted') return outcome.task.id;
  return outcome.type === 'done' ? outcome.remoteId : undefined;
}

const applied = (row: JobRow, others: string[] = []): Applied => ({ changed: [row.id, ...others], keyIgnored: false });

function applyToDoubt(
  deps: Deps,
  db: WriteDb,
  row: JobRow,
  { outcome, replayed }: RepeatOutcome,
  prepared: PreparedOutput[],
): Applied {
  switch (outcome.type) {
    case 'accepted':
      deps.ledger.reserveDoubt(db, row, BACK);
      outcomes.accepted(deps, db, row, outcome);
      return applied(row);
    case 'done':
      deps.ledger.reserveDoubt(db, row, BACK);
      closeAttempt(db, row, 'done', outcome.requestId === undefined ? {} : { requestId: outcome.requestId });
      return applied(row, outcomes.answered(deps, db, row, prepared, outcome));
    case 'refused':
      if (!replayed && outcome.error.accepted !== 'yes') return stillInDoubt(db, row, outcome.error);
      outcomes.refused(deps, db, row, outcome);
      return applied(row, reevaluateDependents(deps, db, row.id));
    case 'unknown':
      if (outcome.task && row.remote === null) saveRemoteTask(db, row, outcome.task);
      return stillInDoubt(db, row, outcome.error);
  }
}

/** It is in doubt as before, and so is its money: once. */
function stillInDoubt(db: WriteDb, row: JobRow, error: GatewayError): Applied {
  const { status, requestId } = error;
  const refused = error.accepted === 'no';
  closeAttempt(db, row, refused ? (status === undefined ? 'unsent' : 'refused') : 'unknown', {
    message: error.message,
    ...(status === undefined ? {} : { status }),
    ...(requestId === undefined ? {} : { requestId }),
  });
  const message = `Asked for again, without an answer about the first request: ${error.message}`;
  row.error = JSON.stringify({ ...outcomes.toJobError(error), message });
  db.run(statements.saveError, { id: row.id, error: row.error });
  return applied(row);
}

/** Two orders: the first one is followed, and what the second may cost is in doubt beside it. */
function tookSecond({ ledger }: Deps, db: WriteDb, row: JobRow, id: string): Applied {
  closeAttempt(db, row, 'accepted', { message: `The service took a second order, ${id}, under the same key.` });
  ledger.doubtOneMore(db, row, SECOND);
  return { changed: [row.id], keyIgnored: true };
}
