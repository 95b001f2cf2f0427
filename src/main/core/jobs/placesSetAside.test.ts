import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { aVideo } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { sql } from '../store/index.ts';
import { PER_SLICE } from '../timeSlicing.ts';
import { positionAtEnd } from './positions.ts';

/** The order of the queue; places that are set aside for jobs to come are nobody else's. */

const start = engineHarnesses();
const COUNT = 3 * PER_SLICE;
const requestsOf = (names: readonly string[]) => names.map((prompt) => ({ ...aVideo, prompt }));
const writing = sql('test.writing', 'SELECT seq FROM bulk_writes WHERE task IS NOT NULL');

async function filled(names: readonly string[]) {
  const { engine, store } = start();
  await engine.commands.setPaused(true);
  const enqueued = await engine.commands.enqueue({ requests: requestsOf(names) });
  if (!enqueued.ok) throw new Error(enqueued.error.message);
  const ids = enqueued.data.jobs.map(({ id }) => id);
  const line = () =>
    engine.queries
      .list({ order: 'queue', limit: 100 }, false)
      .jobs.map(({ request }) => 'prompt' in request && request.prompt);
  return { engine, store, ids, line };
}

test.each([1, 120])(
  'jobs that are moved while a batch is written stay seen, and behind it: %s moves',
  async (moves) => {
    const { engine, store, ids, line } = await filled(['X', 'Y']);
    const [x = '', y = ''] = ids;
    const prompts = Array.from({ length: COUNT }, (_, n) => `${n}`);
    const batch = engine.commands.enqueue({ requests: requestsOf(prompts) });
    while (!store.read.one(writing)) await nextTurn();
    engine.commands.move(x, undefined);
    engine.commands.move(y, undefined);
    for (let n = 0; n < moves; n += 1) engine.commands.move(n % 2 ? x : y, n % 2 ? y : x);
    const last = moves % 2 ? ['Y', 'X'] : ['X', 'Y'];
    expect(line().filter((name) => last.includes(String(name)))).toEqual(last);
    await batch;
    expect(line()).toEqual([...prompts, ...last]);
  },
);

test('what comes while others are moved to the end stands behind them', async () => {
  const { engine, store, ids } = await filled(['A', 'B', 'C', 'D']);
  const moving = engine.many.move({ ids: ids.slice(0, 3), to: 'last' });
  const next = positionAtEnd(store.read);
  await moving;
  expect(positionAtEnd(store.read)).toBe(next);
});

test('of two moves to the front, the later one is in front of the other', async () => {
  const { engine, ids, line } = await filled(['A', 'B', 'C', 'D']);
  const [, , c = '', d = ''] = ids;
  await Promise.all([engine.many.move({ ids: [d], to: 'first' }), engine.many.move({ ids: [c], to: 'first' })]);
  expect(line()).toEqual(['C', 'D', 'A', 'B']);
});

test('a new job is behind those that were moved to the end', async () => {
  const { engine, ids, line } = await filled(['A', 'B']);
  for (const id of ids) engine.commands.move(id, undefined);
  await engine.commands.enqueue({ requests: requestsOf(['C']) });
  expect(line()).toEqual(['A', 'B', 'C']);
});

test('two jobs can be moved in front of a third repeatedly without ever having the same position', async () => {
  const { engine, ids, line } = await filled(['A', 'B', 'C']);
  const [a = '', b = '', c = ''] = ids;
  for (let n = 0; n < 80; n++) {
    expect(engine.commands.move(n % 2 === 0 ? a : b, c).ok).toBe(true);
    expect(line()).toEqual(n % 2 === 0 ? ['B', 'A', 'C'] : ['A', 'B', 'C']);
  }
});
