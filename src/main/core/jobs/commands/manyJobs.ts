import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallParsed } from '../../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import type { Job } from '../../../../shared/jobs/job.ts';
import type {
  CanceledMany,
  ChosenFigures,
  ChosenJobs,
  LeftJob,
  MovedMany,
  RetriedMany,
} from '../../../../shared/jobs/queueCalls.ts';
import type { ShownPrice } from '../../../../shared/money/ledger.ts';
import { en } from '../../../../shared/text/texts.ts';
import { estimate, priceChanged, shownPriceOf, sumOfPrices } from '../../ledger/index.ts';
import { nightGateOf } from '../../night/index.ts';
import { earlierResult, type KeyedCall, keyedCall, onceByKey } from '../../requestKeys/index.ts';
import { isDiskFault, type ReadDb, type RestoreParticipant, type Store, type WriteDb } from '../../store/index.ts';
import { PER_SLICE } from '../../timeSlicing.ts';
import type { EngineDeps } from '../deps.ts';
import { rowById } from '../jobRepository.ts';
import { noSuchJob } from '../machine.ts';
import { nightsOf } from '../nightMembership.ts';
import { placeAt, spaceAt } from '../positions.ts';
import { chosenIds, figuresOf, stillWaiting, unknownId, waitingOf } from '../queries/filter.ts';
import { risenAmong } from '../reevaluate.ts';
import { requestOf } from '../row.ts';
import { type Bulk, type BulkWrites, decideChange } from './bulkWrites.ts';
import { confirmPrices, confirmRisen } from './confirmPrices.ts';
import { nightToJoin, retryAsNew } from './enqueue.ts';
import { jobsFromBackup } from './jobsFromBackup.ts';

/** Earlier jobs of the call were already retried; the answer names the remaining ones. */
function ofFullDisk(error: unknown): Result<never> {
  if (!isDiskFault(error)) throw error;
  return fail('disk_full', en`The disk is full. It was not requested again.`);
}

const ESTIMATED_PER_TURN = 200;
const MOST_NAMED = 100;

/** Changes of thousands of jobs that the user asks for, in slices with turns for other work. */
export class ManyJobs {
  private readonly deps: EngineDeps;
  private readonly store: Store;
  private readonly changed: () => void;
  private readonly bulk: BulkWrites;
  /** Calls that request jobs again, one by one. */
  private retrying = 0;

  /** `changed`: called after a commit that changed jobs. */
  constructor(deps: EngineDeps, bulk: BulkWrites, changed: () => void) {
    this.deps = deps;
    this.store = deps.store;
    this.changed = changed;
    this.bulk = bulk;
  }

  async figures({ againPrice, ...chosen }: CallParsed<'jobs.chosen'>): Promise<Result<ChosenFigures>> {
    const figures = this.store.readTransaction((db) => figuresOf(db, chosen));
    if (!figures.ok || !againPrice || figures.data.bothSides) return figures;
    const ids = chosenIds(this.store.read, chosen, 'ended');
    if (!ids.ok) return ids;
    const priced = await this.pricesAgain(ids.data);
    const withoutProfile = priced.filter(({ price }) => !price).length;
    return ok({ ...figures.data, againPrice: sumOfPrices(pricesOf(priced)), withoutProfile });
  }

  /** Each slice leaves a valid queue: the moved jobs are at their new position, the others at their old one. */
  async move({ to, ...chosen }: CallParsed<'jobs.moveMany'>): Promise<Result<MovedMany>> {
    if (!chosen.ids) await this.bulk.settled();
    const ids = chosenIds(this.store.read, chosen, 'waiting');
    if (!ids.ok) return ids;
    if (ids.data.length === 0) return noneWaits;
    const before = typeof to === 'string' ? undefined : to.before;
    if (before !== undefined && ids.data.includes(before)) return movesItself;
    const begun = this.store.transaction((db) => {
      const space = spaceAt(db, to === 'first' ? 'first' : { before }, ids.data.length);
      if (!space) return undefined;
      const { from, step } = space;
      const places = { first: from + step, last: from + step * ids.data.length };
      return { places, bulk: decideChange(db, { type: 'move', step }, ids.data, places) };
    });
    if (!begun) return fail('not_found', 'to.before: there is no such waiting job.', { field: 'to.before' });
    const { count } = await this.bulk.finish(begun.bulk);
    return ok({ moved: count, place: placeAt(this.store.read, begun.places.first) });
  }

