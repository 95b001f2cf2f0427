import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { type FaultRule, type Sandbox, startSandbox } from '../../src/main/sandbox/index.ts';
import type { Job } from '../../src/shared/jobs/job.ts';
import { IMAGE_PRICE } from '../chaos/requests.ts';
import { canaryKey, findCanary } from '../helpers/canary.ts';
import { memoryKeys, TestClock } from '../helpers/testPorts.ts';
import { studiosOfThisFile } from '../helpers/testStudios.ts';
import { cutAnswers } from './cutAnswers.ts';

/** A request whose reply was lost is repeated under its key, at a sandbox that honours keys and at one that ignores them. */

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

/** Hides the task that a cut answer names, or a poll would find it. */
const SILENT: FaultRule[] = [{ match: { endpoint: 'operation', times: 3 }, action: { kind: 'status', status: 503 } }];

/** Whether the first answer is lost whole or only at its end. */
type Loss = 'whole' | 'end';

async function start(honoursKeys: boolean, loss: Loss = 'whole', before: FaultRule[] = []) {
  const key = canaryKey();
  const sandbox: Sandbox = await startSandbox({
    speed: 'fast',
    media: 'tiny',
    apiKey: key,
    honoursKeys,
    imageNano: 40_000_000,
    faults: [...before, ...(loss === 'whole' ? LOST : [])],
  });
  onTestFinished(() => sandbox.close());
  const cut = loss === 'end' ? await cutAnswers(sandbox.baseUrl, 1) : undefined;
  if (cut) onTestFinished(() => cut.close());
  const clock = new TestClock(new Date(2026, 10, 21, 20).getTime());
  const studio = await openStudio({ ports: { clock, keys: memoryKeys() } });
  const profile = {
    id: 'p',
    name: 'P',
    baseUrl: cut?.baseUrl ?? sandbox.baseUrl,
    vendor: sandbox.vendor,
    imageAuthHeaders: sandbox.imageAuthHeaders,
    prices: [IMAGE_PRICE],
    idempotency: DOCUMENTED,
    // Unreachable: a webhook would report what the lost answer said.
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
  const bill = () => served<{ totalNano: number; entries: { nano: number }[] }>('bill');
  const requests = async () =>
    (
      await served<{ requests: { method: string; path: string; headers: Record<string, string>; body: unknown }[] }>(
        'requests',
      )
    ).requests.filter(({ headers }) => headers['idempotency-key'] !== undefined);
  const isInDoubt = ({ state }: Job) => state === 'uncertain';
  /** Sends the request and waits until its reply is lost. */
  const lose = async (request: typeof VIDEO | typeof IMAGE) => until(await enqueue(request), isInDoubt);
  /** Repeats the request under its key and waits for its end. */
  const askAgain = async (id: string) => {
    await studio.ask('jobs.resolve', { id, as: 'again' });
    return until(id, isEnded);
  };
  const spent = async () => (await studio.ask('ledger.totals', { groupBy: 'kind', play: false })).sum;
  const promise = async () =>
    (await studio.ask('profiles.list', {})).profiles.find(({ id }) => id === 'p')?.idempotency;
  return { key, studio, clock, until, lose, askAgain, spent, promise, bill, requests };
}

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

test.each([
  ['video', VIDEO],
  ['picture', IMAGE],
])(
  'a %s is sent again with the same bytes under the same key: one bill entry, one charge, no byte of the key on disk',
  async (_, request) => {
    const { key, studio, lose, askAgain, spent, bill, requests } = await start(true);
    const lost = await lose(request);
    const { id } = lost;
    expect(lost.kept).toMatchObject({ bytes: expect.any(Number) });
    await studio.ask('profiles.save', { id: 'p', idempotency: { kind: 'none' } });
    const off = await studio.call('jobs.resolve', { id, as: 'again' });
    expect(off.ok ? '' : off.error.message).toContain('documents no');
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

test('with another API key nothing is sent, since another account does not know the first request', async () => {
  const { studio, clock, lose, requests } = await start(true);
  const { id } = await lose(IMAGE);
  await studio.ask('profiles.setKey', { id: 'p', apiKey: canaryKey() });
  await clock.advance(1_000);
  expect((await studio.ask('jobs.get', { id })).kept?.otherAccount).toBe(true);
  const refused = await studio.call('jobs.resolve', { id, as: 'again' });
  expect(refused.ok ? '' : refused.error.message).toContain('was changed since');
  expect(await requests()).toHaveLength(1);
});

test('a gateway that ignores keys bills twice: the ledger has both, and its keys no longer count as documented', async () => {
  const { studio, lose, askAgain, spent, promise, bill } = await start(false);
  const { id } = await lose(IMAGE);
  const done = await askAgain(id);
  const { totalNano, entries } = await bill();
  expect(entries).toHaveLength(2);
  expect(totalNano).toBe(2 * done.money.chargedNano);
  const billed = await studio.ask('jobs.billedTwice', { id, billedNano: entries[1]?.nano ?? 0 });
  expect(billed.money).toMatchObject({ chargedNano: totalNano, uncertainNano: 0 });
  expect(await spent()).toMatchObject({ settledNano: totalNano, reservedNano: 0, uncertainNano: 0 });
  expect(await promise()).toMatchObject({
    kind: 'none',
    falseSince: expect.any(Number),
  });
  expect(studio.events.some((event) => event.type === 'notice' && event.text.includes('idempotency key twice'))).toBe(
    true,
  );
});

test('at a gateway that ignores keys and named its first task, both are polled, and ledger and bill agree', async () => {
  const { studio, until, lose, askAgain, spent, promise, bill } = await start(false, 'end', SILENT);
  const lost = await lose(VIDEO);
  const { id } = lost;
  expect(lost.remoteId).toEqual(expect.any(String));
  await askAgain(id);
  const { jobs } = await studio.ask('jobs.list', { limit: 10 });
  const done = [];
  for (const job of jobs) done.push(await until(job.id, isEnded));
  expect(done.map(({ state, outputs }) => [state, outputs.map((asset) => asset.state)])).toEqual([
    ['succeeded', ['local']],
    ['succeeded', ['local']],
  ]);
  expect(new Set(done.map(({ remoteId }) => remoteId)).size).toBe(2);
  const { totalNano, entries } = await bill();
  expect(entries).toHaveLength(2);
  expect(await spent()).toMatchObject({ settledNano: totalNano, reservedNano: 0, uncertainNano: 0 });
  expect(await promise()).toMatchObject({ kind: 'none' });
});

test('at a gateway that honours keys and named its task there is one request, one charge and no suspicion', async () => {
  const { studio, lose, askAgain, promise, bill } = await start(true, 'end', SILENT);
  const { id } = await lose(VIDEO);
  const done = await askAgain(id);
  expect((await studio.ask('jobs.list', { limit: 10 })).total).toBe(1);
  expect(done.money).toMatchObject({ chargedNano: (await bill()).totalNano, uncertainNano: 0 });
  expect(await promise()).toMatchObject({ kind: 'documented' });
});

test('the time limit starts with a refused request, and ends when the clock is set back', async () => {
  const busy: FaultRule = {
    match: { endpoint: 'imagine', times: 1 },
    action: { kind: 'status', status: 429, retryAfter: 60 },
  };
  const { studio, clock, lose, requests } = await start(true, 'whole', [busy]);
  const lost = await lose(IMAGE);
  const { id } = lost;
  expect(lost.attempts.map(({ outcome }) => outcome)).toEqual(['unsent', 'unknown']);
  expect(lost.kept?.at).toBe(lost.attempts[0]?.at);
  clock.set(clock.now() - 3_600_000);
  await clock.advance(61_000);
  const refused = await studio.call('jobs.resolve', { id, as: 'again' });
  expect(refused.ok ? '' : refused.error.message).toContain('was set back');
  expect(await requests()).toHaveLength(2);
});
