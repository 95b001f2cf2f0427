import type { BlockReason, JobError } from '../../../shared/job.ts';
import { mediaRefsOf } from '../../../shared/kinds/index.ts';
import { formatNano, type Nano } from '../../../shared/money.ts';
import { type ExceededCap, exceededCap, isReserved, stoppingMismatchFor } from '../ledger/index.ts';
import { assetById, assetRowsOfJob, lastFrameError } from '../library/index.ts';
import { type NightGate, type NightRunRow, nightClosedText, nightGateOf, recordNotRun } from '../night/index.ts';
import type { ReadDb, WriteDb } from '../store/index.ts';
import { priceKeyOf } from './charging.ts';
import type { EngineDeps } from './deps.ts';
import { advance, rowById } from './records.ts';
import { errorOf, hasPrice, type JobRow, requestOf } from './row.ts';
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
      ? lastFrameError(db, clip.id)
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
export function reevaluate(deps: Pick<EngineDeps, 'clock' | 'ledger'>, db: WriteDb, row: JobRow): boolean {
  if (row.state !== 'queued' && row.state !== 'blocked' && row.state !== 'draft') return false;
  const now = deps.clock.now();
  const dependency = dependencyState(db, row);
  if (dependency.type === 'dead') {
    deps.ledger.release(db, row, 'what it builds on has no result');
    return advance(db, row, { type: 'fail' }, now, {
      error: { kind: 'invalid', message: dependency.message, retryable: false },
    });
  }
  const gate = nightGateOf(db, row, now);
  if (gate.type === 'over') return markNotRun(deps, db, row, gate.run, now);
  const blocking = reserveUnlessBlocked(deps, db, row, { gate, isInputMissing: dependency.type === 'wait', now });
  if (blocking) return block(db, row, blocking.reason, now, blocking.patch);
  if (row.state === 'queued') return false;
  const keepsError = row.reason === 'rate' || row.reason === 'offline';
  // Its night opens earlier than it was to: the time it had holds no more.
  const opened = row.reason === 'window' && (row.next_at ?? 0) > now ? { nextAt: null } : {};
  return advance(db, row, { type: 'release' }, now, keepsError ? {} : { error: null, ...opened });
}

interface Blocking {
  reason: BlockReason;
  patch: BlockPatch;
}

/** Reserves its money if there is room, and returns the first reason why it cannot be sent now. */
function reserveUnlessBlocked(
  { ledger }: Pick<EngineDeps, 'ledger'>,
  db: WriteDb,
  row: JobRow,
  { gate, isInputMissing, now }: { gate: OpenGate; isInputMissing: boolean; now: number },
): Blocking | undefined {
  const opensAt = gate.type === 'later' ? gate.at : now;
  const cap = isReserved(row) ? undefined : exceededCap(db, spenderOf(row, gate), amountToReserve(row), opensAt);
  if (cap) return { reason: 'budget', patch: { error: overBudgetError(row, cap) } };
  if (!ledger.reserve(db, row, opensAt)) return { reason: 'budget', patch: { error: NOT_COUNTABLE } };
  if (isInputMissing) return { reason: 'dependency', patch: { error: null } };
  const sendAt = Math.max(opensAt, row.not_before ?? now);
  if (sendAt > now) return { reason: 'window', patch: { error: null, nextAt: sendAt } };
  if (stoppingMismatchFor(db, priceKeyOf(row))) return { reason: 'price', patch: { error: null, nextAt: null } };
  return isPaused(db) ? { reason: 'paused', patch: {} } : undefined;
}

/** Whether the user lets it be sent once although nobody knows what it costs. */
export function setUnpricedAllowed(db: WriteDb, row: JobRow, allowed: boolean): void {
  row.unpriced_allowed = allowed ? 1 : 0;
  db.run(statements.saveUnpricedAllowed, { id: row.id, allowed: row.unpriced_allowed });
}

/** What has to be set aside before it is sent; null where nobody knows, and the user has not let it go all the same. */
function amountToReserve(row: JobRow): Nano | null {
  if (!hasPrice(row)) return row.unpriced_allowed === 1 ? 0 : null;
  return row.estimate_nano - row.reserved_nano;
}

/** The user has to mend these in the profile or the account; nothing else moves them. */
export const WAITS_FOR_USER: readonly BlockReason[] = ['key', 'auth', 'quota'];

export const waitsForUser = ({ reason }: Pick<JobRow, 'reason'>): boolean =>
  reason !== null && WAITS_FOR_USER.includes(reason);