  /** The last jobs go first, so that a job that depends on another one is canceled too instead of failing. */
  async cancel(chosen: CallParsed<'jobs.cancelMany'>): Promise<Result<CanceledMany>> {
    if (!chosen.ids) await this.bulk.settled();
    const ids = chosenIds(this.store.read, chosen, 'cancelable');
    if (!ids.ok) return ids;
    if (ids.data.length === 0) return ok({ canceled: 0, failed: 0, left: [], leftCount: 0 });
    const begun = this.store.transaction((db) => decideChange(db, { type: 'cancel' }, ids.data.reverse()));
    const { count, others, left } = await this.bulk.finish(begun);
    return ok({ canceled: count, failed: others, left: left.slice(0, MOST_NAMED), leftCount: left.length });
  }

  confirmPrice(input: CallParsed<'jobs.confirmPrice'>): Promise<Result<{ jobs: Job[] }>> {
    return confirmPrices(this.deps, input, this.changed);
  }

  /** The effects of a restore on jobs; `isWriting`: whether a batch is being written. */
  restoreParticipant(isWriting: (db: ReadDb) => boolean): RestoreParticipant {
    return jobsFromBackup(this.deps, this.bulk, (db) => this.retrying > 0 || isWriting(db));
  }

  async retry(input: CallParsed<'jobs.retryMany'>): Promise<Result<RetriedMany>> {
    this.retrying += 1;
    try {
      return await this.retryEach(input);
    } finally {
      this.retrying -= 1;
    }
  }

  private async retryEach(input: CallParsed<'jobs.retryMany'>): Promise<Result<RetriedMany>> {
    const call = keyedCall('jobs.retryMany', input);
    const decided = earlierResult<PricedAgain[]>(this.store.read, call) ?? (await this.decideRetry(input, call));
    if (!decided.ok) return decided;
    const made: string[] = [];
    const left: LeftJob[] = [];
    for (const { id, price } of decided.data) {
      await nextTurn();
      const part = { shown: price, night: input.night, call: call && partOf(call, id) };
      const retried = await this.retryOne(id, part).catch(ofFullDisk);
      if (retried.ok) made.push(retried.data);
      else left.push({ id, message: retried.error.message });
    }
    const named = { jobIds: made.slice(0, MOST_NAMED), left: left.slice(0, MOST_NAMED) };
    return ok({ ...named, count: made.length, leftCount: left.length });
  }

  /** The one small write that decides which jobs are retried, each at its price, once for the key of the call. */
  private async decideRetry(
    { night, shown, requestKey, ...chosen }: CallParsed<'jobs.retryMany'>,
    call: KeyedCall | undefined,
  ): Promise<Result<PricedAgain[]>> {
    const figures = figuresOf(this.store.read, chosen);
    if (!figures.ok) return figures;
    if (figures.data.bothSides) return oneSideOnly;
    const ids = chosenIds(this.store.read, chosen, 'ended');
    if (!ids.ok) return ids;
    if (ids.data.length === 0) return noneEnded;
    const priced = await this.pricesAgain(ids.data);
    const decided = this.store.transaction((db) =>
      onceByKey(db, call, this.deps.clock.now(), () => {
        const changed = priceChanged(shown, ...pricesOf(priced));
        if (changed) return changed;
        const joined = night ? nightToJoin(db, this.deps.clock.now()) : ok(null);
        return joined.ok ? ok(priced) : joined;
      }),
    );
    return decided.ok ? ok(decided.data.made) : decided;
  }

  private async retryOne(
    id: string,
    { shown, night, call }: { shown: ShownPrice | undefined; night: boolean | undefined; call: KeyedCall | undefined },
  ): Promise<Result<string>> {
    const earlier = earlierResult<string>(this.store.read, call);
    if (earlier) return earlier;
    const row = rowById(this.store.read, id);
    if (!row) return noSuchJob;
    if (row.retried_as !== null) return requestedAlready;
    const retried = await retryAsNew(this.deps, row, { shown, night, call, meanwhile: () => requestedAlready });
    if (!retried.ok) return retried;
    const { made, isRepeat } = retried.data;
    if (!isRepeat) this.changed();
    return ok(made);
  }

  /** The current price of each job, by its own profile. If the profile is gone, the error comes when the job's turn comes. */
  private async pricesAgain(ids: readonly string[]): Promise<PricedAgain[]> {
    const priced: PricedAgain[] = [];
    for (const [index, id] of ids.entries()) {
      if (index % ESTIMATED_PER_TURN === 0) await nextTurn();
      const row = rowById(this.store.read, id);
      const profile = row && this.deps.profiles.get(row.profile_id);
      if (!row || !profile) {
        priced.push({ id });
        continue;
      }
      priced.push({ id, price: shownPriceOf(estimate(profile, requestOf(row))) });
    }
    return priced;
  }

