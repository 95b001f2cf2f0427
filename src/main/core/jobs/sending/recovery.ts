import { ASSUMED_LINK_LIFE_MS } from '../../../../shared/library/asset.ts';
import { t } from '../../../../shared/text/texts.ts';
import type { WriteDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import { rowById } from '../jobRepository.ts';
import * as statements from '../queries/jobSql.ts';
import { reevaluate, reevaluateDependents, waitsForUser } from '../reevaluate.ts';
import type { JobRow } from '../row.ts';
import { isResendLater } from './backoff.ts';
import { finishFetched } from './finishDownloads.ts';
import * as outcomes from './outcomes.ts';

const ENDED = t`Dailies ended before the answer was complete.`;

/**
 * Recovers jobs at start. A job that was being sent becomes unconfirmed. A chat that was answering is cut and keeps its text. Waiting jobs
 * are reevaluated. The poller and the library resume tasks and downloads. Returns the ids of the unconfirmed jobs.
 */
export function recover(deps: EngineDeps, db: WriteDb): string[] {
  const inState = (state: string) => db.all<JobRow>(statements.inState, { state });
  const interrupted = [...inState('sending'), ...inState('running').filter(({ remote }) => remote === null)];
  for (const row of interrupted) outcomes.interrupted(deps, db, row, ENDED);
  db.run(statements.closeCanceledAttempts, { message: ENDED });
  db.run(statements.closeAsking, { message: ENDED });
  for (const row of inState('fetching')) finishFetched(deps, db, row.id);
  // The program may have ended between the last download and the end of the job. Jobs that were canceled earlier are settled long since.
  const since = deps.clock.now() - ASSUMED_LINK_LIFE_MS;
  for (const { id } of db.all<{ id: string }>(statements.canceledWithResults, { since })) finishFetched(deps, db, id);
  const waiting = [...inState('blocked'), ...inState('queued')].sort((one, other) => one.position - other.position);
  // In queue order, so that money released by an interruption goes to the first jobs.
  for (const { id } of waiting) reevaluateWaiting(deps, db, id);
  return interrupted.map(({ id }) => id);
}

function reevaluateWaiting(deps: EngineDeps, db: WriteDb, id: string): void {
  const row = rowById(db, id);
  if (!row) return;
  if (row.reason === 'offline') row.next_at = null;
  // A delay that the service asked for outlives a restart.
  if (row.reason === 'rate' && isResendLater(row.next_at, deps.clock.now())) return;
  if (waitsForUser(row) || !reevaluate(deps, db, row)) return;
  // Its dependents may be earlier in the queue and have been evaluated before it failed.
  if (row.state === 'failed') reevaluateDependents(deps, db, id);
}
