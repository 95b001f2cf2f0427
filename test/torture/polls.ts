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
 * which counts. The processor time is that of this whole process: engine, client and database.
 */
const SERVICE = join(import.meta.dirname, 'programs', 'pollServer.ts');
const TASKS = 1_000;
/** Warm-up: every task has been polled once and reported progress. */
const WARM_UP_MS = 30_000;
const MEASURED_MS = 30_000;
const MAX_REQUESTS_PER_SECOND = 70;
const MAX_SOCKETS = 8;
const MAX_CPU_SHARE = 0.02;

interface Seen {
  requests: number;
  maxPerSecond: number;
  maxSockets: number;
}

export async function run(options: Partial<TortureOptions> = {}): Promise<string[]> {
  const service = spawn(process.execPath, [SERVICE], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  try {
    const port = await firstLine(service, 20_000);
    const { harness, gateway } = await follow(`http://127.0.0.1:${port}`);
    const [warmUpMs, measuredMs] = options.short ? [2_000, 4_000] : [WARM_UP_MS, MEASURED_MS];
    await sleep(warmUpMs);
    await statisticsOf(service);
    const before = process.cpuUsage();
    const from = performance.now();
    await sleep(measuredMs);
    const { user, system } = process.cpuUsage(before);
    const ms = performance.now() - from;
    const seen = await statisticsOf(service);
    await harness.close();
    await gateway.close();
    return [assertWithinLimits(seen, { ms, cpu: (user + system) / 1_000 / ms, strict: !options.short })];
  } finally {
    service.disconnect();
  }
}

function assertWithinLimits(seen: Seen, { ms, cpu, strict }: { ms: number; cpu: number; strict: boolean }): string {
  const { requests, maxPerSecond, maxSockets } = seen;
  const rate = (requests / ms) * 1_000;
  const percent = (cpu * 100).toFixed(2);
  const line = `${TASKS} running tasks: ${rate.toFixed(1)} requests/s, at most ${maxPerSecond} in any second, ${maxSockets} sockets at most, ${percent} % of a core`;
  // Each task at least once a minute.
  assert.ok(rate > TASKS / 60, `the tasks are not followed: ${line}`);
  assert.ok(maxPerSecond <= MAX_REQUESTS_PER_SECOND, line);
  assert.ok(maxSockets <= MAX_SOCKETS, line);
  // A few seconds of a cold program on a busy machine say nothing about processor use.
  if (strict) assert.ok(cpu <= MAX_CPU_SHARE, line);
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
  const made = await harness.engine.enqueue({ requests });
  assert.ok(made.ok);
  await allRunning;
  return { harness, gateway };
}

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

function statisticsOf(service: ChildProcess): Promise<Seen> {
  return new Promise((told) => {
    service.once('message', (seen) => told(seen as Seen));
    service.send('seen');
  });
}
