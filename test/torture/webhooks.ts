import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import net from 'node:net';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from '../../src/main/core/ports.ts';
import type { Store } from '../../src/main/core/store/index.ts';
import { sql } from '../../src/main/core/store/index.ts';
import { SOCKET_LIMITS, startWebhooks, type Webhooks } from '../../src/main/core/webhooks/index.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import { realClock } from '../bench/figures.ts';
import { type EngineHarness, finished, startEngine } from '../helpers/engineHarness.ts';
import { countingIds, settle } from '../helpers/testPorts.ts';
import type { TortureOptions } from './options.ts';

/**
 * The webhook receiver under attack, on real sockets. The engine's clock stands still, so every poll, database access and log line is
 * caused by a call.
 */
const FORGER = join(import.meta.dirname, 'programs', 'forger.ts');
const FORGED = 100_000;
const REPEATS = 1_000;
const SLOW = 200;
const IDLE = 2_000;
const HEAP_BYTES = 8 * 1024 * 1024;

export async function run(options: Partial<TortureOptions> = {}): Promise<string[]> {
  const harness = await openWebhookHarness();
  try {
    return [
      await forgedCalls(harness, options.short ? 5_000 : FORGED, options.seed ?? 1),
      await slowSockets(harness),
      await repeats(harness, options.short ? 200 : REPEATS),
      await idleFlood(harness, options.short ? 1_200 : IDLE),
    ];
  } finally {
    await harness.close();
  }
}

/** A running engine with accepted image tasks, its receiver, and counters of everything that a call could cause. */
interface WebhookHarness {
  engineHarness: EngineHarness;
  /** The receiver's clock. */
  clock: HeldClock;
  port: number;
  /** The jobs, each with its webhook path. */
  jobs: { id: string; path: string }[];
  counts: { reads: number; writes: number; logs: number };
  close(): Promise<void>;
}

/** The machine's time, or a time that a test holds; timers run as usual. */
class HeldClock implements Clock {
  heldAt: number | undefined;
  readonly after = realClock.after;
  readonly now = (): number => this.heldAt ?? realClock.now();
}

const JOBS = 30;
const imagine: StudioRequest = { kind: 'imagine', prompt: 'A quay' };

async function openWebhookHarness(): Promise<WebhookHarness> {
  const counts = { reads: 0, writes: 0, logs: 0 };
  const engineHarness = startEngine({
    profile: { limits: { imagesAtOnce: JOBS } },
    wrapStore: (store) => counted(store, counts),
  });
  engineHarness.script.submit = Array.from({ length: JOBS }, (_, n) => ({
    type: 'accepted',
    task: { id: `task-${n}`, kind: 'image', acceptedAt: engineHarness.clock.now() },
  }));
  for (let n = 0; n < JOBS; n += 1) await engineHarness.enqueue(imagine);
  await settle();
  const clock = new HeldClock();
  const hooks = await receiver(engineHarness, counts, clock);
  const open = engineHarness.engine.queries.openWebhooks();
  assert.equal(open.length, JOBS);
  const jobs = open.map(({ jobId, secret }) => {
    const url = new URL(hooks.urlFor(engineHarness.profile, jobId, secret));
    return { id: jobId, path: url.pathname, port: Number(url.port) };
  });
  const close = async (): Promise<void> => {
    await hooks.close();
    await engineHarness.close();
  };
  return { engineHarness, clock, port: jobs[0]?.port ?? 0, jobs, counts, close };
}

function receiver(engineHarness: EngineHarness, counts: { logs: number }, clock: Clock): Promise<Webhooks> {
  const error = (): void => {
    counts.logs += 1;
  };
  return startWebhooks({
    clock,
    ids: countingIds(),
    log: { error },
    store: engineHarness.store,
    jobs: engineHarness.engine.queries,
    events: engineHarness.coreEvents,
  });
}

