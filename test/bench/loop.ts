import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { ProfileLimits } from '../../src/shared/gateway/profileLimits.ts';
import { SANDBOX_PRICES } from '../../src/shared/money/price.ts';
import { type Host, startHost } from '../helpers/host.ts';
import { tempDir } from '../helpers/testPorts.ts';
import { SandboxProcess } from '../torture/sandboxProcess.ts';
import type { Figure } from './figures.ts';
import type { Watched } from './turnWatch.ts';

/**
 * The event loop of a busy host with a page listening: 5,000 jobs are enqueued, 1,000 of them sent and polled, more enqueued meanwhile, and
 * 300 pictures finished. By wall clock and by processor time, each with the functions of the longest turns.
 */

const AS_BATCH = 4_500;
const ONE_BY_ONE = 500;
const CALLERS = 8;
/** The sandbox's rate limit refuses more. */
const VIDEOS = 8;
const IMAGES = 992;
const FINISHED = 300;
const POLLING_MS = 30_000;
const SHOWN = 3;
/** More turns are shown of those longer than this. */
const LONG_MS = 20;
const LONG_SHOWN = 10;
const COSTLY_SHOWN = 8;
/** A hundred times slower than demo pace: nothing sent ends during the measurement. */
const SLOW = '0.01';

export async function benchLoop(): Promise<Figure[]> {
  const slow = await SandboxProcess.start(tempDir('loop-slow'), ['--speed', SLOW, '--faults', neverDrawn()]);
  const fast = await SandboxProcess.start(tempDir('loop-fast'));
  const socket = join(tempDir('loop'), 'turns.sock');
  const host = await startHost({
    quiet: true,
    env: {
      NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'turnWatch.ts'))}`,
      DAILIES_TURN_SOCKET: socket,
    },
  });
  const watch = await watchAt(socket);
  const events = await host.events();
  try {
    const figures: Figure[] = [];
    const phase = async (title: string, work: () => Promise<unknown>): Promise<void> => {
      await watch.begin();
      await work();
      figures.push(...figuresOf(title, await watch.end()));
    };
    await host.ask('settings.set', { welcomed: true });
    await connectTo(host, slow, 'slow', { imagesAtOnce: IMAGES, videosAtOnce: VIDEOS, videoPerMinute: 10_000 });
    await phase('idle', () => wait(2_000));
    await host.ask('queue.pause');
    const { readId } = await host.ask('batch.read', { text: table(AS_BATCH), format: 'csv' });
    await phase(`${AS_BATCH} enqueued as a batch`, () => host.ask('batch.enqueue', { readId }).then(() => wait(500)));
    await phase(`${ONE_BY_ONE} enqueued one by one, ${CALLERS} at a time`, () => enqueueOneByOne(host, ONE_BY_ONE));
    await phase(`${VIDEOS + IMAGES} sent and accepted`, async () => {
      await host.ask('queue.resume');
      await until(host, (running) => running >= VIDEOS + IMAGES);
    });
    await wait(1_000);
    await phase(`${VIDEOS + IMAGES} polled for ${POLLING_MS / 1_000} s`, () => wait(POLLING_MS));
    await phase('the same, and a page that reads', () => reads(host));
    await phase('the same, and 200 more enqueued one by one', () => enqueueOneByOne(host, 200));
    await phase('the same, and 1,000 more enqueued as a batch', () => enqueueBatch(host, 1_000));
    await connectTo(host, fast, 'fast', { imagesAtOnce: 16 });
    await phase(`the same, and ${FINISHED} pictures made, fetched and stored`, () => finish(host));
    return figures;
  } finally {
    await events.close();
    watch.close();
    await host.stop();
    await Promise.all([slow, fast].map((sandbox) => sandbox.kill('SIGTERM')));
  }
}

/** A fault file with which the sandbox draws and bills nothing, so that the processors are left to the host. */
function neverDrawn(): string {
  const file = join(tempDir('loop-faults'), 'faults.json');
  const rules = ['video', 'imagine'].map((endpoint) => ({ match: { endpoint }, action: { kind: 'failure' } }));
  writeFileSync(file, JSON.stringify(rules));
  return file;
}

async function connectTo(
  host: Host,
  { ready }: SandboxProcess,
  id: string,
  limits: Partial<ProfileLimits>,
): Promise<void> {
  const { baseUrl, apiKey, imagePrefix, vendor, imageAuthHeaders } = ready;
  const prices = [...SANDBOX_PRICES];
  await host.ask('profiles.save', { id, name: id, baseUrl, imagePrefix, vendor, imageAuthHeaders, limits, prices });
  await host.ask('profiles.setKey', { id, apiKey });
  await host.ask('profiles.activate', { id });
}

/** A table in which a few jobs are videos. */
const table = (count: number): string =>
  [
    'kind,prompt,model,seconds',
    ...Array.from({ length: count }, (_, index) =>
      index % 100 === 0 ? `video,"Harbour ${index} at night",video-standard,8` : `imagine,Lamp ${index},,`,
    ),
  ].join('\n');

async function enqueueBatch(host: Host, count: number): Promise<void> {
  const { readId } = await host.ask('batch.read', { text: table(count), format: 'csv' });
  await host.ask('batch.enqueue', { readId });
}

async function enqueueOneByOne(host: Host, count: number): Promise<void> {
  let left = count;
  const caller = async (): Promise<void> => {
    while (left-- > 0)
      await host.ask('jobs.enqueue', { requests: [{ kind: 'imagine', prompt: `A lamp, number ${left}` }] });
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

/** The queries of Queue, Library and Spend. */
async function reads(host: Host): Promise<void> {
  const end = performance.now() + POLLING_MS / 2;
  while (performance.now() < end) {
    await host.ask('queue.status');
    await host.ask('jobs.list', { order: 'queue', limit: 100 });
    await host.ask('jobs.list', { limit: 100 });
    await host.ask('library.list', { limit: 100, days: true });
    await host.ask('library.facets', {});
    await host.ask('ledger.totals', { groupBy: 'day' });
    await wait(100);
  }
}

async function until(host: Host, isReached: (running: number) => boolean): Promise<void> {
  while (!isReached((await host.ask('queue.status')).running)) await wait(500);
}

async function finish(host: Host): Promise<void> {
  const { running: before } = await host.ask('queue.status');
  const requests = Array.from({ length: FINISHED }, (_, n) => ({ kind: 'imagine' as const, prompt: `Buoy ${n}` }));
  for (let from = 0; from < FINISHED; from += 100)
    await host.ask('jobs.enqueue', { requests: requests.slice(from, from + 100) });
  for (let done = 0; done < FINISHED; await wait(500)) {
    done = (await host.ask('jobs.ended', { since: 0 })).made;
    if ((await host.ask('queue.status')).running < before) throw new Error('what was polled has ended');
  }
}

interface Watch {
  begin(): Promise<void>;
  end(): Promise<Watched>;
  close(): void;
}

async function watchAt(path: string): Promise<Watch> {
  const socket: Socket = connect(path);
  const lines = createInterface(socket)[Symbol.asyncIterator]();
  const ask = async (line: string): Promise<Watched> => {
    socket.write(`${line}\n`);
    return JSON.parse((await lines.next()).value ?? '{}') as Watched;
  };
  return { begin: () => ask('begin').then(() => undefined), end: () => ask('end'), close: () => socket.destroy() };
}

function figuresOf(title: string, { delay, busy, longest, costliest }: Watched): Figure[] {
  const figure = (name: string, value: number, unit = 'ms'): Figure => ({ name: `  ${name}`, value, unit });
  return [
    { name: `${title}: in all on a processor`, value: busy.total, unit: 'ms' },
    figure('event-loop delay, median', delay.p50),
    figure('event-loop delay, p99', delay.p99),
    figure('event-loop delay, longest', delay.max),
    figure('turn on a processor, p99', busy.p99),
    figure('turn on a processor, longest', busy.max),
    figure('turns over 20 ms on a processor', busy.over20, ''),
    figure('turns over 50 ms on a processor', busy.over50, ''),
    ...longest
      .filter(({ busy: on }, index) => index < (on > LONG_MS ? LONG_SHOWN : SHOWN))
      .map((turn) => figure(`  ${turn.path || 'nothing of ours'} [${turn.self}]`, turn.busy)),
    ...costliest.slice(0, COSTLY_SHOWN).map(({ name, ms }) => figure(`  spent in ${name}`, ms)),
  ];
}
