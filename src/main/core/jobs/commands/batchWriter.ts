import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallParsed } from '../../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import type { Profile } from '../../../../shared/gateway/profile.ts';
import type { StudioRequest } from '../../../../shared/kinds/index.ts';
import type { ShownPrice } from '../../../../shared/money/ledger.ts';
import { MAX_NANO, sumNano } from '../../../../shared/money/money.ts';
import { t } from '../../../../shared/text/texts.ts';
import { estimate, priceChanged } from '../../ledger/index.ts';
import { currentNightRun, nightRunById } from '../../night/index.ts';
import { earlierResult, type KeyedCall, keyedCall, onceByKey } from '../../requestKeys/index.ts';
import { type ReadDb, unwatched, type WriteDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import { noSuchProject, otherProfileChosen } from '../machine.ts';
import { lastSeq, positionAtEnd } from '../positions.ts';
import { type SoftCapWatch, watchSoftCaps } from '../sending/affordable.ts';
import { type DiskFullWords, persist } from '../sending/persist.ts';
import * as table from './batchTable.ts';
import { nightToJoin, writeJob } from './enqueue.ts';

/** One request of a batch, already validated. */
export interface BatchOrder {
  request: StudioRequest;
  projectId?: string | undefined;
  night?: boolean | undefined;
}

export interface WrittenBatch {
  count: number;
  /** The first hundred. */
  jobIds: string[];
}

/** Jobs in one transaction: each takes several writes, and every turn must stay short. */
export const JOBS_PER_SLICE = 10;
/** Staging is one insert for each. */
export const STAGED_PER_SLICE = 250;
const ESTIMATED_PER_TURN = 500;
const MOST_IDS = 100;

type Input = CallParsed<'batch.enqueue'>;

/** The call that orders the jobs of a batch. `Made`: what is kept under its key, and answered to a repeat. */
export interface OrderingCall<Made> {
  call: KeyedCall | undefined;
  shown?: ShownPrice | undefined;
  made(ids: readonly string[]): Made;
}

export interface BatchWriterHooks {
  /** The batch is whole: emits its jobs, and sends what may be sent. */
  written(ids: string[]): void;
  nextTurn?(): Promise<unknown>;
}

/**
 * Enqueues thousands of requests, all or none, in slices between which other work gets its turn. The requests are staged where nothing
 * looks; one small transaction, which also holds the price and the key of the call, decides the batch; then its slices become jobs. At a
 * start, a batch that was not decided is removed and a decided one is completed before anything is sent.
 */
export class BatchWriter {
  private readonly deps: EngineDeps;
  private readonly hooks: BatchWriterHooks;
  private readonly nextTurn: () => Promise<unknown>;
  /** One batch is written at a time. */
  private last: Promise<unknown> = Promise.resolve();
  private closed = false;
  /** Calls that are not answered. */
  private open = 0;

  constructor(deps: EngineDeps, hooks: BatchWriterHooks) {
    this.deps = deps;
    this.hooks = hooks;
    this.nextTurn = hooks.nextTurn ?? (() => nextTurn());
  }

  /** What the first call with this key enqueued. */
  repeated(input: Input): Result<WrittenBatch> | undefined {
    return earlierResult<WrittenBatch>(this.deps.store.read, keyedCall('batch.enqueue', input));
  }

  enqueue(input: Input, profile: Profile, orders: readonly BatchOrder[]): Promise<Result<WrittenBatch>> {
    const made = (ids: readonly string[]) => ({ count: ids.length, jobIds: ids.slice(0, MOST_IDS) });
    return this.order({ call: keyedCall('batch.enqueue', input), shown: input.shown, made }, profile, orders);
  }

  order<Made>(call: OrderingCall<Made>, profile: Profile, orders: readonly BatchOrder[]): Promise<Result<Made>> {
    const { read } = this.deps.store;
    const written = this.last.then(() => earlierResult<Made>(read, call.call) ?? this.write(call, profile, orders));
    this.last = written.catch(() => undefined);
    this.open += 1;
    return written.finally(() => {
      this.open -= 1;
    });
  }

  /** Also where a fault has left one that the next start completes. */
  isWriting(db: ReadDb): boolean {
    return this.open > 0 || table.decided(db).length > 0;
  }

  /** At start: removes what was staged only, and completes what was decided. */
  recover(): void {
    const { store } = this.deps;
    store.transaction((db) => table.removeStaged(db));
    for (const batch of table.decided(store.read)) {
      let isWhole = false;
      while (!isWhole) isWhole = store.transaction((db) => this.writeSlice(db, batch.id));
    }
  }

  close(): void {
    this.closed = true;
  }

  private async write<Made>(
    call: OrderingCall<Made>,
    profile: Profile,
    orders: readonly BatchOrder[],
  ): Promise<Result<Made>> {
    const { store } = this.deps;
    const id = this.deps.ids.id('batch');
    try {
      // Staged is not enqueued.
      const ids = await unwatched(() => this.stage(id, profile, orders));
      const decided = await this.decide(id, { call, profile, orders, ids });
      if (!decided.ok) {
        unwatched(() => store.transaction((db) => table.remove(db, id)));
        return decided;
      }
      await this.writeSlices(id);
      if (this.closed) return ok(decided.data.made);
      this.hooks.written(ids);
      for (const watch of decided.data.watches) watch.warn();
      return ok(decided.data.made);
    } catch (error) {
      // What was staged is removed at the next start if it cannot be removed now.
      if (!this.closed && !table.isDecided(store.read, id)) unwatched(() => table.tryRemove(store, id));
      throw error;
    }
  }

  /** Returns the ids of the jobs to come. */
  private async stage(id: string, profile: Profile, orders: readonly BatchOrder[]): Promise<string[]> {
    const { store, clock } = this.deps;
    const ids: string[] = [];
    store.transaction((db) => table.insertBatch(db, { id, profile: JSON.stringify(profile), now: clock.now() }));
    for (let from = 0; from < orders.length; from += STAGED_PER_SLICE) {
      await this.nextTurn();
      const slice = orders
        .slice(from, from + STAGED_PER_SLICE)
        .map((order) => ({ ...order, jobId: this.deps.ids.id('job') }));
      store.transaction((db) => {
        for (const [index, order] of slice.entries()) table.insertStaged(db, id, { n: from + index, ...order });
      });
      ids.push(...slice.map(({ jobId }) => jobId));
    }
    return ids;
  }

  /** The one small write: with it the batch is enqueued, at the price that was shown, once for the key of its call. */
  private async decide<Made>(
    id: string,
    { call, profile, orders, ids }: Decided<Made>,
  ): Promise<Result<{ made: Made; watches: SoftCapWatch[] }>> {
    const book = JSON.stringify(profile);
    const price = await this.priceOf(profile, orders);
    const { store, clock } = this.deps;
    return store.transaction((db) => {
      const watches = this.softCapsOf(db, profile, orders);
      const made = onceByKey<Made>(db, call.call, clock.now(), () => {
        const refusal =
          this.unknownProject(db, orders) ?? this.changedSince(profile, book) ?? priceChanged(call.shown, price);
        if (refusal) return refusal;
        const joined = orders.some(({ night }) => night) ? nightToJoin(db, clock.now()) : ok(undefined);
        if (!joined.ok) return joined;
        const first = positionAtEnd(db);
        const place = { first, last: first + orders.length - 1, afterSeq: lastSeq(db) };
        table.decide(db, id, { ...place, runId: joined.data?.id ?? null });
        return ok(call.made(ids));
      });
      return made.ok ? ok({ made: made.data.made, watches }) : made;
    });
  }

  /** A project may have been removed since the lines were read, and while they were staged. */
  private unknownProject(db: ReadDb, orders: readonly BatchOrder[]): Result<never> | undefined {
    const named = new Set(orders.flatMap(({ projectId }) => projectId ?? []));
    return [...named].every((id) => this.deps.projects.has(db, id)) ? undefined : noSuchProject;
  }

  private changedSince(profile: Profile, book: string): Result<never> | undefined {
    const { profiles } = this.deps;
    if (profiles.active().id !== profile.id) return otherProfileChosen;
    return JSON.stringify(profiles.get(profile.id)) === book ? undefined : profileChanged;
  }

  private async priceOf(profile: Profile, orders: readonly BatchOrder[]): Promise<ShownPrice> {
    const costs: ReturnType<typeof estimate>[] = [];
    for (const [index, { request }] of orders.entries()) {
      if (index % ESTIMATED_PER_TURN === 0) await this.nextTurn();
      costs.push(estimate(profile, request));
    }
    return {
      estimateNano: sumNano(costs.map(({ nano }) => nano)) ?? MAX_NANO,
      lowNano: sumNano(costs.map(({ lowNano }) => lowNano)) ?? MAX_NANO,
      unpriced: costs.filter(({ unpriced }) => unpriced).length,
    };
  }

  private softCapsOf(db: ReadDb, profile: Profile, orders: readonly BatchOrder[]): SoftCapWatch[] {
    const run = currentNightRun(db)?.id ?? null;
    const spenders = new Map(
      orders.map(({ projectId = null, night }) => [
        `${projectId} ${night === true}`,
        { profileId: profile.id, projectId, runId: night ? run : null },
      ]),
    );
    return [...spenders.values()].slice(0, MOST_WATCHED).map((spender) => watchSoftCaps(this.deps, db, spender));
  }

  /** Decided is enqueued: a full disk delays the rest, and a closing program leaves it to the next start. */
  private async writeSlices(id: string): Promise<void> {
    const write = () => this.deps.store.transaction((db) => this.writeSlice(db, id));
    for (let isWhole = false; !isWhole && !this.closed; await this.nextTurn())
      isWhole = (await persist(this.deps, () => this.closed, write, WAITS_FOR_ROOM)) ?? true;
  }

  /** Makes the next staged requests jobs; true once there are none left. */
  private writeSlice(db: WriteDb, id: string): boolean {
    const batch = table.batchById(db, id);
    if (!batch) return true;
    const staged = table.nextStaged(db, id, JOBS_PER_SLICE);
    const stored = JSON.parse(batch.profile) as Profile;
    // Its prices may have been changed since, as those of other waiting jobs.
    const profile = this.deps.profiles.get(stored.id) ?? stored;
    const run = batch.run_id === null ? undefined : nightRunById(db, batch.run_id);
    for (const { n, job_id, request, project_id, night } of staged) {
      writeJob(this.deps, db, JSON.parse(request) as StudioRequest, {
        id: job_id,
        profile,
        orderedAt: stored,
        input: project_id === null ? {} : { projectId: project_id },
        run: night === 1 ? run : undefined,
        position: (batch.first_position ?? 0) + n,
      });
    }
    const last = staged.at(-1);
    if (last) table.removeUpTo(db, id, last.n);
    if (staged.length === JOBS_PER_SLICE) return false;
    table.remove(db, id);
    return true;
  }
}

interface Decided<Made> {
  call: OrderingCall<Made>;
  profile: Profile;
  orders: readonly BatchOrder[];
  ids: readonly string[];
}

/** Projects and nights of one batch whose soft caps are watched. */
const MOST_WATCHED = 20;

const WAITS_FOR_ROOM: DiskFullWords = {
  log: 'a batch cannot be written further yet',
  full: t`The disk is full, or cannot be written. A queued batch waits for room; none of its jobs is sent before.`,
  written: t`There is room again. The batch is written out.`,
  about: 'room for a batch',
};

const profileChanged = fail(
  'conflict',
  t`The gateway’s settings were changed while the batch was being written. Nothing was queued: read it again.`,
);
