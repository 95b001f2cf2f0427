import type { PollOutcome, RemoteTask } from '../../gateway/index.ts';
import type { PreparedOutput } from '../../library/index.ts';
import type { WriteDb } from '../../store/index.ts';
import { GIVE_UP_MS, GRACE_MS } from '../backoff.ts';
import type { EngineDeps } from '../deps.ts';
import * as outcomes from '../outcomes.ts';
import { keepRemote, rowById } from '../records.ts';
import { costInDoubt, type JobRow, remoteOf } from '../row.ts';
import * as statements from '../statements.ts';
import { reconsiderDependents } from '../waiting.ts';

/** What a look at an accepted task means for its job. */

/** As much of a job as decides whether it is looked at. */
export type LookedAt = Pick<
  JobRow,
  | 'id'
  | 'kind'
  | 'state'
  | 'profile_id'
  | 'remote'
  | 'progress'
  | 'missing_since'
  | 'uncertain_nano'
  | 'unpriced_doubt'
  | 'created_at'
>;

const acceptedAt = (row: LookedAt): number => remoteOf(row)?.acceptedAt ?? row.created_at;

/** A canceled one is followed until its bill is known, but no longer than any other. */
export const isFollowed = (row: LookedAt, now: number): boolean =>
  row.remote !== null &&
  (row.state === 'running' || (row.state === 'canceled' && costInDoubt(row) && now - acceptedAt(row) < GIVE_UP_MS));

/** One in doubt is looked at when somebody asks, or when there is news of it. */
export const isAsked = (row: LookedAt, now: number): boolean =>
  isFollowed(row, now) || (row.state === 'uncertain' && row.remote !== null);

/** Whether a look at that task is about the order it has now: while the service was asked, the job may have been ordered again. */
export const isAbout = (row: LookedAt, asked: RemoteTask, now: number): boolean =>
  isAsked(row, now) && remoteOf(row)?.id === asked.id;

/** Most looks say what is known already; they cost no write. */
export function isNoNews(row: LookedAt, outcome: PollOutcome, now: number): boolean {
  const isOld = (): boolean => row.state === 'running' && now - acceptedAt(row) >= GIVE_UP_MS;
  switch (outcome.type) {
    case 'running':
      if (row.state === 'uncertain' || row.missing_since !== null || isOld()) return false;
      return outcome.progress === undefined || Math.min(99, Math.round(outcome.progress)) <= row.progress;
    case 'missing':
      return row.missing_since !== null && (row.state !== 'running' || now - row.missing_since < GRACE_MS);
    case 'unreachable':
      return !isOld();
    default:
      return false;
  }
}

/** In one transaction. Returns the ids that changed. */
export function conclude(
  deps: EngineDeps,
  db: WriteDb,
  jobId: string,
  { asked, outcome, prepared }: { asked: RemoteTask; outcome: PollOutcome; prepared: PreparedOutput[] },
): string[] {
  const row = rowById(db, jobId);
  if (!row || !isAbout(row, asked, deps.clock.now())) return [];
  switch (outcome.type) {
    case 'running':
      return running(deps, db, row, outcome) ? [jobId] : [];
    case 'done':
      return [jobId, ...outcomes.answered(deps, db, row, prepared, outcome)];
    case 'failed':
      outcomes.ended(deps, db, row, { ...outcome, error: outcomes.errorOf(outcome.error) });
      return [jobId, ...reconsiderDependents(deps, db, jobId)];
    case 'missing':
      return missing(deps, db, row) ? [jobId] : [];
    case 'unreachable':
      return giveUp(deps, db, row, `The service could not be asked: ${outcome.error.message}`) ? [jobId] : [];
    default:
      return [];
  }
}

function running(
  deps: EngineDeps,
  db: WriteDb,
  row: JobRow,
  outcome: Extract<PollOutcome, { type: 'running' }>,
): boolean {
  const task = remoteOf(row);
  // Found again: it is followed for as long as one that was accepted just now.
  if (row.state === 'uncertain' && task) keepRemote(db, row, { ...task, acceptedAt: deps.clock.now() });
  return (
    outcomes.progressed(deps, db, row, outcome) ||
    giveUp(deps, db, row, 'The service has said nothing final for 65 minutes.')
  );
}

/** An id that the service does not know stays running for the grace period, then it is in doubt; never failed. */
function missing(deps: EngineDeps, db: WriteDb, row: JobRow): boolean {
  const now = deps.clock.now();
  if (row.missing_since === null) {
    db.run(statements.saveMissing, { id: row.id, since: now });
    return false;
  }
  if (now - row.missing_since < GRACE_MS || row.state !== 'running') return false;
  return lose(deps, db, row, 'The service accepted it, but does not know its task any more.');
}

function giveUp(deps: EngineDeps, db: WriteDb, row: JobRow, message: string): boolean {
  if (row.state !== 'running' || deps.clock.now() - acceptedAt(row) < GIVE_UP_MS) return false;
  return lose(deps, db, row, message);
}

function lose(deps: EngineDeps, db: WriteDb, row: JobRow, message: string): boolean {
  outcomes.lost(deps, db, row, { kind: 'timeout', message, retryable: false, accepted: 'unknown' });
  return true;
}
