import { t } from '../../../../shared/texts.ts';
import type { GatewayError, RepeatOutcome, SubmitOutcome } from '../../gateway/index.ts';
import type { PreparedOutput } from '../../library/index.ts';
import type { ReadDb, WriteDb } from '../../store/index.ts';
import { markInDoubt } from '../charging.ts';
import type { EngineDeps } from '../deps.ts';
import * as outcomes from '../outcomes.ts';
import { closeAttempt, saveRemoteTask } from '../records.ts';
import { type JobRow, remoteOf } from '../row.ts';
import * as statements from '../statements.ts';
import { reevaluateDependents } from '../waiting.ts';
import { lostAsOtherOrders, taskNamedIn, tasksUnderKey } from './attemptKeys.ts';
import { followOther, type OtherOrder } from './secondOrder.ts';

/**
 * What the answer to a request that was sent again under its key means. It is the first request's answer where it says so: a task, a
 * result, an accepted order that failed, or a refusal that the service marks as replayed. Any other refusal is about the second request
 * alone (a service looks at key, quota and rate before it looks for the first one), so the first stays in doubt.
 *
 * A job follows one order. A task other than the one that it follows is another order, and gets a job of its own. That the service ignores
 * keys is shown only by two tasks in answers to the same key: a webhook or another attempt may have named a task of another request.
 */

type Deps = Pick<EngineDeps, 'clock' | 'ids' | 'ledger' | 'library'>;

/** An answer, with the key of the request that it is about and what it holds, on disk. */
export interface Answer extends RepeatOutcome {
  key: string;
  prepared: PreparedOutput[];
}

export interface Applied {
  /** Ids of jobs that changed. */
  changed: string[];
  /** Jobs whose tasks are to be polled. */
  follow: string[];
  /** Jobs whose results are known: their downloads begin. */
  fetch: string[];
}

const BACK = 'the gateway gave the first order back under its key';
const OTHER = 'the attempt that was lost is an order of its own';
const NOT_TAKEN = 'the gateway says that it did not take this attempt';
const IN_VAIN = 'asked for again, without an answer about the first request';

/** Whether the answer names another task than an earlier answer to the same key did. */
export function showsIgnoredKey(db: ReadDb, row: JobRow, { outcome, key }: Pick<Answer, 'outcome' | 'key'>): boolean {
  const task = taskNamedIn(outcome);
  return task !== undefined && tasksUnderKey(db, row.id, key).some((known) => known !== task);
}

export function applyAnswer(deps: Deps, db: WriteDb, row: JobRow, answer: Answer): Applied {
  const other = otherOrderIn(db, row, answer);
  if (other) return applyOther(deps, db, row, { answer, other });
  if (row.state === 'uncertain') return applyToDoubt(deps, db, row, answer);
  // A poll or a webhook was quicker.
  const { type } = answer.outcome;
  const outcome = type === 'accepted' || type === 'done' ? type : 'unknown';
  closeAttempt(db, row, outcome, { task: taskNamedIn(answer.outcome) });
  return applied(row);
}

const applied = (row: JobRow, more: Partial<Applied> & { others?: string[] } = {}): Applied => ({
  changed: [row.id, ...(more.others ?? [])],
  follow: more.follow ?? [],
  fetch: more.fetch ?? [],
});

/** The order that the answer names, where the job follows another one. */
function otherOrderIn(db: ReadDb, row: JobRow, { outcome, prepared }: Answer): OtherOrder | 'known' | undefined {
  const task = taskNamedIn(outcome);
  const followed = remoteOf(row)?.id;
  if (task === undefined || followed === undefined || followed === task) return undefined;
  if (isFollowed(db, row, task)) return 'known';
  if (outcome.type === 'done') return { outcome, prepared };
  if (outcome.type === 'accepted') return { task: outcome.task, outcome };
  return outcome.type === 'unknown' && outcome.task ? { task: outcome.task, outcome } : undefined;
}

/** Whether another job follows this task: the same answer came before. */
const isFollowed = (db: ReadDb, { profile_id: profileId, kind }: JobRow, remoteId: string): boolean =>
  db.one(statements.jobByRemoteId, { kinds: JSON.stringify([kind]), profileId, remoteId }) !== undefined;

