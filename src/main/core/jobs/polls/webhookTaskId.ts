import { promptOf } from '../../../../shared/kinds/index.ts';
import { taskFromWebhook } from '../../gateway/index.ts';
import type { ReadDb, WriteDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import { driverOf, hasWebhook, kindsWithDriver } from '../kinds/index.ts';
import { rowById, saveRemoteTask } from '../records.ts';
import { costInDoubt, hasOpenTask, isTaskKnown, type JobRow, requestOf } from '../row.ts';
import * as statements from '../statements.ts';

/**
 * The body of a webhook may name the task of a job whose answer was lost or has not arrived yet, also where an earlier attempt had one. The id only says which task to poll; the
 * service's answer to that poll decides.
 */
const canTakeTaskId = (row: JobRow): boolean => !isTaskKnown(row) && awaitsAnswer(row) && hasWebhook(driverOf(row));

/** One that was canceled meanwhile may still be billed; its task was never known, or its polls have ended. */
const awaitsAnswer = (row: JobRow): boolean =>
  row.state === 'sending' ||
  row.state === 'uncertain' ||
  (row.state === 'canceled' && (row.remote_id === null || hasOpenTask(row)) && costInDoubt(row));

/** Whether the body of a webhook for this job has to be read. */
export function lacksTaskId(db: ReadDb, jobId: string): boolean {
  const row = rowById(db, jobId);
  return row !== undefined && canTakeTaskId(row);
}

/** Saves the task that a webhook's body names, so that it can be polled. Returns whether it was saved. */
export function saveTaskIdFromWebhook(
  deps: Pick<EngineDeps, 'clock'>,
  db: WriteDb,
  jobId: string,
  body: string,
): boolean {
  const row = rowById(db, jobId);
  if (!row || !canTakeTaskId(row)) return false;
  const task = taskFromWebhook(body, { prompt: promptOf(requestOf(row)), at: deps.clock.now() });
  // The id may be another job's task, such as the base image of an edit.
  if (
    !task ||
    db.one(statements.jobByRemoteId, {
      kinds: kindsWithDriver(hasWebhook),
      profileId: row.profile_id,
      remoteId: task.id,
    })
  )
    return false;
  saveRemoteTask(db, row, task);
  return true;
}