/** What these wait for is looked at again at any time; the others have a time of their own, such as `Retry-After`, and reserve when it comes. */
const REEVALUATED_ANY_TIME: ReadonlySet<BlockReason | null> = new Set([
  null,
  'budget',
  'dependency',
  'window',
  'paused',
  'price',
]);

/** The price of a waiting job was changed. What no longer fits under the caps is blocked, with nothing set aside. */
export function reevaluateReservation(deps: Pick<EngineDeps, 'clock' | 'ledger'>, db: WriteDb, id: string): void {
  const row = rowById(db, id);
  if (!row || !REEVALUATED_ANY_TIME.has(row.reason)) return;
  reevaluate(deps, db, row);
  if (row.state === 'blocked' && row.reason === 'budget') deps.ledger.release(db, row, 'the price was changed');
}

type OpenGate = Exclude<NightGate, { type: 'over' }>;

const spenderOf = (row: JobRow, gate: OpenGate) => ({
  play: row.play === 1,
  projectId: row.project_id,
  runId: row.run_id,
  floorNano: gate.floorNano,
});

/** Whether a hard cap that concerns this job is in its way, though it has its share: the cap was lowered, or set since, and its price is unknown. */
export function exceedsHardCap(db: ReadDb, row: JobRow, now: number): boolean {
  const gate = nightGateOf(db, row, now);
  const isUnknown = isReserved(row) && amountToReserve(row) === null;
  return gate.type !== 'over' && exceededCap(db, spenderOf(row, gate), isUnknown ? null : 0, now) !== undefined;
}

/** Its night is over: it is not sent, and what was set aside for it is given back. It waits until the user moves it. */
function markNotRun(
  deps: Pick<EngineDeps, 'ledger'>,
  db: WriteDb,
  row: JobRow,
  run: NightRunRow,
  now: number,
): boolean {
  if (row.reason === 'window' && row.reserved_nano === 0 && row.next_at === null) return false;
  const short = row.reason === 'budget' ? errorOf(row)?.message : undefined;
  if (short !== undefined) recordNotRun(db, run.id, row.id, 'budget', short);
  else if (row.reason === 'dependency')
    recordNotRun(db, run.id, row.id, 'dependency', 'What it builds on was not there before the night was over.');
  else
    recordNotRun(
      db,
      run.id,
      row.id,
      run.ended_by === null || run.ended_by === 'window' ? 'window' : 'stopped',
      nightClosedText(run),
    );
  deps.ledger.release(db, row, 'its night is over');
  return block(db, row, 'window', now, { error: null, nextAt: null });
}

interface BlockPatch {
  error?: JobError | null;
  nextAt?: number | null;
}

function block(db: WriteDb, row: JobRow, reason: BlockReason, now: number, patch: BlockPatch): boolean {
  const sameTime = patch.nextAt === undefined || patch.nextAt === row.next_at;
  const sameError = !patch.error || patch.error.message === errorOf(row)?.message;
  if (row.state === 'blocked' && row.reason === reason && sameTime && sameError) return false;
  return advance(db, row, { type: 'block', reason }, now, patch);
}

function overBudgetError(row: JobRow, { scope, hardNano, floorNano }: ExceededCap): JobError {
  const whose = scope === 'run' ? 'night' : scope;
  if (!hasPrice(row)) {
    const message = `Its price is not known, and a hard cap of ${formatNano(hardNano)} holds for this ${whose}. Set its price, or let it be sent once without one.`;
    return { kind: 'quota', message, retryable: true };
  }
  const floor = floorNano > 0 ? `, of which the night leaves ${formatNano(floorNano)}` : '';
  const message = `It may cost ${formatNano(row.estimate_nano)}, which does not fit under the hard cap of ${formatNano(hardNano)} for this ${whose}${floor}.`;
  return { kind: 'quota', message, retryable: true };
}

const NOT_COUNTABLE: JobError = {
  kind: 'quota',
  message: 'With it, what is spent, reserved and in doubt would be more than can be counted exactly.',
  retryable: true,
};

/** Those that waited for this job, and in turn those that waited for them. Returns the ids that changed. */
export function reevaluateDependents(deps: Pick<EngineDeps, 'clock' | 'ledger'>, db: WriteDb, jobId: string): string[] {
  const changed: string[] = [];
  const pending = [jobId];
  for (let id = pending.shift(); id !== undefined; id = pending.shift()) {
    for (const { job_id } of db.all<{ job_id: string }>(statements.dependentsOf, { id })) {
      const row = rowById(db, job_id);
      if (!row || !reevaluate(deps, db, row)) continue;
      changed.push(job_id);
      if (row.state === 'failed') pending.push(job_id);
    }
  }
  return changed;
}
