import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { openTestStore } from '../../../../../test/helpers/emptyDatabase.ts';
import { fullAfter } from '../../../../../test/helpers/fullDisk.ts';
import { silentLog, TestClock, tempDir } from '../../../../../test/helpers/testPorts.ts';
import { areDaysCounted, databaseFile, type Store, sql } from '../index.ts';
import { migrate } from '../migrations/migrate.ts';
import { migrateInThread } from '../migrations/migrationThread.ts';

const OF = {
  all: `''`,
  type: `CASE substr(mime, 1, instr(mime, '/') - 1) WHEN 'image' THEN 'image' WHEN 'video' THEN 'video' END`,
  state: 'state',
  verdict: `coalesce(verdict, 'none')`,
  model: 'model',
  project: 'project_id',
  starred: `iif(starred, 'true', 'false')`,
};
const kept = sql(
  'test.kept',
  `SELECT facet, value, role, day, n FROM asset_days WHERE n <> 0 ORDER BY facet, value, role, day`,
);
const counted = sql(
  'test.counted',
  `SELECT * FROM (${Object.entries(OF)
    .map(
      ([facet, value]) =>
        `SELECT '${facet}' AS facet, ${value} AS value, role, created_at AS at, count(*) AS n FROM assets
          WHERE role <> 'thumbnail' AND binned_at IS NULL AND ${value} IS NOT NULL GROUP BY value, role, created_at`,
    )
    .join(' UNION ALL ')}) ORDER BY facet, value, role, at`,
);
interface Count {
  facet: string;
  value: string;
  role: string;
  n: number;
}

/** What the table of assets says itself. */
function countedNow(store: Store): unknown[] {
  const sums = new Map<string, Count & { day: number }>();
  for (const { at, ...count } of store.read.all<Count & { at: number }>(counted)) {
    const day = new Date(at).setHours(0, 0, 0, 0);
    const key = JSON.stringify([count.facet, count.value, count.role, day]);
    sums.set(key, { ...count, day, n: count.n + (sums.get(key)?.n ?? 0) });
  }
  return [...sums.values()];
}

