import { lastFrameId } from '../../../shared/film/film.ts';
import type { BlockReason, JobError } from '../../../shared/jobs/job.ts';
import { mediaRefsOf } from '../../../shared/kinds/index.ts';
import { displayedAs } from '../../../shared/library/mediaFormats.ts';
import type { MediaRef } from '../../../shared/library/mediaRef.ts';
import { SCOPE_WORDS } from '../../../shared/money/ledger.ts';
import { formatNano } from '../../../shared/money/money.ts';
import type { Cost } from '../../../shared/money/price.ts';
import { t } from '../../../shared/text/texts.ts';
import { amountFor, dayOf, type ExceededCap, exceededCap, isReserved, stoppingMismatchFor } from '../ledger/index.ts';
import { type AssetRow, assetById, assetRowsOfJob, lastFrameError } from '../library/index.ts';
import { type NightGate, nightClosedText, nightGateOf, PRICE_ROSE, recordNotRun } from '../night/index.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';
import type { EngineDeps } from './deps.ts';
import { advance, rowById } from './jobRepository.ts';
import { isPaused } from './limits/lanes.ts';
import { priceKeyOf } from './money/charging.ts';
import * as statements from './queries/jobSql.ts';
import { errorOf, hasPrice, type JobRow, requestOf } from './row.ts';

/** Decides why a job waits: at enqueue, when something that it waits for changes, and at every start. */

type DependencyState = { type: 'ready' } | { type: 'wait' } | { type: 'dead'; message: string };

/** A job may be sent when all its dependencies have results and the last frames that it uses exist. */
function dependencyState(db: ReadDb, row: JobRow): DependencyState {
  const needed = db
    .all<{ on_id: string }>(statements.dependenciesOf, { id: row.id })
    .map(({ on_id }) => rowById(db, on_id));
  for (const on of needed) {
    if (!on || (hasEndedWithoutSuccess(on) && resultsOfEnded(db, on) === 'none')) {
      return { type: 'dead', message: t`An earlier job has no result. Nothing was sent or billed.` };
    }
  }
  if (needed.some((on) => on && !hasResults(db, on))) return { type: 'wait' };
  const frames = mediaRefsOf(requestOf(row))
    .flatMap(({ ref }) => ('frame' in ref ? [ref] : []))
    .map((ref) => frameState(db, ref));
  return frames.find(({ type }) => type === 'dead') ?? frames.find(({ type }) => type === 'wait') ?? { type: 'ready' };
}

const hasResults = (db: ReadDb, job: JobRow): boolean =>
  job.state === 'succeeded' || (hasEndedWithoutSuccess(job) && resultsOfEnded(db, job) === 'here');

/** The state of an ended job's last frame. One that can never be taken is a failure, or its dependents would wait forever. */
function frameState(db: ReadDb, ref: FrameRef): DependencyState {
  if (lastFrameOf(db, ref) !== undefined) return { type: 'ready' };
  const clip = clipOf(db, ref);
  const why =
    clip && hasFrames(clip)
      ? lastFrameError(db, { assetId: clip.id, outMs: ref.outMs })
      : 'its result is no clip that can be displayed on this machine.';
  return why === undefined
    ? { type: 'wait' }
    : { type: 'dead', message: t`The last frame could not be read: ${why} Nothing was sent.` };
}

/** Whether a page can take frames of the file. */
const hasFrames = ({ state, mime }: AssetRow): boolean => state === 'local' && displayedAs(mime) === 'video';

/** The asset id of the last frame of one of a job's clips. */
export function lastFrameOf(db: ReadDb, ref: FrameRef): string | undefined {
  const clip = clipOf(db, ref);
  return lastFrameId(clip && assetById(db, clip.id), ref.outMs);
}

