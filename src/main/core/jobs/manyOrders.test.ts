import { expect, test } from 'vitest';
import { aVideo } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { type Store, sql } from '../store/index.ts';
import { JOBS_PER_SLICE } from './batchWriter.ts';
import type { Engine } from './engine.ts';

const start = engineHarnesses();
const COUNT = 3 * JOBS_PER_SLICE + 5;
const requests = Array.from({ length: COUNT }, (_, n) => ({ ...aVideo, prompt: `Harbour ${n}` }));
const countJobs = sql('test.countJobs', 'SELECT count(*) AS n FROM jobs');
const count = (store: Store): number => store.read.one<{ n: number }>(countJobs)?.n ?? 0;

/** A harness that keeps how many jobs each transaction wrote, and how many waited by the sums then. */
function watched() {
  const wrote: number[] = [];
  const waiting = new Set<number>();
  let engine: Engine | undefined;
  const harness = start({
    wrapStore: (store) => ({
      ...store,
      transaction: (work) => {
        const before = count(store);
        const value = store.transaction(work);
        wrote.push(count(store) - before);
        if (engine) waiting.add(engine.status().waiting);
        return value;
      },
    }),
  });
  ({ engine } = harness);
  engine.commands.setPaused(true);
  return { harness, wrote, waiting };
}

test('a call with many requests writes a few jobs a transaction, and none of them is there before all are', async () => {
  const { harness, wrote, waiting } = watched();
  const enqueued = await harness.engine.commands.enqueue({ requests });
  expect(enqueued.ok && enqueued.data.jobs.map(({ request }) => 'prompt' in request && request.prompt)).toEqual(
    requests.map(({ prompt }) => prompt),
  );
  expect(Math.max(...wrote)).toBe(JOBS_PER_SLICE);
  expect([...waiting]).toEqual([0, COUNT]);
});

test('a repeat of it answers the same jobs, another input under its key is refused, and another price writes nothing', async () => {
  const { harness } = watched();
  const { commands } = harness.engine;
  const call = { requests, requestKey: 'press-many-orders' };
  const [first, second] = await Promise.all([commands.enqueue(call), commands.enqueue(call)]);
  const ids = (result: typeof first) => (result.ok ? result.data.jobs.map(({ id }) => id) : []);
  expect(ids(first)).toHaveLength(COUNT);
  expect(ids(second)).toEqual(ids(first));
  expect(await commands.enqueue({ ...call, requests: requests.slice(1) })).toMatchObject({ ok: false });
  const shown = { estimateNano: 1, lowNano: 1, unpriced: 0 };
  expect(await commands.enqueue({ requests, shown })).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(count(harness.store)).toBe(COUNT);
});
