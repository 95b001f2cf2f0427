import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallParsed } from '../../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import type { Profile } from '../../../../shared/gateway/profile.ts';
import type { ShownPrice } from '../../../../shared/money/ledger.ts';
import { en } from '../../../../shared/text/texts.ts';
import { estimate, priceChanged, shownPriceOf, sumOfPrices } from '../../ledger/index.ts';
import { earlierResult, type KeyedCall, keyedCall, onceByKey } from '../../requestKeys/index.ts';
import { type ReadDb, withoutChangeTracking } from '../../store/index.ts';
import { slicesOf, WorkQueue } from '../../timeSlicing.ts';
import type { EngineDeps } from '../deps.ts';
import { noSuchProject, otherProfileChosen } from '../machine.ts';
import { positionAtEnd } from '../positions.ts';
import {
  type BatchItem,
  type Bulk,
  type BulkWrites,
  beginBulk,
  decideBulk,
  isEnqueuing,
  removeBulk,
  stageRows,
} from './bulkWrites.ts';
import { nightToJoin } from './enqueue.ts';

export interface WrittenBatch {
  count: number;
  /** The first hundred. */
  jobIds: string[];
}

const STAGED_PER_SLICE = 250;
const ESTIMATED_PER_TURN = 500;
const MOST_IDS = 100;

type Input = CallParsed<'batch.enqueue'>;

/** The call that enqueues the jobs of a batch. `Made`: the result that is stored under its key and returned to a repeat. */
export interface BatchCall<Made> {
  call: KeyedCall | undefined;
  shown?: ShownPrice | undefined;
  made(ids: readonly string[]): Made;
}

/**
 * Enqueues thousands of requests, all or none ({@link BulkWrites}). The deciding transaction also stores the price and the key of the call.
 */
export class BatchWriter {
  private readonly deps: EngineDeps;
  private readonly bulk: BulkWrites;
  /** Sends jobs of a complete batch, as far as they may be sent. */
  private readonly written: (ids: string[]) => void;
  /** One batch is written at a time. */
  private readonly queue = new WorkQueue();
  private closed = false;
  /** The number of unanswered calls. */
  private open = 0;

  constructor(deps: EngineDeps, bulk: BulkWrites, written: (ids: string[]) => void) {
    this.deps = deps;
    this.bulk = bulk;
    this.written = written;
  }

  /** The result of the first call with this key. */
  repeated(input: Input): Result<WrittenBatch> | undefined {
    return earlierResult<WrittenBatch>(this.deps.store.read, keyedCall('batch.enqueue', input));
  }

  enqueue(input: Input, profile: Profile, items: readonly BatchItem[]): Promise<Result<WrittenBatch>> {
    const made = (ids: readonly string[]) => ({ count: ids.length, jobIds: ids.slice(0, MOST_IDS) });
    return this.enqueueAll({ call: keyedCall('batch.enqueue', input), shown: input.shown, made }, profile, items);
  }

  enqueueAll<Made>(call: BatchCall<Made>, profile: Profile, items: readonly BatchItem[]): Promise<Result<Made>> {
    const { read } = this.deps.store;
    const written = this.queue.add(() => earlierResult<Made>(read, call.call) ?? this.write(call, profile, items));
    this.open += 1;
    return written.finally(() => {
      this.open -= 1;
    });
  }

  /** Also true if an error left a batch that the next start completes. */
  isWriting(db: ReadDb): boolean {
    return this.open > 0 || isEnqueuing(db);
  }

  close(): void {
    this.closed = true;
  }

  private async write<Made>(
    call: BatchCall<Made>,
    profile: Profile,
    items: readonly BatchItem[],
  ): Promise<Result<Made>> {
    const { store } = this.deps;
    // Staged rows are not enqueued yet.
    const seq = withoutChangeTracking(() => store.transaction(beginBulk));
    let isDecided = false;
    try {
      const ids = await withoutChangeTracking(() => this.stage(seq, items));
      const decided = await this.decide(seq, { call, profile, items, ids });
      if (!decided.ok) return decided;
      isDecided = true;
      await this.bulk.finish(decided.data.bulk);
      if (this.closed) return ok(decided.data.made);
      this.written(ids);
      return ok(decided.data.made);
    } finally {
      if (!isDecided && !this.closed) this.tryRemove(seq);
    }
  }

  private tryRemove(seq: number): void {
    try {
      withoutChangeTracking(() => this.deps.store.transaction((db) => removeBulk(db, seq)));
    } catch {
      // For example, the disk is full. The staged rows have no effect and stay until the next start.
    }
  }

  /** Returns the ids of the jobs to come. */
  private async stage(seq: number, items: readonly BatchItem[]): Promise<string[]> {
    const staged = items.map((item) => ({ jobId: this.deps.ids.id('job'), item }));
    for (const [at, slice] of [...slicesOf(staged, STAGED_PER_SLICE)].entries()) {
      await nextTurn();
      this.deps.store.transaction((db) => stageRows(db, seq, at * STAGED_PER_SLICE, slice));
    }
    return staged.map(({ jobId }) => jobId);
  }

  /** The one small write that enqueues the batch, at the price that was shown, once for the key of its call. */
  private async decide<Made>(
    seq: number,
    { call, profile, items, ids }: Decided<Made>,
  ): Promise<Result<{ made: Made; bulk: Bulk }>> {
    const book = JSON.stringify(profile);
    const price = await this.priceOf(profile, items);
    const { store, clock } = this.deps;
    return store.transaction((db) => {
      let bulk: Bulk = { seq, task: { type: 'enqueue', profile, runId: null }, ids };
      const made = onceByKey<Made>(db, call.call, clock.now(), () => {
        const refusal =
          this.unknownProject(db, items) ?? this.changedSince(profile, book) ?? priceChanged(call.shown, price);
        if (refusal) return refusal;
        const joined = items.some(({ night }) => night) ? nightToJoin(db, clock.now()) : ok(undefined);
        if (!joined.ok) return joined;
        const first = positionAtEnd(db);
        const runId = joined.data?.id ?? null;
        bulk = decideBulk(
          db,
          { ...bulk, task: { type: 'enqueue', profile, runId } },
          { first, last: first + items.length - 1 },
        );
        return ok(call.made(ids));
      });
      return made.ok ? ok({ made: made.data.made, bulk }) : made;
    });
  }

  /** A project may have been removed since the lines were read, and while they were staged. */
  private unknownProject(db: ReadDb, items: readonly BatchItem[]): Result<never> | undefined {
    const named = new Set(items.flatMap(({ projectId }) => projectId ?? []));
    return [...named].every((id) => this.deps.projects.has(db, id)) ? undefined : noSuchProject;
  }

  private changedSince(profile: Profile, book: string): Result<never> | undefined {
    const { profiles } = this.deps;
    if (profiles.active().id !== profile.id) return otherProfileChosen;
    return JSON.stringify(profiles.get(profile.id)) === book ? undefined : profileChanged;
  }

  private async priceOf(profile: Profile, items: readonly BatchItem[]): Promise<ShownPrice> {
    const prices: ShownPrice[] = [];
    for (const [index, { request }] of items.entries()) {
      if (index % ESTIMATED_PER_TURN === 0) await nextTurn();
      prices.push(shownPriceOf(estimate(profile, request)));
    }
    return sumOfPrices(prices);
  }
}

interface Decided<Made> {
  call: BatchCall<Made>;
  profile: Profile;
  items: readonly BatchItem[];
  ids: readonly string[];
}

const profileChanged = fail(
  'conflict',
  en`The gateway’s settings were changed while the batch was being written. Nothing was queued: read it again.`,
);