/** Requests missing last frames that the job starts from, even if they were deleted. Frames for mere queries stay deleted. */
export function wantLastFrames({ library }: WantingDeps, db: WriteDb, row: JobRow): void {
  for (const { ref } of mediaRefsOf(requestOf(row))) {
    if (!('frame' in ref) || lastFrameOf(db, ref) !== undefined) continue;
    const clip = clipOf(db, ref);
    if (clip && hasFrames(clip)) library.mediaWork.wantLastFrame(db, { assetId: clip.id, outMs: ref.outMs });
  }
}

interface WantingDeps {
  library: Pick<EngineDeps['library'], 'mediaWork'>;
}

type FrameRef = Extract<MediaRef, { frame: 'last' }>;

const clipOf = (db: ReadDb, { jobId, output }: FrameRef) =>
  assetRowsOfJob(db, jobId).filter((asset) => asset.role === 'output')[output ?? 0];

/**
 * Decides again whether a waiting job is queued or blocked, and reserves its money if it fits under the budgets. A job whose dependency has
 * no result fails without being sent. Returns whether anything changed.
 */
export function reevaluate(deps: Pick<EngineDeps, 'clock' | 'ledger'>, db: WriteDb, row: JobRow): boolean {
  if (row.state !== 'queued' && row.state !== 'blocked') return false;
  const now = deps.clock.now();
  const dependency = dependencyState(db, row);
  if (dependency.type === 'dead') {
    deps.ledger.release(db, row, 'what it builds on has no result');
    return advance(db, row, { type: 'fail' }, now, {
      error: { kind: 'invalid', message: dependency.message, retryable: false },
    });
  }
  const gate = nightGateOf(db, row, now);
  if (gate.type === 'over') return setNotRun(deps, db, row, gate, now);
  const blocking = reserveUnlessBlocked(deps, db, row, { gate, isInputMissing: dependency.type === 'wait', now });
  if (blocking) return block(db, row, blocking.reason, now, blocking.patch);
  if (row.state === 'queued') return false;
  const keepsError = row.reason === 'rate' || row.reason === 'offline';
  // The overnight run opens earlier than planned, so the planned time no longer applies.
  const opened = row.reason === 'window' && (row.next_at ?? 0) > now ? { nextAt: null } : {};
  return advance(db, row, { type: 'release' }, now, keepsError ? {} : { error: null, ...opened });
}

interface Blocking {
  reason: BlockReason;
  patch: BlockPatch;
}

/** Reserves the job's money if it fits under the budgets, and returns the first reason why the job cannot be sent now. */
function reserveUnlessBlocked(
  { ledger }: Pick<EngineDeps, 'ledger'>,
  db: WriteDb,
  row: JobRow,
  { gate, isInputMissing, now }: { gate: OpenGate; isInputMissing: boolean; now: number },
): Blocking | undefined {
  const opensAt = gate.type === 'later' ? gate.at : now;
  if (isOfAnotherDay(row, gate, now)) ledger.release(db, row, 'its night was moved');
  const cap = isReserved(row) ? undefined : exceededCap(db, spenderOf(row, gate), amountToReserve(row), opensAt);
  if (cap) return { reason: 'budget', patch: { error: overBudgetError(row, cap) } };
  if (!ledger.reserve(db, row, opensAt)) return { reason: 'budget', patch: { error: NOT_COUNTABLE } };
  const isPriceStopped = stoppingMismatchFor(db, priceKeyOf(row)) !== undefined;
  // If a stated cost has stopped the price, that is decided first.
  if (!isPriceStopped && hasPriceRisen(row)) return { reason: 'priceRose', patch: patchOfRisen(row) };
  if (isInputMissing) return { reason: 'dependency', patch: { error: null } };
  const sendAt = Math.max(opensAt, row.not_before ?? now);
  if (sendAt > now) return { reason: 'window', patch: { error: null, nextAt: sendAt } };
  // The overnight run is on hold, with no known end.
  if (gate.type === 'later') return { reason: 'window', patch: { error: null, nextAt: null } };
  if (isPriceStopped) return { reason: 'price', patch: { error: null, nextAt: null } };
  return isPaused(db, row.lane) ? { reason: 'paused', patch: {} } : undefined;
}

