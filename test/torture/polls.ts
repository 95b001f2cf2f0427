import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createGateway, type Gateway } from '../../src/main/core/gateway/index.ts';
import { profileSchema } from '../../src/shared/profile.ts';
import type { StudioRequest } from '../../src/shared/request.ts';
import { realClock } from '../bench/figures.ts';
import { type Rig, startRig } from '../helpers/engineRig.ts';
import { firstLine } from '../helpers/firstLine.ts';
import type { TortureOptions } from './options.ts';

/**
 * A thousand running tasks, half of them pictures and half clips, followed with the real client over real sockets; the service is a
 * process of its own, which counts. The processor time is this whole process's: engine, client and database.
 */
const SERVICE = join(import.meta.dirname, 'programs', 'pollServer.ts');
const TASKS = 1_000;
/** Until the start is over: every task has been looked at once, and said something new. */
const WARM_UP_MS = 30_000;
const MEASURED_MS = 30_000;
const MOST_A_SECOND = 70;
const MOST_SOCKETS = 8;
const MOST_CPU = 0.02;

interface Seen {
  requests: number;
  mostASecond: number;
  mostSockets: number;
}

export async function run(options: Partial<TortureOptions> = {}): Promise<string[]> {
  const service = spawn(process.execPath, [SERVICE], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  try {
    const port = await firstLine(service, 20_000);
    const { rig, gateway } = await follow(`http://127.0.0.1:${port}`);
    const [warmUpMs, measuredMs] = options.short ? [2_000, 4_000] : [WARM_UP_MS, MEASURED_MS];
    await passing(warmUpMs);
    await seenBy(service);
    const before = process.cpuUsage();
    const from = performance.now();
    await passing(measuredMs);
    const { user, system } = process.cpuUsage(before);
    const ms = performance.now() - from;
    const seen = await seenBy(service);
    await rig.close();
    await gateway.close();
    return [judged(seen, { ms, cpu: (user + system) / 1_000 / ms, strict: !options.short })];
  } finally {
    service.disconnect();
  }
}

function judged(seen: Seen, { ms, cpu, strict }: { ms: number; cpu: number; strict: boolean }): string {
  const { requests, mostASecond, mostSockets } = seen;
  const rate = (requests / ms) * 1_000;
  const percent = (cpu * 100).toFixed(2);
  const line = `${TASKS} running tasks: ${rate.toFixed(1)} requests/s, at most ${mostASecond} in any second, ${mostSockets} sockets at most, ${percent} % of a core`;
  // Each of them once in a minute at the least.
  assert.ok(rate > TASKS / 60, `the tasks are not followed: ${line}`);
  assert.ok(mostASecond <= MOST_A_SECOND, line);
  assert.ok(mostSockets <= MOST_SOCKETS, line);
  // A few seconds of a cold program on a busy machine say nothing about a core.
  if (strict) assert.ok(cpu <= MOST_CPU, line);
  return line;
}

/** The engine with its tasks accepted, and the real client of the service for their polls. */
async function follow(baseUrl: string): Promise<{ rig: Rig; gateway: Gateway }> {
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
  const rig = startRig({ time: realClock, script, profile });
  const requests = Array.from(
    { length: TASKS },
    (_, n): StudioRequest =>
      n % 2 === 0
        ? { kind: 'imagine', prompt: 'A quay' }
        : { kind: 'video', model: 'video-standard', prompt: 'A quay', config: { durationSeconds: 4 } },
  );
  const allRunning = new Promise<void>((done) => {
    rig.onEvent((event) => {
      if (event.type === 'queue.changed' && rig.engine.status().running === TASKS && accepted === TASKS) done();
    });
  });
  const made = await rig.engine.enqueue({ requests });
  assert.ok(made.ok);
  await allRunning;
  return { rig, gateway };
}

const passing = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

function seenBy(service: ChildProcess): Promise<Seen> {
  return new Promise((told) => {
    service.once('message', (seen) => told(seen as Seen));
    service.send('seen');
  });
}
