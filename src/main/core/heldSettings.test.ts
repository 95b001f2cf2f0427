import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { fullAfter } from '../../../test/helpers/fullDisk.ts';
import { countingIds, memorySettings, TestClock, tempDir } from '../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import { activateService, jobAfter, serviceKeys, servicesOfThisFile } from '../../../test/helpers/wireServices.ts';
import { databaseFile } from './store/index.ts';

/** The settings file cannot be written for a while: another program holds it, or its disk is full. */

const openStudio = studiosOfThisFile();
const quay = { kind: 'imagine' as const, prompt: 'A quay' };
const startService = servicesOfThisFile();

function settingsThatHold() {
  const settings = memorySettings();
  const held = { isHeld: false, settings };
  settings.write = ((write) => (key, value) => {
    if (held.isHeld) throw Object.assign(new Error(`EPERM: operation not permitted, rename`), { code: 'EPERM' });
    write(key, value);
  })(settings.write);
  return held;
}

test('a request that is accepted while the settings file is held has its task, and what was learnt is written later', async () => {
  const { baseUrl } = await startService(({ path }) => {
    if (!path.endsWith('/submit/imagine')) return { status: 404, body: {} };
    return { body: { code: 1, result: '1730000000' } };
  });
  const held = settingsThatHold();
  const program = await openStudio({ ports: { keys: serviceKeys(), settings: held.settings } });
  await activateService(program, baseUrl, { imagePrefix: 'mj' });
  const enqueue = () =>
    jobAfter(
      program,
      () => program.enqueue(quay),
      ({ state }) => state === 'running' || state === 'uncertain',
    );
  held.isHeld = true;
  expect(await enqueue()).toMatchObject({ state: 'running', remoteId: '1730000000' });
  held.isHeld = false;
  expect(held.settings.read('dialects')).toBeUndefined();
  await enqueue();
  expect(held.settings.read('dialects')).toMatchObject({ p: { imageAuthHeader: expect.any(String) } });
});

const DOCUMENTED = {
  kind: 'documented',
  source: 'https://gateway.example/docs',
  windowHours: 24,
  readAt: 5,
  night: true,
} as const;

/** A profile with documented idempotency, and a job that was repeated and billed twice. */
async function billedTwice(held: ReturnType<typeof settingsThatHold>) {
  const [dataDir, clock, ids] = [tempDir('held'), new TestClock(), countingIds()];
  const open = () => openStudio({ dataDir, ports: { keys: serviceKeys(), settings: held.settings, clock, ids } });
  const { ask, enqueue, close } = await open();
  await activateService({ ask }, 'http://127.0.0.1:9', { idempotency: DOCUMENTED });
  await ask('queue.pause', {});
  const [id = ''] = await enqueue(quay);
  await ask('jobs.cancel', { id });
  await close();
  const db = new Database(databaseFile(dataDir));
  db.prepare(`INSERT INTO attempts (job_id, n, at, outcome, again, key) VALUES (?, 1, 1, 'done', 1, 'K')`).run(id);
  db.close();
  const studio = await open();
  const idempotency = async ({ ask: asked }: Pick<typeof studio, 'ask'>) =>
    (await asked('profiles.list')).profiles.find((profile) => profile.id === 'p')?.idempotency;
  held.isHeld = true;
  await studio.ask('jobs.billedTwice', { id, billedNano: 100, requestKey: 'press-one' });
  expect(studio.events).toContainEqual(
    expect.objectContaining({
      type: 'notice',
      text: expect.stringContaining('Dailies no longer repeats requests there.'),
    }),
  );
  return { studio, open, clock, idempotency };
}

test('a gateway that ignores keys is not asked again, though the settings file is held: now, and when it is free', async () => {
  const held = settingsThatHold();
  const { studio, clock, idempotency } = await billedTwice(held);
  const none = { kind: 'none', falseSince: clock.now() };
  expect(await idempotency(studio)).toEqual(none);
  held.isHeld = false;
  await clock.advance(60_000);
  expect(held.settings.read('profiles')).toMatchObject([{ id: 'p', idempotency: none }]);
});

