import fs from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import type { ChatOutcome, Gateway } from '../../src/main/core/gateway/index.ts';
import { type Store, sql } from '../../src/main/core/store/index.ts';
import { type EngineHarness, startEngine } from '../helpers/engineHarness.ts';
import { tempDir } from '../helpers/testPorts.ts';
import { type Figure, quantile, realClock } from './figures.ts';
import { peer } from './peers.ts';

/** Jobs per second through claim, answer and charge with synchronous=FULL, compared with two queue libraries at the same durability. */

const JOBS = 10_000;
const BATCH = 1_000;
const AT_ONCE = 64;

export async function benchClaims(): Promise<Figure[]> {
  const ours = await ourJobsPerSecond();
  const dir = tempDir('bench-peers');
  const plainjobs = await peer('plainjobs.mjs', dir, JOBS / 2);
  const betterQueue = await peer('betterQueue.mjs', dir, JOBS / 2, 1);
  const inBatches = await peer('betterQueue.mjs', dir, JOBS / 2, AT_ONCE);
  const claim = await claimWithHistory();
  return [
    { name: 'claim and complete, with ledger and FULL', value: ours, unit: 'jobs/s' },
    { name: 'plainjobs, without a ledger, FULL', value: plainjobs, unit: 'jobs/s' },
    { name: 'better-queue-sqlite, 64 at once, without a ledger, FULL', value: betterQueue, unit: 'jobs/s' },
    { name: `better-queue-sqlite, ${AT_ONCE} as one task with one end, FULL`, value: inBatches, unit: 'jobs/s' },
    { name: 'ours beside plainjobs', value: ours / plainjobs, unit: '×' },
    { name: 'ours beside better-queue-sqlite', value: ours / betterQueue, unit: '×' },
    { name: 'bare fdatasync of 4 KB on this disk', value: syncsPerSecond(), unit: '/s' },
    ...claim,
  ];
}

const answered: ChatOutcome = {
  type: 'answered',
  complete: true,
  result: { text: 'ok', finishReason: 'stop', usage: { promptTokens: 5, completionTokens: 2, totalTokens: 7 } },
};

function harnessOf(chatsAtOnce: number): EngineHarness {
  const gateway: Partial<Gateway> = { chat: async () => answered };
  return startEngine({ time: realClock, script: { gateway }, profile: { limits: { chatsAtOnce } } });
}

async function enqueue(harness: EngineHarness, count: number): Promise<void> {
  const request = { kind: 'chat' as const, model: 'language', messages: [{ role: 'user' as const, content: 'x' }] };
  for (let n = 0; n < count; n += BATCH)
    await harness.engine.commands.enqueue({
      requests: Array.from({ length: Math.min(BATCH, count - n) }, () => request),
    });
}

async function ourJobsPerSecond(): Promise<number> {
  const harness = harnessOf(AT_ONCE);
  harness.engine.commands.setPaused(true);
  await enqueue(harness, JOBS);
  harness.engine.commands.setPaused(false);
  // Nothing is claimed yet: the scheduler runs after this turn of the event loop.
  const start = performance.now();
  await untilDone(harness.store, JOBS);
  const seconds = (performance.now() - start) / 1000;
  await harness.close();
  return JOBS / seconds;
}

const countOf = sql('bench.succeeded', `SELECT count(*) AS n FROM jobs WHERE state = 'succeeded'`);

async function untilDone(store: Store, count: number): Promise<void> {
  while ((store.read.one<{ n: number }>(countOf)?.n ?? 0) < count) await new Promise((later) => setTimeout(later, 1));
}

const HISTORY = 100_000;
const CLAIMS = 2_000;

/** The duration of one claim including its commit, one job at a time, with a long history in the same tables. */
async function claimWithHistory(): Promise<Figure[]> {
  const harness = harnessOf(1);
  await enqueue(harness, 1);
  await untilDone(harness.store, 1);
  writeHistory(harness.store);
  harness.engine.commands.setPaused(true);
  await enqueue(harness, CLAIMS);
  const samples: number[] = [];
  const { transaction } = harness.store;
  harness.store.transaction = (work) => {
    const start = performance.now();
    const value = transaction(work);
    // The transaction that returns claimed rows is the claim.
    if (Array.isArray(value) && value[0]?.state === 'sending') samples.push(performance.now() - start);
    return value;
  };
  harness.engine.commands.setPaused(false);
  await untilDone(harness.store, HISTORY + 1 + CLAIMS);
  await harness.close();
  const name = `one claim, commit included, after ${HISTORY.toLocaleString('en')} finished jobs`;
  return [
    { name: `${name} (median of ${samples.length})`, value: quantile(samples, 0.5), unit: 'ms' },
    { name: `${name} (p99)`, value: quantile(samples, 0.99), unit: 'ms' },
  ];
}

/** Copies the one finished job, with its attempts and entries, many times. */
function writeHistory(store: Store): void {
  store.transaction((db) => {
    for (const [table, unique, ref] of [
      ['jobs', 'id', ''],
      ['attempts', '', 'job_id'],
      ['ledger_entries', 'id', 'job_id'],
    ] as const) {
      const columns = db
        .all<{ name: string }>(sql('bench.columns', `SELECT name FROM pragma_table_info('${table}')`))
        .map(({ name }) => name)
        .filter((name) => name !== 'seq');
      const copied = columns.map((name) => (name === unique || name === ref ? `${name} || '-' || i` : name));
      db.run(
        sql(
          `bench.copy.${table}`,
          `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${HISTORY})
           INSERT INTO ${table} (${columns}) SELECT ${copied} FROM ${table}, n`,
        ),
      );
    }
  });
}

function syncsPerSecond(): number {
  const file = path.join(tempDir('sync'), 'x');
  const handle = fs.openSync(file, 'w');
  const page = Buffer.alloc(4096);
  const rounds = 2_000;
  const start = performance.now();
  for (let n = 0; n < rounds; n++) {
    fs.writeSync(handle, page, 0, page.length, n * page.length);
    fs.fdatasyncSync(handle);
  }
  fs.closeSync(handle);
  return rounds / ((performance.now() - start) / 1000);
}
