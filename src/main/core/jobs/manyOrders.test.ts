import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { aVideo, lostAnswer } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { nightsOfThisFile } from '../../../../test/helpers/nightHarness.ts';
import { countingIds, settle } from '../../../../test/helpers/testPorts.ts';
import { LedgerWriter } from '../ledger/index.ts';
import { type Store, sql } from '../store/index.ts';
import { PER_SLICE } from '../turns.ts';
import { writeJobs } from './commands/enqueue.ts';
import type { Scheduler } from './sending/scheduler.ts';

/** What changes while many are written, or are held. */

const start = engineHarnesses();
const startNight = nightsOfThisFile();
const COUNT = 3 * PER_SLICE + 5;
const requests = Array.from({ length: COUNT }, (_, n) => ({ ...aVideo, prompt: `Harbour ${n}` }));
const countJobs = sql('test.countJobs', 'SELECT count(*) AS n FROM jobs');
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