test('nor after an end in between, once', async () => {
  const held = settingsThatHold();
  const { studio, open, clock, idempotency } = await billedTwice(held);
  const none = { kind: 'none', falseSince: clock.now() };
  await studio.close();
  const second = await open();
  expect(await idempotency(second)).toEqual(none);
  await second.close();
  held.isHeld = false;
  const third = await open();
  expect(await idempotency(third)).toEqual(none);
  // What is documented later, by hand, is not undone by the next start.
  await third.ask('profiles.save', { id: 'p', idempotency: DOCUMENTED });
  await third.close();
  expect(await idempotency(await open())).toEqual(DOCUMENTED);
});

test('what is documented while it waits stays, too', async () => {
  const held = settingsThatHold();
  const { studio, open, idempotency } = await billedTwice(held);
  held.isHeld = false;
  await studio.ask('profiles.save', { id: 'p', idempotency: DOCUMENTED });
  await studio.close();
  expect(await idempotency(await open())).toEqual(DOCUMENTED);
});

test('a price that is set while the settings file is held holds for all that is enqueued, and stays beside the next one', async () => {
  const held = settingsThatHold();
  const clock = new TestClock();
  const { ask, events } = await openStudio({ ports: { keys: serviceKeys(), settings: held.settings, clock } });
  await activateService({ ask }, 'http://127.0.0.1:9');
  await ask('queue.pause', {});
  const priceOf = (kind: 'image' | 'video', nano: number) => ({
    ...{ kind, model: '*', readings: [{ unit: kind, nano }], settledReading: 0, source: 'set by you' },
  });
  const enqueue = async () => (await ask('jobs.enqueue', { requests: [quay] })).jobs[0]?.money.reservedNano;
  await ask('prices.set', { price: priceOf('image', 4e8) });
  expect(await enqueue()).toBe(4e8);
  held.isHeld = true;
  await ask('prices.set', { price: priceOf('image', 2e9) });
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'notice', text: expect.stringContaining('One waiting job may now cost $2.00') }),
  );
  expect([await enqueue(), (await ask('jobs.list')).jobs.map(({ money }) => money.reservedNano)]).toEqual([
    2e9,
    [2e9, 2e9],
  ]);
  held.isHeld = false;
  await ask('prices.set', { price: priceOf('video', 1_000) });
  expect(await enqueue()).toBe(2e9);
  held.isHeld = true;
  await ask('prices.set', { price: priceOf('image', 3e9) });
  held.isHeld = false;
  await clock.advance(60_000);
  expect(held.settings.read('profiles')).toMatchObject([{ prices: [priceOf('video', 1_000), priceOf('image', 3e9)] }]);
});

test.each(['the next start', 'a second try'])(
  'what waits follows a longer answer that the disk had no room for: %s',
  async (how) => {
    const settings = memorySettings();
    const [dataDir, ids] = [tempDir('limits'), countingIds()];
    let isFilled = false;
    settings.write = ((write) => (key, value) => {
      write(key, value);
      if (isFilled) fullAfter(0);
    })(settings.write);
    const open = () => openStudio({ dataDir, ports: { keys: serviceKeys(), settings, ids } });
    const first = await open();
    await activateService(first, 'http://127.0.0.1:9', { limits: { outputTokens: 1_000 } });
    await first.ask('queue.pause', {});
    await first.enqueue({ kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'A quay' }] });
    const estimate = async ({ ask }: Pick<typeof first, 'ask'>) =>
      (await ask('jobs.list')).jobs[0]?.money.estimateNano ?? 0;
    const before = await estimate(first);
    isFilled = true;
    const change = { id: 'p', limits: { outputTokens: 100_000 } };
    expect(await first.call('profiles.save', change)).toMatchObject({ ok: false });
    isFilled = false;
    vi.restoreAllMocks();
    if (how === 'a second try') await first.ask('profiles.save', change);
    else await first.close();
    const then = how === 'a second try' ? first : await open();
    expect(await estimate(then)).toBeGreaterThan(2 * before);
  },
);
