import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryDb } from '../../../../test/helpers/memoryDb.ts';
import { withPlans } from '../../../../test/helpers/plans.ts';
import type { CallInput } from '../../../shared/contract/contract.ts';
import { ASSET_ORDERS, type Asset, type AssetOrder, libraryListSchema } from '../../../shared/library/asset.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';
import { insertAsset } from './assetColumns.ts';
import { countFacets, listAssets } from './assetList.ts';

const file = fc.record({
  name: fc.constantFrom('a', 'B', 'b', 'Ä', 'zoo', ''),
  bytes: fc.integer({ min: 0, max: 3 }),
  seconds: fc.constantFrom(undefined, 0.5, 4),
  cost: fc.integer({ min: 0, max: 3 }),
});
const setCost = sql('test.cost', 'UPDATE assets SET cost_nano = $cost WHERE id = $id');

function withFiles(
  files: readonly { name: string; bytes: number; seconds: number | undefined; cost: number }[],
): WriteDb {
  const db = memoryDb();
  for (const [index, { name, bytes, seconds, cost }] of files.entries()) {
    const image = { mime: 'image/png', extension: 'png', width: 1, height: 1 };
    const stored = { ...image, sha256: `${index}`, bytes, ...(seconds === undefined ? {} : { seconds }) };
    const id = `a${index}`;
    insertAsset(db, { id, state: 'local', role: 'output', name, createdAt: index * 1_000, file: stored });
    db.run(setCost, { id, cost });
  }
  return db;
}

const listOf = (db: ReadDb, input: CallInput<'library.list'>) => listAssets(db, libraryListSchema.parse(input));

const KEY: Record<AssetOrder, (asset: Asset) => number | string> = {
  made: ({ createdAt }) => createdAt,
  cost: ({ costNano = 0 }) => costNano,
  bytes: ({ bytes }) => bytes,
  seconds: ({ seconds = 0 }) => seconds,
  // As SQLite compares names: without the case of English letters.
  name: ({ name }) => name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()),
};

test('in every order and both ways, the pages are the list, each asset once', () => {
  const sort = fc.record({
    by: fc.constantFrom(...ASSET_ORDERS),
    order: fc.constantFrom('asc' as const, 'desc' as const),
  });
  fc.assert(
    fc.property(
      fc.array(file, { minLength: 1, maxLength: 25 }),
      sort,
      fc.integer({ min: 1, max: 7 }),
      (files, order, limit) => {
        const db = withFiles(files);
        const seen: Asset[] = [];
        let cursor: string | undefined;
        do {
          const page = listOf(db, { limit, sort: order, ...(cursor === undefined ? {} : { cursor }) });
          expect(page.total).toBe(files.length);
          expect(listOf(db, { limit, sort: order, offset: seen.length }).assets).toEqual(page.assets);
          seen.push(...page.assets);
          cursor = page.nextCursor;
        } while (cursor !== undefined);
        expect(new Set(seen.map(({ id }) => id)).size).toBe(files.length);
        const keys = seen.map(KEY[order.by]);
        const sorted = keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
        expect(keys).toEqual(order.order === 'asc' ? sorted : sorted.reverse());
      },
    ),
    { numRuns: 40 },
  );
});

test('a cursor of another order is refused by its name', () => {
  const issue = (input: object) => libraryListSchema.safeParse(input).error?.issues[0]?.path;
  expect(issue({ cursor: '12' })).toBeUndefined();
  expect(issue({ cursor: '12', sort: { by: 'bytes' } })).toEqual(['cursor']);
  expect(issue({ cursor: '[1,2]', sort: { by: 'made' } })).toEqual(['cursor']);
  expect(issue({ cursor: '[1,2]', sort: { by: 'name' } })).toEqual(['cursor']);
  expect(issue({ cursor: '["b",1]', sort: { by: 'name' } })).toBeUndefined();
});

test('an order is read from its own index, and the page without the rows before it', () => {
  const db = withFiles([]);
  for (const by of ASSET_ORDERS) {
    const read = withPlans(db);
    const cursor = by === 'made' ? '7' : by === 'name' ? '["b",7]' : '[2,7]';
    listOf(read, { sort: { by }, cursor });
    const index = by === 'made' ? 'assets_listed' : `assets_by_${by}`;
    expect(read.plans.find(({ name }) => name === 'assets.list')?.plan, by).toMatch(
      new RegExp(`SEARCH a USING [A-Z ]+ ${index} `),
    );
  }
});

