import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryDb } from '../../../../test/helpers/memoryDb.ts';
import { withPlans } from '../../../../test/helpers/plans.ts';
import type { CallInput } from '../../../shared/contract/contract.ts';
import { ASSET_ORDERS, type FacetName, libraryFilterSchema, libraryListSchema } from '../../../shared/library/asset.ts';
import { tagSchema } from '../../../shared/library/assetMarks.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';
import { insertAsset } from './assetColumns.ts';
import { countFacets, listAssets } from './assetList.ts';
import { binAssets, restoreAssets, saveDraft, starAssets, tagAssets } from './assetMarks.ts';
import { assetById, assetStats } from './assetTable.ts';
import { emptyAssets } from './bin/binTable.ts';

const judge = sql('test.judge', 'UPDATE assets SET verdict = $verdict WHERE id = $id');

const COUNT = 5;
/** Assets with a last frame each; thumbnails are not listed. */
function withFrames(count = COUNT): WriteDb {
  const db = memoryDb();
  for (let n = 0; n < count; n++) {
    const file = { sha256: `${n}`, bytes: 10 ** n, mime: 'video/mp4', extension: 'mp4', width: 1, height: 1 };
    const own = { state: 'local' as const, name: '', createdAt: n };
    insertAsset(db, { ...own, id: `a${n}`, role: 'output', file });
    for (const role of ['frame', 'thumbnail'] as const)
      insertAsset(db, { ...own, id: `${role[0]}${n}`, parentId: `a${n}`, role });
  }
  return db;
}

const idsOf = (db: ReadDb, input: CallInput<'library.list'>) =>
  listAssets(db, libraryListSchema.parse({ ...input, limit: 500 })).assets.map(({ id }) => id);

interface Plain {
  id: string;
  starred: boolean;
  binned: boolean;
  verdict: string | null;
  tags: Set<string>;
}

const some = fc.uniqueArray(fc.nat(COUNT - 1), { minLength: 1 });
const aTag = fc.constantFrom('quay', 'Quay', 'NIGHT', 'night', 'ship');
const someTags = fc.uniqueArray(aTag, { maxLength: 2 });
const step = fc.oneof(
  fc.record({ does: fc.constant('star' as const), of: some, starred: fc.boolean() }),
  fc.record({ does: fc.constant('tag' as const), of: some, add: someTags, remove: someTags }),
  fc.record({ does: fc.constant('bin' as const), of: some }),
  fc.record({ does: fc.constant('restore' as const), of: some }),
  fc.record({ does: fc.constant('judge' as const), of: some, verdict: fc.constantFrom('keep', 'no', null) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function play(db: WriteDb, plain: Plain[], one: Step, now: number): void {
  const ids = one.of.map((n) => `a${n}`);
  const chosen = plain.filter(({ id }) => ids.includes(id));
  if (one.does === 'star') {
    starAssets(db, ids, one.starred);
    for (const asset of chosen) asset.starred = one.starred;
  } else if (one.does === 'tag') {
    tagAssets(db, ids, one);
    for (const { tags } of chosen) {
      for (const name of one.remove) tags.delete(name.toLowerCase());
      for (const name of one.add) tags.add(name.toLowerCase());
    }
  } else if (one.does === 'judge') {
    for (const asset of chosen) {
      db.run(judge, { id: asset.id, verdict: one.verdict });
      asset.verdict = one.verdict;
    }
  } else {
    if (one.does === 'bin') binAssets(db, ids, now);
    else restoreAssets(db, ids);
    for (const asset of chosen) asset.binned = one.does === 'bin';
  }
}

const countsOf = (values: string[]) =>
  Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]));

const aFilter = fc.record(
  { starred: fc.boolean(), binned: fc.boolean(), tags: fc.uniqueArray(aTag, { minLength: 1, maxLength: 2 }) },
  { requiredKeys: [] },
);

