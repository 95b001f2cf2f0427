import { expect, test, vi } from 'vitest';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { MAX_TAGS } from '../../../shared/library/assetMarks.ts';
import { sql } from '../store/index.ts';
import { insertAsset } from './assetColumns.ts';
import { AssetMarks } from './assetMarks.ts';

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
  const calls = new AssetMarks({ store, clock, bin: library.bin }).handlers();
  const count = sql('test.binned', 'SELECT count(*) AS n FROM assets WHERE binned_at IS NOT NULL');
  const binned = () => store.read.one<{ n: number }>(count)?.n;
  return { ...harness, calls, binned };
}

test('many are marked together, and counted together', async () => {
  const { calls, binned } = withMany();
  expect(await calls['library.bin']({ ids })).toMatchObject({ ok: true, data: { bytes: 10 * COUNT } });
  expect(binned()).toBe(COUNT);
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
