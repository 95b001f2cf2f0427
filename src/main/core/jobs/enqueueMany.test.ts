import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { aVideo, lostAnswer } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { nightsOfThisFile } from '../../../../test/helpers/nightHarness.ts';
import { countingIds, settle, tempDir } from '../../../../test/helpers/testPorts.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import { LedgerWriter } from '../ledger/index.ts';
import { type Store, sql } from '../store/index.ts';
import { PER_SLICE } from '../timeSlicing.ts';
import { writeJobs } from './commands/enqueue.ts';
import type { ManyJobs } from './commands/manyJobs.ts';
import type { Scheduler } from './sending/scheduler.ts';

/** What changes while many are written, or are held. */

const start = engineHarnesses();
const startNight = nightsOfThisFile();
const COUNT = 3 * PER_SLICE + 5;
const requests = Array.from({ length: COUNT }, (_, n) => ({ ...aVideo, prompt: `Harbour ${n}` }));
const countJobs = sql('test.countJobs', 'SELECT count(*) AS n FROM jobs');
const countChanges = sql('test.countChanges', 'SELECT count(*) AS n FROM bulk_writes WHERE task IS NOT NULL');
const count = (store: Store): number => store.read.one<{ n: number }>(countJobs)?.n ?? 0;

test('a call with many requests writes a few jobs a transaction, and none of them is sent before all are there', async () => {
  const wrote: number[] = [];
  const harness = start({
    wrapStore: (store) => ({
      ...store,
      transaction: (work) => {
        const before = count(store);
        const value = store.transaction(work);
        wrote.push(count(store) - before);
        return value;
      },
    }),
  });
  const { engine, script, store } = harness;
  script.submit = Array.from({ length: COUNT }, () => lostAnswer);
  const enqueuing = engine.commands.enqueue({ requests });
  const seen = new Set<string>();
  while (count(store) < COUNT) {
    seen.add(`${engine.status().waiting} wait, ${script.sent} sent`);
    // What is there is looked at, and may be sent if it is not held.
    await engine.commands.setPaused(false);
    await nextTurn();
  }
  const enqueued = await enqueuing;
  const prompts = enqueued.ok && enqueued.data.jobs.map(({ request }) => 'prompt' in request && request.prompt);
  expect(prompts).toEqual(requests.map(({ prompt }) => prompt));
  expect(Math.max(...wrote)).toBe(PER_SLICE);
  expect([...seen]).toEqual([0, 1, 2, 3].map((n) => `${n * PER_SLICE} wait, 0 sent`));
  await settle();
  expect(script.sent).toBeGreaterThan(0);
});

test('what is there of a batch is not sent while the rest waits for room, also after a start', async () => {
  const dataDir = tempDir('half-a-batch');
  let most = 2 * PER_SLICE;
  const wrapStore = (store: Store): Store => ({
    ...store,
    transaction: (work) =>
      store.transaction((db) => {
        const value = work(db);
        if ((db.one<{ n: number }>(countJobs)?.n ?? 0) > most)
          throw Object.assign(new Error('the disk is full'), { code: 'SQLITE_FULL' });
        return value;
      }),
  });
  const killed = start({ dataDir, wrapStore });
  const enqueued = killed.engine.commands.enqueue({ requests });
  while (count(killed.store) < most) await nextTurn();
  await killed.close();
  await killed.clock.advance(2_000);
  expect(await enqueued).toMatchObject({ ok: true });
  const { clock, script, store } = start({ dataDir, wrapStore, script: { submit: requests.map(() => lostAnswer) } });
  await clock.advance(60_000);
  expect([count(store), script.sent]).toEqual([most, 0]);
  most = COUNT;
  await clock.advance(60_000);
  expect(count(store)).toBe(COUNT);
  expect(script.sent).toBeGreaterThan(0);
});

test('two changes of the same jobs that a start cannot finish at once are finished in their order', async () => {
  const dataDir = tempDir('two-changes');
  const killed = startNight({ dataDir });
  killed.plan();
  await killed.engine.commands.setPaused(true);
  const ids = await killed.many(2 * PER_SLICE);
  for (const night of [false, true]) killed.engine.many.assignNight({ ids, night }).catch(() => undefined);
  while ((killed.store.read.one<{ n: number }>(countChanges)?.n ?? 0) < 2) await nextTurn();
  await killed.close();
  let isFull = true;
  const wrapStore = (store: Store): Store => ({
    ...store,
    transaction: (work) => {
      if (isFull) {
        isFull = false;
        throw Object.assign(new Error('the disk is full'), { code: 'SQLITE_FULL' });
      }
      return store.transaction(work);
    },
  });
  const { clock, job } = startNight({ dataDir, wrapStore });
  await clock.advance(10_000);
  expect(isFull).toBe(false);
  expect(ids.filter((id) => job(id).runId === undefined)).toEqual([]);
});

