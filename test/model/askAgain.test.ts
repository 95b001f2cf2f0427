import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { type FaultRule, type Sandbox, startSandbox } from '../../src/main/sandbox/index.ts';
import type { Job } from '../../src/shared/job.ts';
import { IMAGE_PRICE } from '../chaos/requests.ts';
import { canaryKey, findCanary } from '../helpers/canary.ts';
import { memoryKeys, TestClock } from '../helpers/testPorts.ts';
import { studiosOfThisFile } from '../helpers/testStudios.ts';

/** A lost answer is asked for again under its key, on the wire, at a sandbox that honours keys. */

const openStudio = studiosOfThisFile();
const VIDEO = {
  kind: 'video',
  model: 'video-standard',
  prompt: 'A quay at night',
  config: { durationSeconds: 4 },
} as const;
const IMAGE = { kind: 'imagine', prompt: 'A quay at night' } as const;
const DOCUMENTED = { kind: 'documented', source: 'src/main/sandbox/README.md', windowHours: 24 } as const;
const isEnded = ({ state }: Job): boolean => ['succeeded', 'failed', 'canceled'].includes(state);

const LOST: FaultRule[] = (['video', 'imagine'] as const).map((endpoint) => ({
  match: { endpoint, times: 1 },
  action: { kind: 'drop', when: 'after' },
}));

async function start() {
  const key = canaryKey();
  const sandbox: Sandbox = await startSandbox({
    speed: 'fast',
    media: 'tiny',
    apiKey: key,
    honoursKeys: true,
    imageNano: 40_000_000,
    faults: LOST,
  });
  onTestFinished(() => sandbox.close());
  const clock = new TestClock(new Date(2026, 10, 21, 20).getTime());
  const studio = await openStudio({ ports: { clock, keys: memoryKeys() } });
  const profile = {
    id: 'p',
    name: 'P',
    baseUrl: sandbox.baseUrl,
    vendor: sandbox.vendor,
    imageAuthHeaders: sandbox.imageAuthHeaders,
    prices: [IMAGE_PRICE],
    idempotency: DOCUMENTED,
    // A webhook would tell what the lost answer said.
    webhookBase: 'http://127.0.0.1:9',
  };
  await studio.ask('profiles.save', profile);
  await studio.ask('profiles.setKey', { id: 'p', apiKey: key });
  await studio.ask('profiles.activate', { id: 'p' });
  const until = async (id: string, wanted: (job: Job) => boolean): Promise<Job> => {
    for (let step = 0; step < 2_000; step++) {
      const job = await studio.ask('jobs.get', { id });
      if (wanted(job)) return job;
      await clock.advance(500);
    }
    throw new Error(`it never came: ${JSON.stringify(await studio.ask('jobs.get', { id }))}`);
  };
  const enqueue = async (request: typeof VIDEO | typeof IMAGE): Promise<string> => {
    const { jobs } = await studio.ask('jobs.enqueue', { requests: [request] });
    return jobs[0]?.id ?? '';
  };
  const served = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${sandbox.baseUrl}/__sandbox/${path}`)).json()) as T;
  const bill = () => served<{ entries: object[] }>('bill');
  const requests = async () =>
    (
      await served<{ requests: { method: string; path: string; headers: Record<string, string>; body: unknown }[] }>(
        'requests',
      )
    ).requests.filter(({ headers }) => headers['idempotency-key'] !== undefined);
  const isInDoubt = ({ state }: Job) => state === 'uncertain';
  /** Orders it, and waits until its answer is lost. */
  const lose = async (request: typeof VIDEO | typeof IMAGE) => until(await enqueue(request), isInDoubt);
  /** Asks for it again under its key, and waits until it has ended. */
  const askAgain = async (id: string) => {
    await studio.ask('jobs.resolve', { id, as: 'again' });
    return until(id, isEnded);
  };
  const spent = async () => (await studio.ask('ledger.totals', { groupBy: 'kind', play: false })).sum;
  return { key, studio, lose, askAgain, spent, bill, requests };
}

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

test.each([
  ['video', VIDEO],
  ['picture', IMAGE],
])(
  'a %s: the same bytes under the same key, one entry on the bill, one charge, and no byte of the key on disk',
  async (_, request) => {
    const { key, studio, lose, askAgain, spent, bill, requests } = await start();
    const lost = await lose(request);
    const { id } = lost;
    expect(lost.kept).toMatchObject({ bytes: expect.any(Number) });
    await studio.ask('profiles.save', { id: 'p', idempotency: { kind: 'none' } });
    const off = await studio.call('jobs.resolve', { id, as: 'again' });
    expect(off.ok ? '' : off.error.message).toContain('not documented');
    await studio.ask('profiles.save', { id: 'p', idempotency: DOCUMENTED });
    const done = await askAgain(id);
    expect(done).toMatchObject({ state: 'succeeded', money: { reservedNano: 0, uncertainNano: 0 } });
    const sent = await requests();
    expect(sent).toHaveLength(2);
    expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(new Set(sent.map(({ path, body }) => `${path} ${hashOf(body)}`)).size).toBe(1);
    expect((await bill()).entries).toHaveLength(1);
    expect(done.money.chargedNano).toBeGreaterThan(0);
    expect((await spent()).settledNano).toBe(done.money.chargedNano);
    expect(findCanary(key, { paths: [studio.dataDir], texts: { job: JSON.stringify([lost, done]) } }).hits).toEqual([]);
  },
);