function counted(store: Store, counts: { reads: number; writes: number }): Store {
  const reading = <T>(work: () => T): T => {
    counts.reads += 1;
    return work();
  };
  const writing = <T>(work: () => T): T => {
    counts.writes += 1;
    return work();
  };
  return {
    ...store,
    read: {
      one: (statement, params) => reading(() => store.read.one(statement, params)),
      all: (statement, params) => reading(() => store.read.all(statement, params)),
    },
    readTransaction: (work) => reading(() => store.readTransaction(work)),
    transaction: (work) => writing(() => store.transaction(work)),
    grouped: (work) => writing(() => store.grouped(work)),
  };
}

const TABLES = ['jobs', 'attempts', 'ledger', 'assets', 'flags'];

/** Every row that a call could have changed. */
function contentOf({ engineHarness }: WebhookHarness): string {
  const known = new Set(
    engineHarness.store.read
      .all<{ name: string }>(sql('torture.tables', 'SELECT name FROM sqlite_schema'))
      .map(({ name }) => name),
  );
  const tables = TABLES.filter((name) => known.has(name));
  assert.ok(tables.includes('jobs') && tables.includes('attempts'));
  return JSON.stringify(
    tables.map((name) => engineHarness.store.read.all(sql('torture.rows', `SELECT * FROM ${name}`))),
  );
}

async function forgedCalls(harness: WebhookHarness, count: number, seed: number): Promise<string> {
  const { engineHarness, counts, port, jobs } = harness;
  const before = contentOf(harness);
  const looks = engineHarness.script.polled;
  Object.assign(counts, { reads: 0, writes: 0, logs: 0 });
  const heapBefore = heapInUse();
  const made = await forge(port, jobs[0]?.id ?? '', count, seed);
  const heap = heapInUse() - heapBefore;
  await engineHarness.clock.advance(0);
  const effects = { looks: engineHarness.script.polled - looks, ...counts };
  assert.deepEqual(effects, { looks: 0, reads: 0, writes: 0, logs: 0 });
  assert.equal(contentOf(harness), before);
  assert.ok(heap < HEAP_BYTES, `the heap grew by ${heap} bytes`);
  const kinds = Object.entries(made).map(([kind, calls]) => `${calls} ${kind}`);
  const total = Object.values(made).reduce((sum, calls) => sum + calls, 0);
  assert.ok(total >= count);
  return `${total} forged calls (${kinds.join(', ')}): 0 looks, 0 rows changed, 0 reads, 0 writes, 0 log lines; the heap ${megabytes(heap)}`;
}