/** Both are followed: the one that the job had, and the one that the answer names. */
function applyOther(
  deps: Deps,
  db: WriteDb,
  row: JobRow,
  { answer, other }: { answer: Answer; other: OtherOrder | 'known' },
): Applied {
  const { outcome, key } = answer;
  const task = taskNamedIn(outcome) ?? '';
  const isIgnored = showsIgnoredKey(db, row, answer);
  const what = isIgnored ? 'a second order under the same key' : 'an order of its own';
  const message = t`The gateway took ${what}, ${task}; it has a job of its own.`;
  const type = outcome.type === 'accepted' || outcome.type === 'done' ? outcome.type : 'unknown';
  closeAttempt(db, row, type, { task, message });
  const follow = row.state === 'uncertain' && row.remote !== null ? [row.id] : [];
  if (other === 'known') return applied(row, { follow });
  // The doubt about the attempt that was asked for goes to its own job, unless it is all that covers the first one.
  const hasOwnDoubt = !isIgnored && lostAsOtherOrders(db, row.id, key, task) > 0;
  if (hasOwnDoubt && row.state === 'uncertain' && coversTwo(row)) deps.ledger.releaseAttempt(db, row, OTHER);
  const [id = '', ...others] = followOther(deps, db, row, other);
  const isDone = outcome.type === 'done';
  return applied(row, {
    others: [id, ...others],
    follow: isDone ? follow : [...follow, id],
    fetch: isDone ? [id] : [],
  });
}

/** Whether two attempts are in doubt. */
const coversTwo = (row: JobRow): boolean =>
  row.price === 'null' ? row.unpriced_doubt > 1 : row.uncertain_nano >= 2 * row.estimate_nano;

function applyToDoubt(deps: Deps, db: WriteDb, row: JobRow, answer: Answer): Applied {
  const { outcome, replayed } = answer;
  switch (outcome.type) {
    case 'accepted':
      deps.ledger.reserveDoubt(db, row, BACK);
      outcomes.accepted(deps, db, row, outcome);
      return applied(row, { follow: [row.id] });
    case 'done': {
      deps.ledger.reserveDoubt(db, row, BACK);
      const { requestId } = outcome;
      closeAttempt(db, row, 'done', { task: taskNamedIn(outcome), ...(requestId === undefined ? {} : { requestId }) });
      return applied(row, {
        others: outcomes.answered(deps, db, row, answer.prepared, outcome),
        fetch: [row.id],
      });
    }
    case 'refused':
      if (!replayed && outcome.error.accepted !== 'yes') return stillInDoubt(deps, db, row, outcome);
      return applyRefusal(deps, db, row, answer, outcome);
    case 'unknown':
      if (!outcome.task || row.remote !== null) return stillInDoubt(deps, db, row, outcome);
      saveRemoteTask(db, row, outcome.task);
      return { ...stillInDoubt(deps, db, row, outcome), follow: [row.id] };
  }
}

/** The first request's own refusal. The task of another request, which is in doubt as well, is not refused by it. */
function applyRefusal(
  deps: Deps,
  db: WriteDb,
  row: JobRow,
  { key }: Answer,
  outcome: Extract<SubmitOutcome, { type: 'refused' }>,
): Applied {
  const task = remoteOf(row)?.id;
  const isOfOther = task !== undefined && !tasksUnderKey(db, row.id, key).includes(task) && coversTwo(row);
  if (!isOfOther) {
    outcomes.refused(deps, db, row, outcome);
    return applied(row, { others: reevaluateDependents(deps, db, row.id) });
  }
  if (outcome.billed === 'no') deps.ledger.releaseAttempt(db, row, NOT_TAKEN);
  return stillInDoubt(deps, db, row, outcome);
}

/** It is in doubt as before, and so is its money: once, or as much as the answer states. */
function stillInDoubt(
  deps: Deps,
  db: WriteDb,
  row: JobRow,
  outcome: Extract<SubmitOutcome, { type: 'refused' | 'unknown' }>,
): Applied {
  const { error, stated } = outcome;
  const { status, requestId } = error;
  const refused = error.accepted === 'no';
  closeAttempt(db, row, refused ? (status === undefined ? 'unsent' : 'refused') : 'unknown', {
    message: error.message,
    task: taskNamedIn(outcome),
    ...(status === undefined ? {} : { status }),
    ...(requestId === undefined ? {} : { requestId }),
  });
  const isFree = outcome.type === 'refused' && outcome.billed === 'no';
  if (stated && !isFree) markInDoubt(deps, db, row, { note: IN_VAIN, stated });
  saveAsked(db, row, error);
  return applied(row);
}

function saveAsked(db: WriteDb, row: JobRow, error: GatewayError): void {
  const message = `Asked for again, without an answer about the first request: ${error.message}`;
  row.error = JSON.stringify({ ...outcomes.toJobError(error), message });
  db.run(statements.saveError, { id: row.id, error: row.error });
}