test('after any marks every list, count and facet is what a plain scan finds', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), aFilter, (steps, filter) => {
      const db = withFrames();
      const plain: Plain[] = Array.from({ length: COUNT }, (_, n) => {
        return { id: `a${n}`, starred: false, binned: false, verdict: null, tags: new Set<string>() };
      });
      for (const [now, one] of steps.entries()) play(db, plain, one, now);
      const asked = filter.tags?.map((name) => name.toLowerCase());
      const matches = (asset: Plain, without?: 'tag' | 'starred') =>
        asset.binned === (filter.binned ?? false) &&
        (without === 'starred' || filter.starred === undefined || asset.starred === filter.starred) &&
        (without === 'tag' || asked === undefined || asked.some((name) => asset.tags.has(name)));
      const roles = ['output' as const];
      const kept = plain.filter((asset) => matches(asset)).map(({ id }) => id);
      for (const by of ASSET_ORDERS)
        expect(idsOf(db, { ...filter, roles, sort: { by, order: 'asc' } }).toSorted()).toEqual(kept);
      const page = listAssets(db, libraryListSchema.parse({ ...filter, roles, limit: 1 }));
      expect(page.total).toBe(kept.length);
      const facets = countFacets(db, libraryFilterSchema.parse({ ...filter, roles }));
      const counted = (name: FacetName) =>
        Object.fromEntries(facets[name].map(({ value, count }) => [value.toLowerCase(), count]));
      const of = (without?: 'tag' | 'starred') => plain.filter((asset) => matches(asset, without));
      expect(counted('starred')).toEqual(countsOf(of('starred').map(({ starred }) => String(starred))));
      expect(counted('tag')).toEqual(countsOf(of('tag').flatMap(({ tags }) => [...tags])));
      expect(counted('verdict')).toEqual(countsOf(of().map(({ verdict }) => verdict ?? 'none')));
      // The frames are where their clips are.
      const unbinned = plain.filter(({ binned }) => !binned).map(({ id }) => id.replace('a', 'f'));
      expect(idsOf(db, { roles: ['frame'], sort: { by: 'made', order: 'asc' } })).toEqual(unbinned);
      expect(assetStats(db).assets).toBe(2 * unbinned.length);
      for (const { id, tags, binned, starred } of plain) {
        const shown = assetById(db, id);
        expect(shown?.tags?.map((name) => name.toLowerCase()) ?? []).toEqual([...tags].sort());
        expect([shown?.binnedAt !== undefined, shown?.starred ?? false]).toEqual([binned, starred]);
      }
    }),
    { numRuns: 60 },
  );
});

test('what takes no part in a change keeps its revision', () => {
  const db = withFrames(2);
  const revision = (id: string) => assetById(db, id)?.revision ?? 0;
  const first = revision('a0');
  const other = revision('a1');
  starAssets(db, ['a0'], true);
  const starred = revision('a0');
  expect(starred).toBeGreaterThan(first);
  starAssets(db, ['a0'], true);
  expect(revision('a0')).toBe(starred);
  tagAssets(db, ['a0'], { add: ['quay'], remove: [] });
  const tagged = revision('a0');
  expect(tagged).toBeGreaterThan(starred);
  tagAssets(db, ['a0'], { add: ['QUAY'], remove: ['ship'] });
  expect(revision('a0')).toBe(tagged);
  tagAssets(db, ['a0'], { add: [], remove: ['Quay'] });
  const untagged = revision('a0');
  expect(untagged).toBeGreaterThan(tagged);
  expect(binAssets(db, ['a0'], 1)).toBe(1);
  expect(revision('a0')).toBeGreaterThan(untagged);
  expect(binAssets(db, ['a0'], 2)).toBe(0);
  expect(restoreAssets(db, ['a0'])).toBe(1);
  expect(revision('a1')).toBe(other);
});

test('what was taken from an asset in the bin is there too; a frame that was binned alone stays there', () => {
  const db = withFrames(2);
  binAssets(db, ['f0'], 1);
  binAssets(db, ['a0'], 2);
  insertAsset(db, { id: 'late', parentId: 'a0', state: 'local', role: 'frame', name: '', createdAt: 3 });
  expect(idsOf(db, { binned: true })).toEqual(['late', 'f0', 'a0']);
  restoreAssets(db, ['a0']);
  expect(idsOf(db, { binned: true })).toEqual(['f0']);
});

