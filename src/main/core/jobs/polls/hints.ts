import { promptOf } from '../../../../shared/kinds/index.ts';
import { taskFromWebhook } from '../../gateway/index.ts';
import type { ReadDb, WriteDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import { driverOf, hasWebhook, kindsDriven } from '../kinds/index.ts';
import { keepRemote, rowById } from '../records.ts';
import { type JobRow, requestOf } from '../row.ts';
import * as statements from '../statements.ts';

/**
 * A webhook that still arrives for an order whose answer was lost, or has not come yet: its body may name the task. That is only
 * where to ask, and the service's answer decides (DESIGN "Webhooks").
 */
const lacksTask = (row: JobRow): boolean =>
  row.remote === null && (row.state === 'sending' || row.state === 'uncertain') && hasWebhook(driverOf(row));

/** Whether the body of a call for this job is worth reading. */
export function wantsHint(db: ReadDb, jobId: string): boolean {
  const row = rowById(db, jobId);
  return row !== undefined && lacksTask(row);
}

/** Keeps the task that a body names, so that it can be looked up. */
export function takeHint(deps: Pick<EngineDeps, 'clock'>, db: WriteDb, jobId: string, body: string): boolean {
  const row = rowById(db, jobId);
  if (!row || !lacksTask(row)) return false;
  const task = taskFromWebhook(body, { prompt: promptOf(requestOf(row)), at: deps.clock.now() });
  // The base picture of an edit, say, is a task as well, and another job's.
  if (
    !task ||
    db.one(statements.jobOfTask, {
      kinds: kindsDriven(hasWebhook),
      profileId: row.profile_id,
      remoteId: task.id,
    })
  )
    return false;
  keepRemote(db, row, task);
  return true;
}