test('a list and its counts take a time and several verdicts', () => {
  const db = withFiles(Array.from({ length: 6 }, () => ({ name: '', bytes: 0, seconds: undefined, cost: 0 })));
  const judge = sql('test.judge', 'UPDATE assets SET verdict = $verdict WHERE id = $id');
  for (const [id, verdict] of [
    ['a1', 'keep'],
    ['a2', 'no'],
    ['a3', 'maybe'],
  ] as const)
    db.run(judge, { id, verdict });
  const idsOf = (input: CallInput<'library.list'>) => listOf(db, input).assets.map(({ id }) => id);
  expect(idsOf({ verdict: ['keep', 'no'] })).toEqual(['a2', 'a1']);
  expect(idsOf({ verdict: ['keep', 'none'] })).toEqual(['a5', 'a4', 'a1', 'a0']);
  expect(idsOf({ verdict: 'maybe' })).toEqual(['a3']);
  // The beginning is inside, the end is not.
  expect(idsOf({ from: 1_000, to: 3_000 })).toEqual(['a2', 'a1']);
  expect(countFacets(db, { from: 1_000, to: 3_000 }).verdict).toEqual([
    { value: 'keep', count: 1 },
    { value: 'no', count: 1 },
  ]);
});

const addJob = sql(
  'test.job',
  `INSERT INTO jobs (id, kind, state, request, profile_id, lane, idempotency_key, hook_secret, price, estimate_nano, estimate_low_nano,
     position, created_at) VALUES ('j', 'imagine', 'running', '{}', 'p', 'l', 'k', 's', '{}', 0, 0, 1, 0)`,
);

const remote = { state: 'remote', name: '', createdAt: 0, jobId: 'j' } as const;

test('the results of a job share its charge, to the last nano-dollar, whenever it changes', () => {
  const db = memoryDb();
  const charge = sql('test.charge', `UPDATE jobs SET charged_nano = $nano WHERE id = 'j'`);
  const costs = () => listOf(db, { sort: { by: 'made', order: 'asc' } }).assets.map(({ costNano = 0 }) => costNano);
  const add = (id: string, role: 'output' | 'frame', outputIndex?: number) =>
    insertAsset(db, { ...remote, id, role, ...(outputIndex === undefined ? {} : { outputIndex }) });
  db.run(addJob);
  db.run(charge, { nano: 10 });
  add('a', 'output', 0);
  expect(costs()).toEqual([10]);
  add('b', 'output', 1);
  add('c', 'output', 2);
  add('f', 'frame');
  expect(costs()).toEqual([4, 3, 3, 0]);
  db.run(charge, { nano: 2 });
  expect(costs()).toEqual([1, 1, 0, 0]);
  db.run(charge, { nano: 0 });
  expect(costs()).toEqual([0, 0, 0, 0]);
});

test('a result has its share of both readings of a price, until that is settled', () => {
  const db = memoryDb();
  db.run(addJob);
  for (const [index, id] of ['a', 'b'].entries())
    insertAsset(db, { ...remote, id, role: 'output', outputIndex: index });
  const shown = () =>
    listOf(db, { sort: { by: 'made', order: 'asc' } }).assets.map(({ costNano, costLowNano, revision }) => [
      costNano,
      costLowNano,
      revision,
    ]);
  const charge = sql('test.both', `UPDATE jobs SET charged_nano = $nano, charged_low_nano = $low WHERE id = 'j'`);
  db.run(charge, { nano: 200, low: 80 });
  const [[, , before = 0] = []] = shown();
  expect(shown()).toEqual([
    [100, 40, before],
    [100, 40, before],
  ]);
  db.run(charge, { nano: 200, low: 200 });
  const [[, , after = 0] = []] = shown();
  expect(shown()).toEqual([
    [100, undefined, after],
    [100, undefined, after],
  ]);
  expect(after).toBeGreaterThan(before);
});
