import { fail, ok, type Result, refuse } from '../../../shared/contract/result.ts';
import type { ShownPrice } from '../../../shared/money/ledger.ts';
import { t } from '../../../shared/text/texts.ts';
import { estimate, priceChanged, setUnpricedAllowed, shownPriceOf } from '../ledger/index.ts';
import type { WriteDb } from '../store/index.ts';
import { clearStatedCost } from './charging.ts';
import { cannotCancel, cannotSettle, notInDoubt, sumTooLarge } from './commandErrors.ts';
import { confirmPrice, confirmUpTo } from './confirmedPrice.ts';
import { confirmRisen } from './confirmPrices.ts';
import type { EngineDeps } from './deps.ts';
import { tooExpensive } from './enqueue.ts';
import { allows, isTerminal } from './machine.ts';
import { leaveEndedNight, reevaluateAfterMove } from './nightMembership.ts';
import * as outcomes from './outcomes.ts';
import { spaceAt } from './positions.ts';
import { advance, rowById, wasAskedAgain } from './records.ts';
import { costInDoubt, hasPrice, type JobRow, priceOfRow, requestOf } from './row.ts';
import * as statements from './statements.ts';
import { reevaluate, reevaluateDependents } from './waiting.ts';

/** Changes of one job that the user commands, each in the caller's transaction on the present row. Each returns the ids that changed. */

type Deps = Pick<EngineDeps, 'clock' | 'ledger' | 'library'>;
type PricingDeps = Deps & { profiles: Pick<EngineDeps['profiles'], 'get'> };

export function cancel(deps: Deps, db: WriteDb, row: JobRow): Result<string[]> {
  if (!allows(row.state, 'cancel')) return fail('wrong_state', cannotCancel(row));
  outcomes.canceled(deps, db, row);
  return ok([row.id, ...reevaluateDependents(deps, db, row.id)]);
}

/** Reevaluates a blocked job now, whatever time it waits for, at the price that was shown. */
export function unblock(deps: PricingDeps, db: WriteDb, row: JobRow, shown?: ShownPrice): Result<string[]> {
  const changed = priceChanged(shown, priceOfRow(row));
  if (changed) return changed;
  if (shown) confirmRisen(deps, db, [row]);
  row.next_at = null;
  reevaluate(deps, db, row);
  return ok([row.id]);
}

/** Moves a waiting job before another one, or to the end. */
export function move(deps: Deps, db: WriteDb, row: JobRow, before: string | undefined): Result<string[]> {
  if (row.state !== 'queued' && row.state !== 'blocked')
    return fail('wrong_state', t`Only a waiting job can be moved.`);
  const space = spaceAt(db, { before }, 1);
  if (!space) return fail('not_found', 'before: there is no such waiting job.', { field: 'before' });
  const moved = placeEach(db, [row.id], () => space.from + space.step);
  const others = row.run_id === null ? [] : reevaluateAfterMove(deps, db, row.run_id);
  return ok([...new Set([...moved, ...others])]);
}

/** Gives waiting jobs their new positions; one that waits no more is passed over. Returns the ids of the others. */
export function placeEach(db: WriteDb, ids: readonly string[], positionOf: (index: number) => number): string[] {
  return ids.filter((id, index) => {
    const state = rowById(db, id)?.state;
    if (state !== 'queued' && state !== 'blocked') return false;
    db.run(statements.savePosition, { id, position: positionOf(index) });
    return true;
  });
}

/** Allows a job of unknown price that a hard cap blocks to be sent once. */
export function allowUnpriced(deps: Deps, db: WriteDb, row: JobRow, shown?: ShownPrice): Result<string[]> {
  if (row.state !== 'queued' && row.state !== 'blocked')
    return fail('wrong_state', t`Only a waiting job can be let go.`);
  const changed = priceChanged(shown, priceOfRow(row));
  if (changed) return changed;
  if (hasPrice(row)) return fail('wrong_state', t`Its price is known; nothing has to be allowed.`);
  setUnpricedAllowed(db, row, true);
  confirmPrice(db, row);
  if (row.reason === 'budget' || row.reason === 'priceRose') reevaluate(deps, db, row);
  return ok([row.id]);
}

/** Writes off a job in doubt: it ends, and its cost stays in doubt. */
export function writeOff(deps: Deps, db: WriteDb, row: JobRow): Result<string[]> {
  const message = t`Counted as lost. Its possible cost stays unconfirmed.`;
  const error = { kind: 'network' as const, message, retryable: true };
  if (!advance(db, row, { type: 'writeOff' }, deps.clock.now(), { error })) return notInDoubt;
  return ok([row.id, ...reevaluateDependents(deps, db, row.id)]);
}

/** Sends a job in doubt again, at the price of now. The cost of the earlier attempt stays in doubt, at the price that it was made at. */
export function resend(deps: PricingDeps, db: WriteDb, row: JobRow, shown?: ShownPrice): Result<string[]> {
  const profile = deps.profiles.get(row.profile_id);
  const request = requestOf(row);
  const cost = profile && estimate(profile, request);
  const changed = priceChanged(shown, cost ? shownPriceOf(cost) : priceOfRow(row));
  if (changed) return changed;
  const [reason] = profile ? tooExpensive(profile, request) : [];
  if (reason) return refuse([reason]);
  row.tries = 0;
  // The permission to send it without a known price was for one attempt.
  setUnpricedAllowed(db, row, false);
  if (!advance(db, row, { type: 'resend' }, deps.clock.now(), { error: null, nextAt: null })) return notInDoubt;
  clearStatedCost(db, row);
  if (cost) deps.ledger.priceChanges.repriceWaiting(db, row, cost.price, cost);
  confirmUpTo(db, row);
  leaveEndedNight(deps, db, row);
  reevaluate(deps, db, row);
  return ok([row.id]);
}

/** Adds the second entry that the bill has for a job that was asked for again under its key. */
export function billedTwice(deps: Deps, db: WriteDb, row: JobRow, billedNano: number): Result<string[]> {
  if (!isTerminal(row.state)) return fail('wrong_state', cannotSettle(row));
  if (!wasAskedAgain(db, row.id)) return fail('wrong_state', t`It was never asked for again under its key.`);
  if (costInDoubt(row)) return fail('wrong_state', t`Part of its cost is unconfirmed. Confirm it by the bill.`);
  if (!deps.ledger.billOneMore(db, row, billedNano, 'billed twice, although its key was the same')) return sumTooLarge;
  return ok([row.id]);
}

/** Settles the cost in doubt of an ended job by the bill. `isAwaited`: its answer is still to come. */
export function settleDoubt(
  deps: Deps,
  db: WriteDb,
  row: JobRow,
  { billedNano, isAwaited }: { billedNano: number; isAwaited: boolean },
): Result<string[]> {
  if (!isTerminal(row.state)) return fail('wrong_state', cannotSettle(row));
  if (!costInDoubt(row)) return fail('wrong_state', t`Its cost is already confirmed.`);
  if (isAwaited) return fail('wrong_state', t`Its answer is still awaited. Confirm its cost when it is there.`);
  if (!deps.ledger.settleDoubt(db, row, billedNano)) return sumTooLarge;
  return ok([row.id]);
}