/** The heap in use after a garbage collection. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}

const megabytes = (bytes: number): string => `${bytes < 0 ? '−' : '+'}${Math.abs(bytes / 1024 / 1024).toFixed(1)} MB`;

/** Runs the forger in its own process, so that the measured memory is the receiver's. */
async function forge(port: number, job: string, count: number, seed: number): Promise<Record<string, number>> {
  const child = spawn(process.execPath, [FORGER, String(port), job, String(count), String(seed)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (data) => {
    out += String(data);
  });
  const code = await new Promise((ended) => child.once('close', ended));
  assert.equal(code, 0, 'the forger ended early');
  return JSON.parse(out) as Record<string, number>;
}

interface Line {
  socket: net.Socket;
  answered: Promise<string>;
  closed: Promise<void>;
}

function connect(port: number): Promise<Line> {
  return new Promise((ready) => {
    const socket = net.connect(port, '127.0.0.1', () => ready({ socket, answered, closed }));
    socket.on('error', () => undefined);
    const answered = new Promise<string>((done) => socket.once('data', (data) => done(String(data))));
    const closed = new Promise<void>((done) => socket.once('close', () => done()));
    socket.resume();
  });
}

/** Calls a valid path; resolves with the status line. */
async function deliver(port: number, path: string): Promise<string> {
  const { socket, answered, closed } = await connect(port);
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`);
  const line = await Promise.race([answered, closed.then(() => 'closed')]);
  socket.destroy();
  return line.split('\r\n')[0] ?? '';
}

/** Performs the polls that the calls request; returns their number. */
async function pollsAfter({ engineHarness }: WebhookHarness, calls: () => Promise<void>): Promise<number> {
  const before = engineHarness.script.polled;
  await calls();
  await engineHarness.clock.advance(0);
  return engineHarness.script.polled - before;
}

/** Checks order, not time: the valid call is answered and acted upon while all slow sockets are still open. */
async function slowSockets(harness: WebhookHarness): Promise<string> {
  const { port, jobs, clock } = harness;
  clock.heldAt = clock.now();
  const lines = await Promise.all(Array.from({ length: SLOW }, () => connect(port)));
  let gone = 0;
  for (const [n, { socket, closed }] of lines.entries()) {
    void closed.then(() => {
      gone += 1;
    });
    const half = `POST ${jobs[2]?.path.slice(0, -3)} HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n`;
    socket.write(n % 2 === 0 ? half : `${half}\r\n{"status":`);
  }
  const looks = await pollsAfter(harness, async () => {
    for (const { socket } of lines) socket.write('x');
    assert.equal(await deliver(port, jobs[1]?.path ?? ''), 'HTTP/1.1 204 No Content');
  });
  assert.deepEqual({ gone, looks }, { gone: 0, looks: 1 });
  clock.heldAt += SOCKET_LIMITS.idleMs;
  await Promise.all(lines.map(({ closed }) => closed));
  clock.heldAt = undefined;
  return `${SLOW} slow sockets (headers and bodies that dribble): the true call was answered and looked after with ${SLOW} of them still open; then all were cut`;
}

async function idleFlood(harness: WebhookHarness, count: number): Promise<string> {
  const { port, jobs } = harness;
  const lines: Line[] = [];
  let open = 0;
  const answers: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const line = await connect(port);
    open += 1;
    void line.closed.then(() => {
      open -= 1;
    });
    lines.push(line);
    // Valid calls in the middle of the flood.
    if (n % 100 === 99) answers.push(await deliver(port, jobs[3 + (answers.length % 10)]?.path ?? ''));
  }
  const arrived = answers.filter((line) => line === 'HTTP/1.1 204 No Content').length;
  assert.equal(arrived, answers.length);
  await settle();
  assert.ok(open <= SOCKET_LIMITS.hardLimit + 1, `${open} sockets are open`);
  await harness.engineHarness.clock.advance(2_000);
  const kept = open;
  for (const { socket } of lines) socket.destroy();
  return `${count} idle sockets: ${arrived} of ${answers.length} true calls arrived among them; ${kept} were still held`;
}

async function repeats(harness: WebhookHarness, count: number): Promise<string> {
  const { engineHarness, port, jobs } = harness;
  const { id, path } = jobs[20] ?? { id: '', path: '' };
  engineHarness.script.poll = [finished()];
  const looks = await pollsAfter(harness, async () => {
    for (let n = 0; n < count; n += 10) {
      const round = await Promise.all(Array.from({ length: 10 }, () => deliver(port, path)));
      assert.ok(round.every((line) => line === 'HTTP/1.1 204 No Content'));
    }
  });
  assert.equal(looks, 1);
  const done = await engineHarness.untilEnd(id);
  assert.equal(done.state, 'succeeded');
  const before = contentOfJob(engineHarness, id);
  const late = await pollsAfter(harness, async () => void (await deliver(port, path)));
  assert.deepEqual({ late, row: contentOfJob(engineHarness, id) }, { late: 0, row: before });
  assert.equal(done.outputs.length, 1);
  return `${count} repeats of a true call: 1 look, 1 output, 1 charge; a late one changes nothing`;
}

const contentOfJob = (engineHarness: EngineHarness, id: string): string => JSON.stringify(engineHarness.job(id));
