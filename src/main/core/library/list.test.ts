import fc from 'fast-check';
import { expect, test } from 'vitest';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { sql } from '../store/index.ts';
import { insertAsset } from './assetTable.ts';

const start = engineHarnesses();

const HOUR = 3_600_000;

/** A harness with assets made at these times, in this order. */
function withAssets(times: readonly number[]) {
  const harness = start();
  harness.store.transaction((db) => {
    for (const [index, createdAt] of times.entries()) {
      const role = index % 5 === 4 ? ('source' as const) : ('output' as const);
      insertAsset(db, { id: `a${index}`, state: 'local', role, name: `${index}`, createdAt });
      insertAsset(db, {
        id: `t${index}`,
        parentId: `a${index}`,
        state: 'local',
        role: 'thumbnail',
        name: '',
        createdAt,
      });
    }
  });
  return harness;
}

test('any page can be read from its place, and the days add up to the list in its order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 60 }),
      fc.nat(70),
      fc.integer({ min: 1, max: 20 }),
      (hours, offset, limit) => {
        const times = hours.toSorted((a, b) => a - b).map((hour) => Date.UTC(2026, 9, 20) + hour * HOUR);
        const { library } = withAssets(times);
        const newest = times.map((time, index) => ({ id: `a${index}`, time })).reverse();
        const page = library.list({ limit, offset, days: true });
        expect(page.assets.map(({ id }) => id)).toEqual(newest.slice(offset, offset + limit).map(({ id }) => id));
        expect(page.total).toBe(times.length);
        const days = (page.days ?? []).flatMap(({ day, count }) => Array.from({ length: count }, () => day));
        expect(days).toEqual(newest.map(({ time }) => new Date(time).setHours(0, 0, 0, 0)));
      },
    ),
    { numRuns: 20 },
  );
});

test('a filter counts its own days', () => {
  const { library } = withAssets(Array.from({ length: 50 }, (_, n) => Date.UTC(2026, 9, 20) + n * HOUR));
  const page = library.list({ limit: 3, roles: ['source'], days: true });
  expect(page.total).toBe(10);
  expect(page.days?.reduce((sum, { count }) => sum + count, 0)).toBe(10);
});

/** Bug: at 100,000 pictures, to scroll to the middle or to count reads every row of the table. */
test('neither the way to a place nor the count reads the rows that are not shown', () => {
  const harness = withAssets([1, 2, 3]);
  const plan = (text: string) =>
    harness.store.read
      .all<{ detail: string }>(sql('test.plan', `EXPLAIN QUERY PLAN ${text}`))
      .map(({ detail }) => detail)
      .join('; ');
  const where = `a.role <> 'thumbnail' AND a.role IN (SELECT value FROM json_each('["output"]')) AND a.project_id = 'p'`;
  const passed = plan(`SELECT a.seq FROM assets a WHERE ${where} AND a.seq < 9 ORDER BY a.seq DESC LIMIT 5 OFFSET 2`);
  expect(passed).toContain('USING COVERING INDEX assets_listed');
  expect(passed).not.toContain('TEMP B-TREE');
  expect(plan(`SELECT count(*) FROM assets a WHERE ${where}`)).toContain('USING COVERING INDEX assets_listed');
  expect(plan(`SELECT a.created_at / 900000 AS q, count(*) FROM assets a WHERE ${where} GROUP BY q`)).toContain(
    'USING COVERING INDEX assets_listed',
  );
});
