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
 * Recovers the jobs at start: one that was being sent is in doubt, since its outcome is unknown; a chat that was answering is cut off and
 * keeps its text; waiting jobs are reevaluated; tasks and downloads are resumed by the poller and the library. Returns the ids of those in
 * doubt.
 */
export function recover(deps: EngineDeps, db: WriteDb): string[] {
  const inState = (state: string) => db.all<JobRow>(statements.inState, { state });
  const interrupted = [...inState('sending'), ...inState('running').filter(({ remote }) => remote === null)];
  for (const row of interrupted) outcomes.interrupted(deps, db, row, ENDED);
  db.run(statements.closeCanceledAttempts, { message: ENDED });
  db.run(statements.closeAsking, { message: ENDED });
  for (const row of inState('fetching')) finishFetched(deps, db, row.id);
  // An end between the last download and what follows from it. What was canceled before that is settled long since.
  const since = deps.clock.now() - ASSUMED_LINK_LIFE_MS;
  for (const { id } of db.all<{ id: string }>(statements.canceledWithResults, { since })) finishFetched(deps, db, id);
  const waiting = [...inState('blocked'), ...inState('queued')].sort((one, other) => one.position - other.position);
  // In the order of the queue: money that an end in the middle left released goes to the first of them.
  for (const { id } of waiting) reevaluateWaiting(deps, db, id);
  return interrupted.map(({ id }) => id);
}

function reevaluateWaiting(deps: EngineDeps, db: WriteDb, id: string): void {
  const row = rowById(db, id);
  if (!row) return;
  if (row.reason === 'offline') row.next_at = null;
  // What the service asked for outlives a restart.
  if (row.reason === 'rate' && isResendLater(row.next_at, deps.clock.now())) return;
  if (waitsForUser(row) || !reevaluate(deps, db, row)) return;
  // Its dependents may be earlier in the queue and have been evaluated before it failed.
  if (row.state === 'failed') reevaluateDependents(deps, db, id);
}
