import type { BlockReason, JobError } from '../../../shared/job.ts';
import { formatNano } from '../../../shared/money.ts';
import { mediaRefsOf } from '../../../shared/request.ts';
import { brokenCap } from '../ledger/index.ts';
import { assetById, assetRowsOfJob, frameFault } from '../library/index.ts';
import type { ReadDb, WriteDb } from '../store/index.ts';
import type { EngineDeps } from './deps.ts';
import { advance, rowById } from './records.ts';
import { type JobRow, requestOf } from './row.ts';
import * as statements from './statements.ts';

/** Why a job waits, decided in one place: at enqueue, when something it waits for changes, and at every start. */

export type DependencyState = { type: 'ready' } | { type: 'wait' } | { type: 'dead'; message: string };

/** Everything a job builds on must have succeeded; a last frame must have been taken as well. */
export function dependencyState(db: ReadDb, row: JobRow): DependencyState {
  const needed = db
    .all<{ on_id: string }>(statements.dependenciesOf, { id: row.id })
    .map(({ on_id }) => rowById(db, on_id));
  for (const on of needed) {
    if (!on || on.state === 'failed' || on.state === 'canceled') {
      return {
        type: 'dead',
        message: `What it builds on (${on?.id ?? 'a job'}) ${on?.state ?? 'is gone'}. It was not sent.`,
      };
    }
  }
  if (needed.some((on) => on?.state !== 'succeeded')) return { type: 'wait' };
  const frames = mediaRefsOf(requestOf(row))
    .flatMap(({ ref }) => ('frame' in ref ? [ref.jobId] : []))
    .map((jobId) => frameState(db, jobId));
  return frames.find(({ type }) => type === 'dead') ?? frames.find(({ type }) => type === 'wait') ?? { type: 'ready' };
}

/** Of a job that has succeeded. A frame that can never be taken is said to be so, or its dependents would wait for ever. */
function frameState(db: ReadDb, jobId: string): DependencyState {
  if (lastFrameOf(db, jobId) !== undefined) return { type: 'ready' };
  const clip = firstOutput(db, jobId);
  const why =
    clip?.state === 'local' && clip.mime.startsWith('video/')
      ? frameFault(db, clip.id)
      : 'its result is no clip on this machine.';
  return why === undefined
    ? { type: 'wait' }
    : { type: 'dead', message: `The last frame of ${jobId} could not be taken: ${why} It was not sent.` };
}

/** The asset id of the last frame of a job's first clip. */
export function lastFrameOf(db: ReadDb, jobId: string): string | undefined {
  const clip = firstOutput(db, jobId);
  return clip && assetById(db, clip.id)?.lastFrameId;
}

const firstOutput = (db: ReadDb, jobId: string) => assetRowsOfJob(db, jobId).find((asset) => asset.role === 'output');

export const isPaused = (db: ReadDb): boolean =>
  db.one<{ value: string }>(statements.flagGet, { name: 'paused' })?.value === 'yes';

/**
 * Puts a waiting job where it belongs: queued, or blocked with the reason. Reserves its money when there is room.
 * A job whose dependency is dead fails, unsent. Returns whether anything changed.
 */
export function reconsider(deps: Pick<EngineDeps, 'clock' | 'poster'>, db: WriteDb, row: JobRow): boolean {
  if (row.state !== 'queued' && row.state !== 'blocked' && row.state !== 'draft') return false;
  const now = deps.clock.now();
  const dependency = dependencyState(db, row);
  if (dependency.type === 'dead') {
    deps.poster.release(db, row, 'what it builds on has no result');
    return advance(db, row, { type: 'fail' }, now, {
      error: { kind: 'invalid', message: dependency.message, retryable: false },
    });
  }
  const cap =
    row.reserved_nano < row.estimate_nano
      ? brokenCap(db, row.project_id, row.estimate_nano - row.reserved_nano, now)
      : undefined;
  if (cap) return block(db, row, 'budget', now, { error: overBudget(row, cap.scope, cap.hardNano ?? 0) });
  deps.poster.reserve(db, row);
  if (dependency.type === 'wait') return block(db, row, 'dependency', now, { error: null });
  if (row.not_before !== null && row.not_before > now)
    return block(db, row, 'window', now, { error: null, nextAt: row.not_before });
  if (isPaused(db)) return block(db, row, 'paused', now, {});
  if (row.state === 'queued') return false;
  const keepsError = row.reason === 'rate' || row.reason === 'offline';
  return advance(db, row, { type: 'release' }, now, keepsError ? {} : { error: null });
}

function block(
  db: WriteDb,
  row: JobRow,
  reason: BlockReason,
  now: number,
  patch: { error?: JobError | null; nextAt?: number },
): boolean {
  if (row.state === 'blocked' && row.reason === reason) return false;
  return advance(db, row, { type: 'block', reason }, now, patch);
}

function overBudget(row: JobRow, scope: string, hardNano: number): JobError {
  const message = `It may cost ${formatNano(row.estimate_nano)}, which does not fit under the hard cap of ${formatNano(hardNano)} for this ${scope}.`;
  return { kind: 'quota', message, retryable: true };
}

/** Those that waited for this job, and in turn those that waited for them. Returns the ids that changed. */
export function reconsiderDependents(deps: Pick<EngineDeps, 'clock' | 'poster'>, db: WriteDb, jobId: string): string[] {
  const changed: string[] = [];
  const pending = [jobId];
  for (let id = pending.shift(); id !== undefined; id = pending.shift()) {
    for (const { job_id } of db.all<{ job_id: string }>(statements.dependentsOf, { id })) {
      const row = rowById(db, job_id);
      if (!row || !reconsider(deps, db, row)) continue;
      changed.push(job_id);
      if (row.state === 'failed') pending.push(job_id);
    }
  }
  return changed;
}
