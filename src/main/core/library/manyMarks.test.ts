import { setImmediate as turn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { silentLog } from '../../../../test/helpers/testPorts.ts';
import { MAX_TAGS } from '../../../shared/library/assetMarks.ts';
import { type Store, sql } from '../store/index.ts';
import { insertAsset } from './assetColumns.ts';
import { AssetMarks } from './assetMarks.ts';
import { restorableMarks } from './manyMarks.ts';

const start = engineHarnesses();
const COUNT = 120;
const ids = Array.from({ length: COUNT }, (_, n) => `a${n}`);

function withMany() {
  const harness = start();
  const { store, clock, library } = harness;
  const file = { sha256: '0', bytes: 10, mime: 'image/png', extension: 'png', width: 1, height: 1 };
  store.transaction((db) => {
    for (const id of ids) insertAsset(db, { id, state: 'local', role: 'output', name: '', createdAt: 1, file });
  });
  const marks = () => new AssetMarks({ store, clock, log: silentLog, bin: library.bin });
  const calls = marks().handlers();
  const count = sql('test.binned', 'SELECT count(*) AS n FROM assets WHERE binned_at IS NOT NULL');
  const binned = () => store.read.one<{ n: number }>(count)?.n;
  return { ...harness, calls, binned, marks };
}

test('many are marked a few in each turn of the event loop, and counted together', async () => {
  const { calls, binned } = withMany();
  const done = calls['library.bin']({ ids });
  await turn();
  expect(binned()).toBeGreaterThan(0);
  expect(binned()).toBeLessThan(COUNT);
  expect(await done).toMatchObject({ ok: true, data: { bytes: 10 * COUNT } });
  expect(binned()).toBe(COUNT);
});

test('no marks are restored while many are marked', async () => {
  const { calls, store } = withMany();
  const done = calls['library.star']({ ids, starred: true });
  await turn();
  expect(restorableMarks.busy?.(store.read)).toMatchObject({
    error: { message: expect.stringContaining('Nothing was restored') },
  });
  await done;
  expect(restorableMarks.busy?.(store.read)).toBeUndefined();
});

test('what is taken back at once is taken back whole', async () => {
  const { calls, binned } = withMany();
  const [, back] = await Promise.all([
    calls['library.bin']({ ids }),
    calls['library.restore']({ ids: ids.toReversed() }),
  ]);
  expect(back).toMatchObject({ ok: true, data: { bytes: 10 * COUNT } });
  expect(binned()).toBe(0);
});

test('one that is not there, or would have too many tags, is named before any is marked, and holds up nothing behind it', async () => {
  const { calls, binned, store } = withMany();
  const gone = await calls['library.bin']({ ids: [...ids, 'gone'] });
  expect(gone).toMatchObject({ ok: false, error: { code: 'not_found', data: { field: `ids.${COUNT}` } } });
  const full = Array.from({ length: MAX_TAGS }, (_, n) => `tag ${n}`);
  await calls['library.tag']({ ids: ['a119'], add: full, remove: [] });
  const refused = await calls['library.tag']({ ids, add: ['one more'], remove: [] });
  expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_input', data: { field: 'ids.119' } } });
  const tagged = sql('test.tagged', 'SELECT count(DISTINCT asset) AS n FROM asset_tags');
  expect([binned(), store.read.one(tagged)]).toEqual([0, { n: 1 }]);
  expect(await calls['library.star']({ ids, starred: true })).toEqual({ ok: true, data: null });
});

/** Stands for a kill: nothing is written any more. */
function failing(store: Store, error: Error = new Error('killed')) {
  const real = store.transaction;
  store.transaction = () => {
    throw error;
  };
  return () => {
    store.transaction = real;
  };
}

test('what a kill has interrupted is done for all at the next start, and once', async () => {
  const { calls, binned, marks, store, clock } = withMany();
  const done = calls['library.bin']({ ids });
  await turn();
  const goOn = failing(store);
  await expect(done).rejects.toThrow('killed');
  goOn();
  expect(binned()).toBeLessThan(COUNT);
  const began = clock.now();
  // By then a bin that keeps for 30 days would delete at once what came into it on the day of the kill.
  clock.set(began + 31 * 86_400_000);
  const restarted = marks();
  await restarted.resume();
  expect(binned()).toBe(COUNT);
  const times = sql('test.times', 'SELECT DISTINCT binned_at AS at FROM assets ORDER BY at');
  expect(store.read.all(times)).toEqual([{ at: began }, { at: clock.now() }]);
  await restarted.handlers()['library.restore']({ ids });
  await marks().resume();
  expect(binned()).toBe(0);
});

test.each(['tried again', 'before the next call'])(
  'where the disk is full it is done when there is room: %s',
  async (how) => {
    const { calls, binned, marks, store } = withMany();
    const done = calls['library.bin']({ ids });
    await turn();
    const kill = failing(store);
    await expect(done).rejects.toThrow('killed');
    kill();
    const restarted = marks();
    const makeRoom = failing(store, Object.assign(new Error('full'), { code: 'SQLITE_FULL' }));
    await expect(restarted.resume()).rejects.toThrow('full');
    makeRoom();
    if (how === 'tried again') await restarted.resume();
    else await restarted.handlers()['library.star']({ ids: ['a0'], starred: true });
    expect(binned()).toBe(COUNT);
  },
);

test('what its caller was told has failed is forgotten with the next', async () => {
  const { calls, binned, marks, store } = withMany();
  const done = calls['library.bin']({ ids });
  await turn();
  const goOn = failing(store);
  await expect(done).rejects.toThrow('killed');
  goOn();
  await calls['library.restore']({ ids: ids.slice(0, 3) });
  const left = binned();
  await marks().resume();
  expect(binned()).toBe(left);
});

test('what has changed together is read together, and told in its order', async () => {
  const { calls, store, events } = withMany();
  const alone = vi.spyOn(store.read, 'one');
  const some = ids.slice(0, 20);
  await calls['library.star']({ ids: some, starred: true });
  expect(alone.mock.calls.filter(([{ name }]) => name === 'assets.byId')).toEqual([]);
  const told = events.flatMap((event) =>
    event.type === 'asset.changed' && event.asset.starred ? [event.asset.id] : [],
  );
  expect(told).toEqual(some);
});
