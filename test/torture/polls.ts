import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createGateway, type Gateway } from '../../src/main/core/gateway/index.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import { profileSchema } from '../../src/shared/profile.ts';
import { realClock } from '../bench/figures.ts';
import { type EngineHarness, startEngine } from '../helpers/engineHarness.ts';
import { firstLine } from '../helpers/firstLine.ts';
import type { TortureOptions } from './options.ts';

/**
 * A thousand running tasks, half pictures and half clips, polled by the real client over real sockets; the service is a separate process,
 * which counts. The processor time is that of this whole process: engine, client and database. A bare HTTP client asks a service of its own
 * at the same rate beside it, as a share of a core says as much about the machine as about the program.
 */
const SERVICE = join(import.meta.dirname, 'programs', 'pollServer.ts');
const BARE_POLLER = join(import.meta.dirname, 'programs', 'barePoller.ts');
const BARE_REQUESTS_PER_SECOND = 32;
const TASKS = 1_000;
/** Warm-up: every task has been polled once and reported progress. */
const WARM_UP_MS = 30_000;
const MEASURED_MS = 30_000;
const MAX_REQUESTS_PER_SECOND = 70;
const MAX_SOCKETS = 8;
const MAX_CPU_SHARE = 0.02;
/** On a machine where even a bare client comes near the limit, the engine may use this many times as much. */
const MAX_TIMES_BARE = 1.5;

interface Seen {
  requests: number;
  maxPerSecond: number;
  maxSockets: number;
}

export async function run(options: Partial<TortureOptions> = {}): Promise<string[]> {
  const programs: ChildProcess[] = [];
  const start = (...args: string[]): ChildProcess => {
    const program = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    programs.push(program);
    return program;
  };
  const serve = async (): Promise<{ service: ChildProcess; origin: string }> => {
    const service = start(SERVICE);
    return { service, origin: `http://127.0.0.1:${await firstLine(service)}` };
  };
  try {
    const { service, origin } = await serve();
    const bare = start(BARE_POLLER, (await serve()).origin, String(BARE_REQUESTS_PER_SECOND));
    const { harness, gateway } = await follow(origin);
    const [warmUpMs, measuredMs] = options.short ? [2_000, 4_000] : [WARM_UP_MS, MEASURED_MS];
    await sleep(warmUpMs);
    await reportOf<Seen>(service);
    await reportOf<number>(bare);
    const before = process.cpuUsage();
    const from = performance.now();
    await sleep(measuredMs);
    const { user, system } = process.cpuUsage(before);
    const ms = performance.now() - from;
    const seen = await reportOf<Seen>(service);
    const bareCpu = await reportOf<number>(bare);
    await harness.close();
    await gateway.close();
    return [assertWithinLimits(seen, { ms, cpu: (user + system) / 1_000 / ms, bareCpu, strict: !options.short })];
  } finally {
    for (const program of programs) program.disconnect();
  }
}

interface Measured {
  ms: number;
  /** Shares of a core. */
  cpu: number;
  bareCpu: number;
  strict: boolean;
}

function assertWithinLimits(seen: Seen, { ms, cpu, bareCpu, strict }: Measured): string {
  const { requests, maxPerSecond, maxSockets } = seen;
  const rate = (requests / ms) * 1_000;
  const percent = (share: number): string => `${(share * 100).toFixed(2)} % of a core`;
  const line = `${TASKS} running tasks: ${rate.toFixed(1)} requests/s, at most ${maxPerSecond} in any second, ${maxSockets} sockets at most, ${percent(cpu)} (a bare client at ${BARE_REQUESTS_PER_SECOND} requests/s: ${percent(bareCpu)})`;
  // Each task at least once a minute.
  assert.ok(rate > TASKS / 60, `the tasks are not followed: ${line}`);
  assert.ok(maxPerSecond <= MAX_REQUESTS_PER_SECOND, line);
  assert.ok(maxSockets <= MAX_SOCKETS, line);
  // A few seconds of a cold program on a busy machine say nothing about processor use.
  if (strict) assert.ok(cpu <= Math.max(MAX_CPU_SHARE, MAX_TIMES_BARE * bareCpu), line);
  return line;
}

/** An engine whose tasks are accepted, and the real client that polls them. */
async function follow(baseUrl: string): Promise<{ harness: EngineHarness; gateway: Gateway }> {
  const limits = { imagesAtOnce: TASKS, videosAtOnce: TASKS };
  const profile = { ...profileSchema.parse({ baseUrl, limits, videoPollPath: '/v1/videos/{id}' }), id: 'p', name: 'P' };
  const open = createGateway({ ...realClock, remember: () => undefined, recall: () => ({}) });
  const gateway = open(profile, { apiKey: 'key-of-the-poll-proof' });
  let accepted = 0;
  const accept = (kind: 'image' | 'video'): Gateway['submitImagine'] & Gateway['submitVideo'] => {
    return async () => {
      accepted += 1;
      return { type: 'accepted', task: { id: `task-${accepted}`, kind, acceptedAt: realClock.now() } };
    };
  };
  const script = {
    gateway: {
      submitImagine: accept('image'),
      submitVideo: accept('video'),
      poll: (task, signal) => gateway.poll(task, signal),
    } satisfies Partial<Gateway>,
  };
  const harness = startEngine({ time: realClock, script, profile });
  const requests = Array.from(
    { length: TASKS },
    (_, n): StudioRequest =>
      n % 2 === 0
        ? { kind: 'imagine', prompt: 'A quay' }
        : { kind: 'video', model: 'video-standard', prompt: 'A quay', config: { durationSeconds: 4 } },
  );
  const allRunning = new Promise<void>((done) => {
    harness.onEvent((event) => {
      if (event.type === 'queue.changed' && harness.engine.status().running === TASKS && accepted === TASKS) done();
    });
  });
  const made = await harness.engine.commands.enqueue({ requests });
  assert.ok(made.ok);
  await allRunning;
  return { harness, gateway };
}

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** A program's measurements since the last query. */
function reportOf<T>(program: ChildProcess): Promise<T> {
  return new Promise((told) => {
    program.once('message', (report) => told(report as T));
    program.send('report');
  });
}