test.each<[string, (many: ManyJobs) => Promise<unknown>, (job: Job) => boolean]>([
  ['canceled', (many) => many.cancel({ filter: {} }), ({ state }) => state === 'canceled'],
  ['put into a night', (many) => many.assignNight({ filter: {}, night: true }), ({ runId }) => runId !== undefined],
])('what a rule names is %s with all of a batch that is half written', async (_, change, isChanged) => {
  const { engine, store, plan, script } = startNight();
  plan();
  const enqueued = engine.commands.enqueue({ requests });
  while (count(store) === 0) await nextTurn();
  await change(engine.many);
  const { jobs } = engine.queries.list({ limit: 100 }, false);
  expect([jobs.length, jobs.filter(isChanged).length, script.sent]).toEqual([COUNT, COUNT, 0]);
  expect(await enqueued).toMatchObject({ ok: true });
});

test('a call that is repeated while its jobs are written answers all of them', async () => {
  const { engine, store } = start();
  await engine.commands.setPaused(true);
  const call = { requests, requestKey: 'repeated in the middle' };
  const first = engine.commands.enqueue(call);
  while (count(store) === 0) await nextTurn();
  expect(await engine.commands.enqueue(call)).toEqual(await first);
  expect(count(store)).toBe(COUNT);
});

test('an order is refused whose gateway was removed while it was examined, and nothing is written', () => {
  const { store, clock, profile, library } = start();
  const [ids, random] = [countingIds(), () => 0];
  const deps = { ids, clock, random, library, ledger: new LedgerWriter({ clock, ids }) };
  const profiles = { get: () => undefined };
  const written = store.transaction((db) => writeJobs({ ...deps, profiles }, db, profile, { requests: [aVideo] }));
  expect(written).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
  expect(count(store)).toBe(0);
});

test('a batch is refused whose project was removed while its lines were staged, and nothing is written', async () => {
  let isThere = true;
  const { store, engine, profile } = start({ hasProject: () => isThere });
  const orders = Array.from({ length: 600 }, () => ({ request: aVideo, projectId: 'project' }));
  const enqueued = engine.batches.enqueue({ readId: 'read' }, profile, orders);
  isThere = false;
  expect(await enqueued).toMatchObject({ ok: false, error: { code: 'not_found', data: { field: 'projectId' } } });
  expect(count(store)).toBe(0);
});

test('jobs that are held in front of the queue do not keep those behind from being sent', async () => {
  const { engine, script, clock, many, job } = start();
  script.submit = Array.from({ length: 20 }, () => lostAnswer);
  await engine.commands.setPaused(true);
  const ids = await many(12);
  const scheduler = Reflect.get(engine, 'scheduler') as Scheduler;
  const letGo = [ids.slice(0, 8), ids.slice(4, 10)].map((held) => scheduler.hold(held));
  await engine.commands.setPaused(false);
  await clock.advance(60_000);
  const sent = () => ids.filter((id) => job(id).attempts.length > 0);
  expect(sent()).toEqual(ids.slice(10));
  letGo[0]?.();
  await clock.advance(60_000);
  expect(sent()).toEqual([...ids.slice(0, 4), ...ids.slice(10)]);
});

test('jobs that a rule names are put into the night without one that left the queue meanwhile', async () => {
  const { engine, plan, many, job } = startNight();
  plan();
  await engine.commands.setPaused(true);
  const ids = await many(30);
  const assigned = engine.many.assignNight({ filter: {}, night: true });
  expect(engine.commands.cancel(ids[3] ?? '').ok).toBe(true);
  expect(await assigned).toEqual({ ok: true, data: null });
  await settle();
  expect(ids.filter((id) => job(id).runId !== undefined)).toEqual(ids.filter((_, n) => n !== 3));
  const named = await engine.many.assignNight({ ids, night: true });
  expect(named).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
});
