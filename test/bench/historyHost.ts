import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type Host, startHost } from '../helpers/host.ts';
import { quantile } from './figures.ts';

/** A host on a data folder: its time to the first answers, its memory, and whether it answers while the file is checked. */

export interface HostFigures {
  /** From the start until the first pages of Queue and Library are answered, in ms. */
  start: number;
  /** Memory of the idle process in MB; NaN if the system does not tell. */
  idleMb: number;
  /** The longest time without an answer while the file is checked and copied, in ms. */
  gap: number;
  /** Duration of check and copy, in s. */
  check: number;
}

const ROUNDS = 3;
/** Idle threads have ended after this time. */
const IDLE_MS = 45_000;

export async function hostOn(dataDir: string): Promise<HostFigures> {
  const starts: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { host, ms } = await started(dataDir);
    starts.push(ms);
    await host.kill('SIGTERM');
  }
  const { host } = await started(dataDir);
  try {
    await wait(IDLE_MS);
    return { start: quantile(starts, 0.5), idleMb: residentMb(host.pid), ...(await checked(host)) };
  } finally {
    await host.kill('SIGTERM');
  }
}

async function started(dataDir: string): Promise<{ host: Host; ms: number }> {
  const start = performance.now();
  const host = await startHost({ dataDir });
  await Promise.all([
    host.ask('queue.status'),
    host.ask('jobs.list', { order: 'queue', limit: 100 }),
    host.ask('library.list', { limit: 100, days: true }),
    host.ask('library.facets', {}),
    host.ask('chat.list', { limit: 100 }),
  ]);
  return { host, ms: performance.now() - start };
}

/** What follows the first paint: the check of the whole file, then the daily backup. */
async function checked(host: Host): Promise<{ gap: number; check: number }> {
  const events = await host.events();
  const start = performance.now();
  await host.ask('app.painted');
  let gap = 0;
  // Without a time limit: files of some gigabytes take minutes.
  while (!events.seen.some(({ type }) => type === 'store.checked')) {
    const asked = performance.now();
    await host.ask('app.info');
    gap = Math.max(gap, performance.now() - asked);
    await wait(5);
  }
  const check = (performance.now() - start) / 1_000;
  await events.close();
  return { gap, check };
}

function residentMb(pid: number): number {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return Number.NaN;
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1]) / 1024;
}