/** A delay that the service asked for still applies after the price is confirmed. The hours of an overnight run are looked up again. */
const patchOfRisen = ({ reason }: JobRow): BlockPatch =>
  reason === 'window' ? { error: null, nextAt: null } : { error: null };

/** Whether the money is reserved on another day than that on which the planned run opens, because the run was moved. */
function isOfAnotherDay({ reserved_at }: JobRow, gate: OpenGate, now: number): boolean {
  const isPlanned = gate.type === 'later' && now < gate.run.starts_at;
  return isPlanned && reserved_at !== null && dayOf(reserved_at) !== dayOf(gate.run.starts_at);
}

/** The amount to reserve before the job is sent; null if its price is unknown and the user has not allowed that. */
function amountToReserve(row: JobRow): Cost | null {
  if (!hasPrice(row)) return row.unpriced_allowed === 1 ? NOTHING : null;
  const lowNano = Math.max(0, row.estimate_low_nano - row.reserved_low_nano);
  return { nano: row.estimate_nano - row.reserved_nano, lowNano };
}

const NOTHING: Cost = { nano: 0, lowNano: 0 };

/** Only the user can resolve these, in the profile or the account. */
export const WAITS_FOR_USER: readonly BlockReason[] = ['key', 'auth', 'quota'];

export const waitsForUser = ({ reason }: Pick<JobRow, 'reason'>): boolean =>
  reason !== null && WAITS_FOR_USER.includes(reason);

/** Jobs blocked for these reasons can be reevaluated at any time. Others have a time of their own, such as `Retry-After`, and reserve then. */
const REEVALUATED_ANY_TIME: ReadonlySet<BlockReason | null> = new Set([
  null,
  'budget',
  'dependency',
  'window',
  'paused',
  'price',
  'priceRose',
]);

