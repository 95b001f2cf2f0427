import type { CallParsed } from '../../../../shared/contract/contract.ts';
import { fail, ok, type Result, refuse } from '../../../../shared/contract/result.ts';
import type { Profile } from '../../../../shared/gateway/profile.ts';
import { isTerminal } from '../../../../shared/jobs/job.ts';
import { kindOf, mediaRefsOf, promptOf, type StudioRequest, seeded } from '../../../../shared/kinds/index.ts';
import { UINT32_MAX } from '../../../../shared/kinds/videoConfig.ts';
import type { MediaRef } from '../../../../shared/library/mediaRef.ts';
import type { ShownPrice } from '../../../../shared/money/ledger.ts';
import { shortened } from '../../../../shared/text/shortened.ts';
import { en, t } from '../../../../shared/text/texts.ts';
import { estimate, priceChanged, setUnpricedAllowed, shownPriceOf } from '../../ledger/index.ts';
import type { ReadDb, WriteDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import { advance, rowById, wasAskedAgain } from '../jobRepository.ts';
import { laneOf } from '../limits/lanes.ts';
import { allows, cannotCancel, cannotSettle, notInDoubt, sumTooLarge } from '../machine.ts';
import { clearStatedCost } from '../money/charging.ts';
import { leaveEndedNight } from '../nightMembership.ts';
import { spaceAt } from '../positions.ts';
import * as statements from '../queries/jobSql.ts';
import { recordRequest } from '../recordEvidence.ts';
import { confirmPrice, confirmUpTo, reevaluate, reevaluateDependents, wantLastFrames } from '../reevaluate.ts';
import { costInDoubt, hasPrice, type JobRow, priceOfRow, requestOf } from '../row.ts';
import * as outcomes from '../sending/outcomes.ts';
import { confirmRisen } from './confirmPrices.ts';
import { jobsNamed, tooExpensive } from './enqueue.ts';

/** Changes of one job that the user commands, each in the caller's transaction on the present row. */

type Deps = Pick<EngineDeps, 'clock' | 'ledger' | 'library'>;
type PricingDeps = Deps & { profiles: Pick<EngineDeps['profiles'], 'get'> };

/** Returns the ids of the job and of those that failed with it. */
export function cancel(deps: Deps, db: WriteDb, row: JobRow): Result<string[]> {
  if (!allows(row.state, 'cancel')) return fail('wrong_state', cannotCancel(row));
  outcomes.canceled(deps, db, row);
  return ok([row.id, ...reevaluateDependents(deps, db, row.id)]);
}

/** Reevaluates a blocked job now, at the price that was shown, even if its waiting time is not over. */
export function unblock(deps: PricingDeps, db: WriteDb, row: JobRow, shown?: ShownPrice): Result<null> {
  const changed = priceChanged(shown, priceOfRow(row));
  if (changed) return changed;
  if (shown) confirmRisen(deps, db, [row]);
  row.next_at = null;
  reevaluate(deps, db, row);
  return ok(null);
}

/** Moves a waiting job before another one, or to the end. */
export function move(db: WriteDb, row: JobRow, before: string | undefined): Result<unknown> {
  if (row.state !== 'queued' && row.state !== 'blocked')
    return fail('wrong_state', en`Only a waiting job can be moved.`);
  const space = spaceAt(db, { before }, 1);
  if (!space) return fail('not_found', 'before: there is no such waiting job.', { field: 'before' });
  return ok(moveEach(db, [row.id], () => space.from + space.step));
}

/** Gives waiting jobs their new positions and skips jobs that no longer wait. Returns the ids of the moved jobs. */
export function moveEach(db: WriteDb, ids: readonly string[], positionOf: (index: number) => number): string[] {
  return ids.filter((id, index) => {
    const state = rowById(db, id)?.state;
    if (state !== 'queued' && state !== 'blocked') return false;
    db.run(statements.savePosition, { id, position: positionOf(index) });
    return true;
  });
}

/** Allows a job of unknown price that a hard budget blocks to be sent once. */
export function allowUnpriced(deps: Deps, db: WriteDb, row: JobRow, shown?: ShownPrice): Result<null> {
  if (row.state !== 'queued' && row.state !== 'blocked')
    return fail('wrong_state', en`Only a waiting job can be let go.`);
  const changed = priceChanged(shown, priceOfRow(row));
  if (changed) return changed;
  if (hasPrice(row)) return fail('wrong_state', en`Its price is known; nothing has to be allowed.`);
  setUnpricedAllowed(db, row, true);
  confirmPrice(db, row);
  if (row.reason === 'budget' || row.reason === 'priceRose') reevaluate(deps, db, row);
  return ok(null);
}

/** Ends an unconfirmed job as lost. Its cost stays unconfirmed. */
export function writeOff(deps: Deps, db: WriteDb, row: JobRow): Result<null> {
  const message = t`Marked as lost. Its possible cost stays unconfirmed.`;
  const error = { kind: 'network' as const, message, retryable: true };
  if (!advance(db, row, { type: 'writeOff' }, deps.clock.now(), { error })) return notInDoubt;
  reevaluateDependents(deps, db, row.id);
  return ok(null);
}

/** Sends an unconfirmed job again at the current price. The cost of the earlier attempt stays unconfirmed, at its own price. */
export function resend(deps: PricingDeps, db: WriteDb, row: JobRow, shown?: ShownPrice): Result<null> {
  const profile = deps.profiles.get(row.profile_id);
  const request = requestOf(row);
  const cost = profile && estimate(profile, request);
  const changed = priceChanged(shown, cost ? shownPriceOf(cost) : priceOfRow(row));
  if (changed) return changed;
  const [reason] = profile ? tooExpensive(profile, request) : [];
  if (reason) return refuse([reason]);
  row.tries = 0;
  // The permission to send without a known price was for one attempt only.
  setUnpricedAllowed(db, row, false);
  if (!advance(db, row, { type: 'resend' }, deps.clock.now(), { error: null, nextAt: null })) return notInDoubt;
  clearStatedCost(db, row);
  if (cost) deps.ledger.priceChanges.repriceWaiting(db, row, cost.price, cost);
  confirmUpTo(db, row);
  leaveEndedNight(deps, db, row);
  reevaluate(deps, db, row);
  return ok(null);
}

/** Adds the second entry that the bill has for a job that was asked for again under its key. */
export function billedTwice(deps: Deps, db: WriteDb, row: JobRow, billedNano: number): Result<null> {
  if (!isTerminal(row.state)) return fail('wrong_state', cannotSettle(row));
  if (!wasAskedAgain(db, row.id)) return fail('wrong_state', en`It was never asked for again under its key.`);
  if (costInDoubt(row)) return fail('wrong_state', en`Part of its cost is unconfirmed. Confirm it by the bill.`);
  if (!deps.ledger.billOneMore(db, row, billedNano, 'billed twice, although its key was the same')) return sumTooLarge;
  return ok(null);
}

/** Settles the unconfirmed cost of an ended job by the bill. `isAwaited`: its answer is still expected. */
export function settleDoubt(
  deps: Deps,
  db: WriteDb,
  row: JobRow,
  { billedNano, isAwaited }: { billedNano: number; isAwaited: boolean },
): Result<null> {
  if (!isTerminal(row.state)) return fail('wrong_state', cannotSettle(row));
  if (!costInDoubt(row)) return fail('wrong_state', en`Its cost is already confirmed.`);
  if (isAwaited) return fail('wrong_state', en`Its answer is still awaited. Confirm its cost when it is there.`);
  if (!deps.ledger.settleDoubt(db, row, billedNano)) return sumTooLarge;
  return ok(null);
}

/** The request of a waiting job that was never sent is replaced by another one of its kind. */

type Edit = Pick<CallParsed<'jobs.edit'>, 'request' | 'revision' | 'shown'>;

/** The error if the job cannot be edited. */
export function whyNoEdit(row: JobRow, { request, revision }: Edit): Result<never> | undefined {
  if (row.state !== 'queued' && row.state !== 'blocked')
    return fail('wrong_state', en`Only a waiting job can be edited.`);
  if (row.sent_at !== null)
    return fail('wrong_state', en`It was sent before, so its request stays as it is. Cancel it and make another.`);
  if (kindOf(row.kind).makes === 'text')
    return fail('wrong_state', en`A message is edited in its conversation, not in the queue.`);
  if (request.kind !== row.kind)
    return fail('invalid_input', `request.kind: must be ${row.kind}, as it is.`, { field: 'request.kind' });
  // Only the request counts: other changes of the job, such as its position, do not conflict with an edit.
  return revision !== undefined && revision < row.request_revision ? editedSince(row) : undefined;
}

const editedSince = ({ revision }: JobRow): Result<never> =>
  fail(
    'conflict',
    en`revision: its request was edited elsewhere meanwhile; it is at ${revision}. Nothing was changed.`,
    {
      field: 'revision',
      revision,
    },
  );

/** In the caller's transaction, on the present row, with a request that was validated for this profile. */
export function editJob(
  deps: Deps & Pick<EngineDeps, 'random'>,
  db: WriteDb,
  row: JobRow,
  { profile, edit }: { profile: Profile; edit: Edit },
): Result<null> {
  const { request: given, shown } = edit;
  const refusal = whyNoEdit(row, edit) ?? waitsForItself(db, row.id, given) ?? isExtended(db, row, given);
  if (refusal) return refusal;
  const request = seeded(given, () => Math.floor(deps.random() * (UINT32_MAX + 1)));
  const cost = estimate(profile, request);
  const changed = priceChanged(shown, shownPriceOf(cost));
  if (changed) return changed;
  const before = requestOf(row);
  deps.ledger.release(db, row, 'its request was edited');
  row.request = JSON.stringify(request);
  row.model = ('model' in request && request.model) || null;
  row.lane = laneOf(profile, request);
  db.run(statements.saveRequest, { id: row.id, request: row.request, model: row.model, lane: row.lane });
  deps.ledger.priceChanges.repriceWaiting(db, row, cost.price, cost);
  confirmPrice(db, row);
  // The permission to send without a known price was for the old request.
  setUnpricedAllowed(db, row, false);
  recordRequest(db, row, profile, 'changed');
  for (const on of jobsNamed(before)) db.run(statements.removeDependency, { id: row.id, on });
  for (const on of jobsNamed(request)) db.run(statements.insertDependency, { id: row.id, on });
  wantLastFrames(deps, db, row);
  reevaluate(deps, db, row);
  return ok(null);
}

/** A job that depends on its own result, directly or through others, would never be sent. */
function waitsForItself(db: ReadDb, id: string, request: StudioRequest): Result<never> | undefined {
  const behind = new Set([id]);
  for (const each of behind)
    for (const { job_id } of db.all<{ job_id: string }>(statements.dependentsOf, { id: each })) behind.add(job_id);
  const found = mediaRefsOf(request).find(({ ref }) => 'jobId' in ref && behind.has(ref.jobId));
  if (!found) return undefined;
  const field = `request.${found.field}`;
  return fail('invalid_input', en`${field}: is made from this job, so this job cannot wait for it.`, { field });
}

/** Only the model that made a clip can extend it (spec 2.3), so waiting extensions of this clip must stay possible. */
function isExtended(db: ReadDb, row: JobRow, given: StudioRequest): Result<never> | undefined {
  if (!('model' in given) || given.model === row.model) return undefined;
  const extension = db
    .all<{ job_id: string }>(statements.dependentsOf, { id: row.id })
    .flatMap(({ job_id }) => rowById(db, job_id) ?? [])
    .filter(({ state }) => !isTerminal(state))
    .find((other) => mediaRefsOf(requestOf(other)).some(({ ref, isNamed }) => isNamed && isResultOf(ref, row.id)));
  if (!extension) return undefined;
  const words = shortened(promptOf(requestOf(extension)), 40);
  return fail('invalid_input', en`request.model: “${words}” waits to extend this clip, and only ${row.model} can.`, {
    field: 'request.model',
  });
}

const isResultOf = (ref: MediaRef, id: string): boolean => 'jobId' in ref && ref.jobId === id;
