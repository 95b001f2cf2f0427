import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryDb } from '../../../../test/helpers/memoryDb.ts';
import { changeRows, noneOr, rowChanges } from '../../../../test/helpers/rowChanges.ts';
import { libraryListSchema } from '../../../shared/library/asset.ts';
import { sql } from '../store/index.ts';
import { conditionsOf, listAssets } from './assetList.ts';

const values = fc.record({
  role: fc.constantFrom('output', 'source', 'thumbnail'),
  state: fc.constantFrom('local', 'remote'),
  mime: fc.constantFrom('image/png', 'video/mp4', ''),
  project_id: noneOr('p1', 'p2'),
  model: noneOr('', 'a'),
  verdict: noneOr('keep', 'no'),
  starred: fc.constantFrom(0, 1),
  binned_at: fc.constantFrom(null, null, 5),
});
const roles = fc.subarray(['output', 'source'] as const);
const filter = fc.oneof(
  fc.record({ roles }),
  fc.record({ roles, types: fc.subarray(['image', 'video'] as const) }),
  fc.record({ models: fc.subarray(['', 'a']) }),
  fc.record({ roles, projectId: fc.constantFrom('p1', 'p3') }),
  fc.record({ verdict: fc.subarray(['keep', 'none'] as const) }),
  fc.record({ states: fc.subarray(['local', 'remote'] as const) }),
  fc.record({ starred: fc.boolean() }),
  fc.record({ starred: fc.boolean(), models: fc.subarray(['a']) }),
  fc.record({ binned: fc.constant(true) }),
);
const page = fc.record({
  offset: fc.nat(30),
  limit: fc.integer({ min: 1, max: 9 }),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  filter,
});

const columns = ['role', 'state', 'mime', 'project_id', 'model', 'verdict', 'starred', 'binned_at'];
const insert = sql(
  'test.insert',
  `INSERT INTO assets (seq, id, name, created_at, ${columns.join(', ')}) VALUES ($seq, $id, '', 0, ${columns.map((name) => `$${name}`).join(', ')})`,
);
const update = sql(
  'test.update',
  `UPDATE assets SET ${columns.map((name) => `${name} = $${name}`).join(', ')} WHERE seq = $seq`,
);

test('whatever is added, marked, binned, restored and removed, each page and its total are those of the whole list', () => {
  fc.assert(
    fc.property(rowChanges(values), fc.array(page, { minLength: 8, maxLength: 8 }), (changes, pages) => {
      const db = memoryDb();
      changeRows(db, changes, { table: 'assets', insert, update });
      for (const { offset, limit, order, filter: asked } of pages) {
        const list = (at: object) =>
          listAssets(db, libraryListSchema.parse({ ...asked, limit, sort: { by: 'made', order }, ...at }));
        const { where, params } = conditionsOf(db, libraryListSchema.parse(asked));
        const whole = db
          .all<{ id: string }>(
            sql('test.listed', `SELECT a.id FROM assets a WHERE ${where} ORDER BY a.seq ${order}`),
            params,
          )
          .map(({ id }) => id);
        const found = list({ offset });
        expect(found.assets.map(({ id }) => id)).toEqual(whole.slice(offset, offset + limit));
        expect(found.total).toBe(whole.length);
        if (found.nextCursor === undefined) continue;
        const next = list({ cursor: found.nextCursor }).assets.map(({ id }) => id);
        expect(next).toEqual(whole.slice(offset + limit, offset + 2 * limit));
      }
    }),
    { numRuns: 40 },
  );
});