/** The price of a waiting job was changed. If it no longer fits under the budgets, it is blocked and its reservation released. */
export function reevaluateReservation(deps: Pick<EngineDeps, 'clock' | 'ledger'>, db: WriteDb, id: string): void {
  const row = rowById(db, id);
  if (row) confirmFirstPrice(db, row);
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

/** Whether a hard budget forbids this job despite its reservation: the budget was lowered, or it was set later and the price is unknown. */
export function exceedsHardCap(db: ReadDb, row: JobRow, now: number): boolean {
  const gate = nightGateOf(db, row, now);
  const isUnknown = isReserved(row) && amountToReserve(row) === null;
  return gate.type !== 'over' && exceededCap(db, spenderOf(row, gate), isUnknown ? null : NOTHING, now) !== undefined;
}

/**
 * The overnight run is over, or continues without the job. The job is not sent, its reservation is released, and it waits until the user
 * moves it.
 */
function setNotRun(
  deps: Pick<EngineDeps, 'ledger'>,
  db: WriteDb,
  row: JobRow,
  { run, leftOut }: Extract<NightGate, { type: 'over' }>,
  now: number,
): boolean {
  const short = row.reason === 'budget' ? errorOf(row)?.message : undefined;
  if (leftOut !== undefined) recordNotRun(db, run.id, row.id, 'shot', leftOut);
  else if (short !== undefined) recordNotRun(db, run.id, row.id, 'budget', short);
  else if (row.reason === 'priceRose') recordNotRun(db, run.id, row.id, 'priceRose', PRICE_ROSE);
  else if (row.reason === 'dependency')
    recordNotRun(db, run.id, row.id, 'dependency', t`An earlier job has no result.`);
  else
    recordNotRun(
      db,
      run.id,
      row.id,
      run.ended_by === null || run.ended_by === 'window' ? 'window' : 'stopped',
      nightClosedText(run),
    );
  deps.ledger.release(db, row, leftOut === undefined ? 'its night is over' : 'left out of its night');
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

function overBudgetError(row: JobRow, { scope, hardNano, floorNano, reading }: ExceededCap): JobError {
  const cost = amountFor(reading, { nano: row.estimate_nano, lowNano: row.estimate_low_nano });
  const [name, limit, price] = [SCOPE_WORDS[scope], formatNano(hardNano - floorNano), formatNano(cost)];
  const message = !hasPrice(row)
    ? t`No price is set, but a budget applies (${name}, ${limit}). Set a price, or allow this job once.`
    : cost > hardNano
      ? t`The job may cost ${price}, more than the whole budget (${name}, ${limit}). Change the budget, or cancel the job.`
      : t`The job may cost ${price} and does not fit into the budget (${name}, ${limit}).`;
  return { kind: 'quota', message, retryable: true };
}

const NOT_COUNTABLE: JobError = {
  kind: 'quota',
  message: t`The total would be too large to count exactly.`,
  retryable: true,
};

/** Reevaluates the jobs that depend on this one, directly or through others. Returns the ids that changed. */
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

export const hasEndedWithoutSuccess = ({ state }: Pick<JobRow, 'state'>): boolean =>
  state === 'failed' || state === 'canceled';

/**
 * The state of an ended job's results. A service may finish a canceled job: its results are paid for, and other jobs can use them once all
 * are here, or in a storage without downloads. If any result was lost, none can be used.
 */
export function resultsOfEnded(db: ReadDb, { id }: Pick<JobRow, 'id'>): 'here' | 'coming' | 'none' {
  // Outputs that the user deleted were here.
  const outputs = assetRowsOfJob(db, id).filter(({ role, emptied }) => role === 'output' && emptied === 0);
  if (outputs.length === 0) return 'none';
  if (outputs.every(isHere)) return 'here';
  return outputs.every((output) => isHere(output) || (output.state === 'remote' && output.fetchable === 1))
    ? 'coming'
    : 'none';
}

const isHere = ({ state, fetchable, remote_uri: uri, refusal }: AssetRow): boolean =>
  state === 'local' || (state === 'remote' && fetchable === 0 && refusal === null && /^(gs|s3):/.test(uri ?? ''));

/** A job is sent at no higher price than the user has confirmed. */

const saveConfirmed = sql('jobs.saveConfirmed', 'UPDATE jobs SET confirmed_nano = $nano WHERE id = $id');

/** Whether the job may cost more than was confirmed; one whose known price was removed may cost anything. */
export const hasPriceRisen = (row: Pick<JobRow, 'confirmed_nano' | 'price' | 'estimate_nano'>): boolean =>
  row.confirmed_nano !== null && (!hasPrice(row) || row.estimate_nano > row.confirmed_nano);

const RISEN = `confirmed_nano IS NOT NULL AND (price = 'null' OR estimate_nano > confirmed_nano)`;
const risenOf = sql(
  'jobs.risenAmong',
  `SELECT jobs.* FROM json_each($ids) AS ids CROSS JOIN jobs ON jobs.id = ids.value WHERE ${RISEN}`,
);

/** The jobs of these for which {@link hasPriceRisen} holds; there may be thousands. */
export const risenAmong = (db: ReadDb, ids: readonly string[]): JobRow[] =>
  db.all<JobRow>(risenOf, { ids: JSON.stringify(ids) });

/** The user has confirmed the job at its present price, or at this amount; null means that the price is unknown. */
export function confirmPrice(db: WriteDb, row: JobRow, nano = hasPrice(row) ? row.estimate_nano : null): void {
  row.confirmed_nano = nano;
  db.run(saveConfirmed, { id: row.id, nano });
}

/** The user has seen a higher price of a job, up to this amount; earlier confirmations stay valid. */
export function confirmUpTo(db: WriteDb, row: JobRow, nano = hasPrice(row) ? row.estimate_nano : null): void {
  if (nano !== null && row.confirmed_nano !== null && nano <= row.confirmed_nano) return;
  confirmPrice(db, row, nano);
}

/** A job that was confirmed at an unknown price: a later price is compared with the first known one. */
function confirmFirstPrice(db: WriteDb, row: JobRow): void {
  if (row.confirmed_nano === null && hasPrice(row)) confirmPrice(db, row);
}
