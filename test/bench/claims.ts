import fs from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import type { ChatOutcome, Gateway } from '../../src/main/core/gateway/index.ts';
import { type Store, sql } from '../../src/main/core/store/index.ts';
import { startRig } from '../helpers/engineRig.ts';
import { tempDir } from '../helpers/testPorts.ts';
import { type Figure, realClock } from './figures.ts';

/** Jobs a second through claim, answer and charge with synchronous=FULL, as a share of what bare fdatasync allows on this disk. */

const JOBS = 10_000;
const BATCH = 1_000;

export async function benchClaims(): Promise<Figure[]> {
  const answered: ChatOutcome = {
    type: 'answered',
    complete: true,
    result: { text: 'ok', finishReason: 'stop', usage: { promptTokens: 5, completionTokens: 2, totalTokens: 7 } },
  };
  const gateway: Partial<Gateway> = { chat: async () => answered };
  const rig = startRig({ time: realClock, script: { gateway }, profile: { limits: { chatsAtOnce: 64 } } });
  rig.engine.setPaused(true);
  const request = { kind: 'chat' as const, model: 'language', messages: [{ role: 'user' as const, content: 'x' }] };
  for (let n = 0; n < JOBS; n += BATCH)
    await rig.engine.enqueue({ requests: Array.from({ length: BATCH }, () => request) });
  const start = performance.now();
  rig.engine.setPaused(false);
  while (succeeded(rig.store) < JOBS) await new Promise((later) => setTimeout(later, 1));
  const seconds = (performance.now() - start) / 1000;
  await rig.close();
  const syncs = syncsPerSecond();
  const perSecond = JOBS / seconds;
  return [
    { name: 'claim and complete, with ledger and FULL', value: perSecond, unit: 'jobs/s' },
    { name: 'bare fdatasync of 4 KB on this disk', value: syncs, unit: '/s' },
    // A claim and a completion are a commit each.
    { name: 'commits as a share of bare fdatasync', value: (perSecond * 2) / syncs, unit: '×' },
  ];
}

const countOf = sql('bench.succeeded', `SELECT count(*) AS n FROM jobs WHERE state = 'succeeded'`);
const succeeded = (store: Store): number => store.read.one<{ n: number }>(countOf)?.n ?? 0;

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