test('a tag is written as it was first, without the case of any script, and no asset has more than 30', () => {
  const db = withFrames(2);
  tagAssets(db, ['a0'], { add: ['Ärger'], remove: [] });
  tagAssets(db, ['a1'], { add: ['ärger'], remove: [] });
  expect(assetById(db, 'a1')?.tags).toEqual(['Ärger']);
  const many = Array.from({ length: 29 }, (_, n) => `t${n}`);
  expect(tagAssets(db, ['a0'], { add: many, remove: [] }).ok).toBe(true);
  expect(tagAssets(db, ['a1', 'a0'], { add: ['one more'], remove: [] })).toMatchObject({
    error: { data: { field: 'ids.1' } },
  });
  expect(assetById(db, 'a1')?.tags).toEqual(['Ärger']);
  expect(tagAssets(db, ['a0'], { add: ['one more'], remove: ['t0'] }).ok).toBe(true);
  for (const bad of ['', '  ', 'a'.repeat(61), 'a\u0007', 'a\nb', 'a\u202eb'])
    expect(tagSchema.safeParse(bad).success).toBe(false);
  expect(tagSchema.parse('  At night ')).toBe('At night');
});

test('tags and the bin are read from their own indexes', () => {
  const db = withPlans(withFrames(2));
  const plansOf = (work: () => void) => {
    db.plans.length = 0;
    work();
    return db.plans.map(({ plan }) => plan).join('\n');
  };
  const facets = plansOf(() => countFacets(db, libraryFilterSchema.parse({ tags: ['quay'], starred: true })));
  expect(facets).toContain('SCAN t USING COVERING INDEX asset_tags_by_fold');
  expect(facets).toContain('SEARCH a USING COVERING INDEX assets_listed (seq=?)');
  expect(facets).toContain('a USING COVERING INDEX assets_counted');
  expect(facets).toContain('SEARCH t USING COVERING INDEX asset_tags_by_fold (fold=?)');
  expect(facets).not.toContain('SCAN a USING INDEX');
  const bin = plansOf(() => idsOf(db, { binned: true }));
  expect(bin.match(/SCAN a USING COVERING INDEX assets_binned/g)).toHaveLength(2);
  const stats = plansOf(() => assetStats(db));
  expect(stats).toContain('SCAN asset_counts');
  expect(stats).not.toMatch(/\bassets\b/);
});

const drafts = sql(
  'test.drafts',
  'SELECT a.id, d.draft, a.seq FROM mask_drafts d JOIN assets a ON a.seq = d.asset ORDER BY d.turn',
);
const kept = (db: WriteDb) => db.all<{ id: string; draft: string }>(drafts).map(({ id, draft }) => `${id} ${draft}`);
const row = sql('test.asset', 'SELECT * FROM assets WHERE id = $id');

function withPictures(...ids: string[]): WriteDb {
  const db = memoryDb();
  for (const id of ids) {
    const file = { sha256: id, bytes: 1, mime: 'image/png', extension: 'png', width: 1, height: 1 };
    insertAsset(db, { id, state: 'local', role: 'output', name: id, createdAt: 0, file });
  }
  return db;
}

test('a picture has one draft: the one that was kept last, or none any more', () => {
  const db = withPictures('a', 'b');
  saveDraft(db, 'a', 'one');
  saveDraft(db, 'b', 'two');
  saveDraft(db, 'a', 'three');
  expect(kept(db)).toEqual(['b two', 'a three']);
  saveDraft(db, 'b', undefined);
  expect(kept(db)).toEqual(['a three']);
});

test('beyond the most that is kept, the drafts that were kept longest ago go', () => {
  const db = withPictures('a', 'b', 'c');
  saveDraft(db, 'a', '12345', 12);
  saveDraft(db, 'b', '12345', 12);
  saveDraft(db, 'a', '54321', 12);
  saveDraft(db, 'c', '12345', 12);
  expect(kept(db)).toEqual(['a 54321', 'c 12345']);
});

test('what is deleted from the bin takes its draft with it, and gets none any more', () => {
  const db = withPictures('a', 'b');
  saveDraft(db, 'a', 'one');
  saveDraft(db, 'b', 'two');
  const gone = db.one<Parameters<typeof emptyAssets>[1][number]>(row, { id: 'a' });
  emptyAssets(db, gone ? [gone] : [], 1);
  saveDraft(db, 'a', 'late');
  expect(kept(db)).toEqual(['b two']);
});