const { TZ } = process.env;
afterEach(() => {
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

const opened = (dataDir: string): Store => openTestStore({ dataDir, clock: new TestClock() });

const HOUR = 3_600_000;
const START = Date.UTC(2026, 9, 20);
const insert = sql(
  'test.insert',
  `INSERT INTO assets (id, state, role, mime, name, model, project_id, verdict, starred, binned_at, parent_id, created_at)
    VALUES ($id, $state, $role, $mime, '', $model, $project, $verdict, $starred, $binned, $parent, $at)`,
);
const row = fc.record({
  state: fc.constantFrom('local', 'remote'),
  role: fc.constantFrom('output', 'source', 'thumbnail'),
  mime: fc.constantFrom('image/png', 'video/mp4', ''),
  model: fc.constantFrom('m', 'n', '', null),
  project: fc.constantFrom('p', null),
  verdict: fc.constantFrom('keep', null),
  starred: fc.constantFrom(0, 1),
  binned: fc.constantFrom(7, null, null),
  hour: fc.integer({ min: 0, max: 100 }),
});
const CHANGES = [
  `state = 'local', mime = 'image/jpeg'`,
  'verdict = NULL',
  `verdict = 'no'`,
  'starred = 1 - starred',
  'binned_at = 9',
  'binned_at = NULL',
  `model = 'n', name = 'x'`,
  `role = 'output', project_id = 'q'`,
];
const change = fc.record({ of: fc.nat(9), how: fc.constantFrom(...CHANGES, 'DELETE') });

test('whatever is written, the counts of days are those of the table', () => {
  const store = opened(tempDir('days'));
  fc.assert(
    fc.property(fc.array(row, { maxLength: 10 }), fc.array(change, { maxLength: 12 }), (rows, changes) => {
      store.transaction((db) => {
        db.run(sql('test.clear', 'DELETE FROM assets'));
        for (const [index, { hour, ...own }] of rows.entries())
          db.run(insert, { ...own, id: `a${index}`, parent: index > 5 ? 'a0' : null, at: START + hour * HOUR });
        // The first has children.
        const removed = (of: number) => `DELETE FROM assets WHERE id = 'a${Math.max(1, of)}'`;
        for (const { of, how } of changes)
          db.run(sql('test.change', how === 'DELETE' ? removed(of) : `UPDATE assets SET ${how} WHERE id = 'a${of}'`));
      });
      expect(store.read.all(kept)).toEqual(countedNow(store));
    }),
    { numRuns: 60 },
  );
  void store.close();
});

const PLAIN = {
  ...{ state: 'local', role: 'output', mime: 'image/png', starred: 0 },
  ...{ model: null, project: null, verdict: null, binned: null, parent: null },
};
const at = (store: Store, ...times: number[]) =>
  store.transaction((db) => {
    for (const time of times) db.run(insert, { ...PLAIN, id: `t${time}`, at: time });
  });
const days = (store: Store) =>
  store.read.all<{ day: number; n: number }>(
    sql('test.days', `SELECT day, n FROM asset_days WHERE facet = 'all' ORDER BY day`),
  );

test.each(['inThread', 'whereOpened'] as const)('in another zone all is counted anew, once: %s', async (how) => {
  const dataDir = tempDir('zones');
  const parts = { dataDir, file: databaseFile(dataDir), clock: new TestClock(), log: silentLog };
  process.env.TZ = 'Europe/Berlin';
  let store = opened(dataDir);
  // The night in which the clocks of Santiago skip midnight, and a time that is on two days there and here.
  const skipped = Date.UTC(2026, 8, 6, 4);
  at(store, skipped - 1, skipped, skipped + 20 * HOUR);
  await store.close();
  for (const [zone, each] of [
    ['America/Santiago', [1, 2]],
    ['Europe/Berlin', [2, 1]],
  ] as const) {
    process.env.TZ = zone;
    if (how === 'inThread') {
      await migrateInThread(parts);
      const file = new Database(parts.file, { readonly: true });
      const counts = file.prepare(`SELECT n FROM asset_days WHERE facet = 'all' ORDER BY day`).pluck().all();
      expect(counts, zone).toEqual(each);
      file.close();
    }
    store = opened(dataDir);
    expect([zone, days(store).map(({ n }) => n)]).toEqual([zone, each]);
    expect(store.read.all(kept)).toEqual(countedNow(store));
    await store.close();
  }
});

test('what is written in another zone than that of the start is counted anew, back in the first', async () => {
  const dataDir = tempDir('journey');
  process.env.TZ = 'Europe/Berlin';
  let store = opened(dataDir);
  const late = Date.UTC(2026, 9, 20, 23);
  at(store, late, late + 12 * HOUR, late + 26 * HOUR);
  process.env.TZ = 'America/New_York';
  at(store, late + 40 * HOUR);
  store.transaction((db) =>
    db.run(sql('test.bin', `UPDATE assets SET binned_at = 5 WHERE created_at = $late`), { late }),
  );
  await store.close();
  process.env.TZ = 'Europe/Berlin';
  store = opened(dataDir);
  expect(store.read.all(kept)).toEqual(countedNow(store));
  await store.close();
});

test('what an older version had is counted when it is opened', async () => {
  const dataDir = tempDir('before-days');
  const db = new Database(databaseFile(dataDir));
  migrate(db, { target: 13 });
  db.prepare(`INSERT INTO assets (id, state, role, name, created_at) VALUES ('a', 'local', 'output', '', ?)`).run(
    START,
  );
  db.close();
  const store = opened(dataDir);
  expect(days(store)).toEqual([{ day: new Date(START).setHours(0, 0, 0, 0), n: 1 }]);
  await store.close();
});

test('what cannot be counted for want of room is counted before the next write', () => {
  process.env.TZ = 'Etc/GMT+11';
  const dataDir = tempDir('days');
  const before = opened(dataDir);
  at(before, START, START + 12 * HOUR);
  before.close();
  process.env.TZ = 'Etc/GMT-12';
  fullAfter(0);
  const store = opened(dataDir);
  expect(areDaysCounted(store.read)).toBe(false);
  expect(() => at(store, START + 13 * HOUR)).toThrow('full');
  vi.restoreAllMocks();
  at(store, START + 13 * HOUR);
  expect([areDaysCounted(store.read), store.read.all(kept)]).toEqual([true, countedNow(store)]);
  store.close();
});