  /** Moves waiting jobs into the planned or open overnight run, or out of theirs: all or none, even if this is interrupted. */
  async assignNight(input: CallParsed<'night.assign'>): Promise<Result<null>> {
    const { night, shown, requestKey, ...chosen } = input;
    const call = keyedCall('night.assign', input);
    const earlier = earlierResult<AssignedTo>(this.store.read, call);
    if (earlier) return this.assignedBefore(earlier);
    if (!chosen.ids) await this.bulk.settled();
    const ids = idsToAssign(this.store.read, chosen);
    if (!ids.ok) return ids;
    // Finding thousands of jobs and deciding about them each takes a turn.
    if (ids.data.length > PER_SLICE) await nextTurn();
    let begun: Bulk | undefined;
    const decide = (db: WriteDb): Result<AssignedTo> => {
      const joined = night ? nightToJoin(db, this.deps.clock.now()) : ok(undefined);
      if (!joined.ok) return joined;
      const runId = joined.data?.id ?? null;
      const decision = decideAssigning(this.deps, db, ids.data, { runId, shown, byRule: !chosen.ids });
      if (!decision.ok) return decision;
      begun = decision.data;
      return ok({ runId });
    };
    const decided = this.store.transaction((db) => onceByKey(db, call, this.deps.clock.now(), () => decide(db)));
    if (!decided.ok) return decided;
    if (begun) await this.bulk.finish(begun);
    return this.whereTheyAre(decided.data.made);
  }

  private async assignedBefore(to: Result<AssignedTo>): Promise<Result<null>> {
    await this.bulk.settled();
    return to.ok ? this.whereTheyAre(to.data) : to;
  }

  /** The overnight run may end while jobs are being added to it. */
  private whereTheyAre(to: AssignedTo): Result<null> {
    if (to.runId === null) return ok(null);
    const gate = nightGateOf(this.store.read, { run_id: to.runId }, this.deps.clock.now());
    return gate.type === 'over' ? nightEnded : ok(null);
  }
}

/** The overnight run that jobs were moved into; null if they left theirs. */
type AssignedTo = { runId: string | null };

function idsToAssign(db: ReadDb, chosen: ChosenJobs): Result<string[]> {
  const except = new Set(chosen.except);
  const ids = chosen.ids
    ? ok([...new Set(chosen.ids)].filter((id) => !except.has(id)))
    : chosenIds(db, chosen, 'waiting');
  return ids.ok && ids.data.length === 0 ? noneWaits : ids;
}

/** A rule covers the jobs that wait at the moment of the decision: some may have been sent since the last turn. */
function decideAssigning(
  deps: EngineDeps,
  db: WriteDb,
  ids: string[],
  { runId, shown, byRule }: { runId: string | null; shown: ShownPrice | undefined; byRule: boolean },
): Result<Bulk> {
  const waiting = byRule ? stillWaiting(db, ids) : ids;
  const refusal = cannotAssign(db, waiting, shown);
  if (refusal) return refusal;
  if (shown) confirmRisen(deps, db, risenAmong(db, waiting));
  return ok(decideChange(db, { type: 'night', runId, from: nightsOf(db, waiting) }, waiting));
}

/** The error if some of the jobs no longer wait, or their price has changed. The database counts them, because there may be thousands. */
function cannotAssign(db: ReadDb, ids: string[], shown: ShownPrice | undefined): Result<never> | undefined {
  if (ids.length === 0) return noneWaits;
  const { waiting, bothSides, waitingPrice } = waitingOf(db, ids);
  if (waiting < ids.length) return unknownId(db, { ids }) ?? waitsNoMore(db, ids);
  return shown && bothSides ? oneSideOnly : priceChanged(shown, waitingPrice);
}

function waitsNoMore(db: ReadDb, ids: string[]): Result<never> {
  const waiting = new Set(stillWaiting(db, ids));
  const field = `ids.${ids.findIndex((id) => !waiting.has(id))}`;
  return fail('wrong_state', en`${field}: it does not wait; only a waiting job can be moved.`, { field });
}

interface PricedAgain {
  id: string;
  /** Absent if the profile is gone. */
  price?: ShownPrice;
}

const pricesOf = (priced: readonly PricedAgain[]): ShownPrice[] => priced.flatMap(({ price }) => price ?? []);

/** The same call's key for one of its jobs. */
const partOf = (call: KeyedCall, id: string): KeyedCall => ({ ...call, key: `${call.key}/${id}`, fingerprint: id });

const noneWaits = fail('wrong_state', en`None of them waits any more. Nothing was changed.`);
const noneEnded = fail(
  'wrong_state',
  en`None of them is left to request again: they have not ended without a result, or were requested again already. Nothing was queued.`,
);
const requestedAlready = fail('conflict', en`Already requested again.`);
const nightEnded = fail(
  'wrong_state',
  en`The run they were put into is over. Jobs it did not send wait and are not sent by themselves.`,
);
const movesItself = fail('invalid_input', en`to.before: is one of those that are moved.`, { field: 'to.before' });
const oneSideOnly = fail(
  'invalid_input',
  en`Test money and real money are both among them: choose those of one side. Nothing was queued.`,
);
