import { isMainThread, threadId, Worker, workerData } from 'node:worker_threads';
import type { GatewayError } from '../../../src/main/core/gateway/index.ts';
import { rowById } from '../../../src/main/core/jobs/jobRepository.ts';
import * as statements from '../../../src/main/core/jobs/queries/jobSql.ts';
import { reevaluate } from '../../../src/main/core/jobs/reevaluate.ts';
import type { JobRow } from '../../../src/main/core/jobs/row.ts';
import { DueInOrder } from '../../../src/main/core/jobs/sending/affordable.ts';
import { finishFetched } from '../../../src/main/core/jobs/sending/finishDownloads.ts';
import * as outcomes from '../../../src/main/core/jobs/sending/outcomes.ts';
import { claim } from '../../../src/main/core/jobs/sending/scheduler.ts';
import { LedgerWriter } from '../../../src/main/core/ledger/index.ts';
import { LibraryLocation } from '../../../src/main/core/library/index.ts';
import { openStore, type Store, sql, type WriteDb } from '../../../src/main/core/store/index.ts';
import { createIds } from '../../../src/main/hosts/common/ids.ts';
import { silentLog } from '../../helpers/testPorts.ts';
import { NO_CEILING, randomOf } from '../options.ts';
import { retryWhileLocked } from '../retryWhileLocked.ts';

/**
 * `node claimer.ts '{"dir":…,"seed":…,"threads":…,"from":…,"fromSeq":…,"msPerEntry":…}'`: threads that claim jobs of one database, each on
 * its own connection with the engine's own claim, and end them in every possible way. Over IPC the parent sends the number of claims at
 * which they pause, so that they do not finish before it has killed enough of them. After `NO_CEILING` they end when nothing is left to
 * claim.
 */
export interface ClaimerOptions {
  dir: string;
  seed: number;
  threads: number;
  /**
   * The clock follows the work, so that midnight passes midway on any machine: it starts at `from` and advances with each ledger entry
   * after `fromSeq`.
   */
  from: number;
  fromSeq: number;
  msPerEntry: number;
}

const newest = sql('claimer.newest', 'SELECT coalesce(max(seq), 0) AS seq FROM ledger_entries');

const attempts = sql('claimer.attempts', 'SELECT count(*) AS n FROM attempts');

const EMPTY_ROUNDS = 12;
const PAUSE_MS = 5;

function work(order: ClaimerOptions & { ceiling: Int32Array }): void {
  const store = opened(order.dir);
  const random = randomOf(order.seed + threadId);
  const written = () => (store.read.one<{ seq: number }>(newest)?.seq ?? 0) - order.fromSeq;
  const clock = { now: () => Math.floor(order.from + written() * order.msPerEntry), after: () => () => undefined };
  const library = {
    recordOutputs: () => undefined,
    storeInlineOutputs: async () => [],
    mediaFacts: never,
    mediaWork: { wantLastFrame: never },
    wakeDownloads: () => undefined,
    location: new LibraryLocation(order.dir),
    waits: async () => undefined,
  };
  const deps = { clock, ledger: new LedgerWriter({ clock, ids: createIds(Date.now) }), library, freeBytes: () => 1e12 };
  for (let empty = 0; empty < EMPTY_ROUNDS; ) {
    const ceiling = Atomics.load(order.ceiling, 0);
    const paused = ceiling !== NO_CEILING && (store.read.one<{ n: number }>(attempts)?.n ?? 0) >= ceiling;
    const rows = paused ? 0 : retryWhileLocked(() => round(deps, store, random));
    empty = rows === 0 && ceiling === NO_CEILING ? empty + 1 : 0;
    if (rows === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
  store.close();
}

type Deps = Parameters<typeof claim>[0] & Parameters<typeof outcomes.applyResults>[0];

/** Claims some jobs of one lane and ends each of them. Returns the number of claims. */
function round(deps: Deps, store: Store, random: () => number): number {
  const lanes = store.read.all<{ lane: string }>(statements.waitingLanes);
  const lane = lanes[Math.floor(random() * lanes.length)]?.lane;
  if (lane === undefined) return retryPoor(deps, store);
  const max = 1 + Math.floor(random() * 16);
  const rows = store.transaction((db) => claim(deps, db, lane, { limit: Number.MAX_SAFE_INTEGER, max }));
  const sent = rows.filter(({ state }) => state === 'sending');
  retryWhileLocked(() =>
    store.transaction((db) => {
      for (const { id } of sent) {
        const row = rowById(db, id);
        if (row) end(deps, db, row, random());
      }
    }),
  );
  if (random() < 0.02) retryPoor(deps, store);
  return rows.length;
}

/** Retries jobs that wait for money, as the scheduler does when some was released. */
function retryPoor(deps: Deps, store: Store): number {
  return store.transaction((db) => {
    let changed = 0;
    const due = new DueInOrder([], true);
    for (let next = due.take(db, deps.clock.now()); next; next = due.take(db, deps.clock.now())) {
      const row = rowById(db, next.id);
      if (row && reevaluate(deps, db, row)) changed += 1;
    }
    return changed;
  });
}

const fault = (fields: Partial<GatewayError>): GatewayError => ({
  kind: 'server',
  message: 'no',
  retryable: false,
  accepted: 'no',
  ...fields,
});

/** Ends a job as charged, refused, lost or postponed, or leaves it as if the claimer died between claim and answer. */
function end(deps: Deps, db: WriteDb, row: JobRow, chance: number): void {
  if (chance < 0.62) {
    outcomes.applyResults(deps, db, row, []);
    finishFetched(deps, db, row.id);
  } else if (chance < 0.8) outcomes.applyRefused(deps, db, row, { error: fault({ kind: 'invalid' }), billed: 'no' });
  else if (chance < 0.88) outcomes.applyLost(deps, db, row, fault({ kind: 'network', accepted: 'unknown' }));
  else if (chance < 0.98)
    outcomes.deferred(deps, db, row, fault({ kind: 'server', retryable: true }), deps.clock.now());
}

function opened(dataDir: string): Store {
  return retryWhileLocked(() => {
    const store = openStore({ dataDir, clock: { now: Date.now }, log: silentLog });
    if (!store.ok) throw Object.assign(new Error(store.error.message), { code: 'SQLITE_BUSY' });
    return store.data;
  });
}

async function never(): Promise<never> {
  throw new Error('not asked for');
}

if (isMainThread) {
  const order = JSON.parse(process.argv[2] ?? '') as ClaimerOptions;
  const ceiling = new Int32Array(new SharedArrayBuffer(4));
  process.on('message', (claims: number) => Atomics.store(ceiling, 0, claims));
  // The IPC channel must not outlive the threads.
  process.channel?.unref();
  for (let n = 0; n < order.threads; n += 1)
    new Worker(new URL(import.meta.url), { workerData: { ...order, ceiling, seed: order.seed * 1_000 + n } });
} else work(workerData as ClaimerOptions & { ceiling: Int32Array });
