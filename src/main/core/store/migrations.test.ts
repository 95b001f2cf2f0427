import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { MIGRATIONS, migrate } from './migrations/migrate.ts';

/** What older versions wrote is, after its migration, what this version would have written. */

/** A file is migrated from its own version on: a number that is given later to one in between would never be run there. */
test('versions are counted without a gap but for those of development builds', () => {
  const [first, ...later] = MIGRATIONS.map(({ version }) => version);
  expect([first, ...later]).toEqual([13, ...later.map((_, index) => 64 + index)]);
});

type Row = Record<string, string | number | bigint | null>;
/** What every version asks for. */
const DEFAULTS: Record<string, Row> = {
  jobs: {
    ...{ kind: 'video', state: 'succeeded', request: '{}', profile_id: 'p', lane: 'l', idempotency_key: 'k' },
    ...{ hook_secret: 's', price: '{}', estimate_nano: 0, estimate_low_nano: 0, position: 1, created_at: 0 },
  },
  assets: { state: 'local', role: 'output', name: '', created_at: 0 },
};

/** A database of 0.1.0. */
function before() {
  const db = new Database(':memory:');
  migrate(db, { target: 13 });
  const insert = (table: string, ...rows: Row[]) => {
    for (const row of rows) {
      const all = { ...DEFAULTS[table], ...row };
      const names = Object.keys(all);
      db.prepare(`INSERT INTO ${table} (${names}) VALUES (${names.map((one) => `$${one}`)})`).run(all);
    }
  };
  return { db, insert, rows: (text: string) => db.prepare(text).raw().all() };
}

test('assets are counted by state and model, and whatever changes them afterwards', () => {
  const { db, insert, rows } = before();
  insert('assets', { id: 'a', model: 'm', bytes: 10 }, { id: 'b', model: 'm', bytes: 20 });
  insert('assets', { id: 'c', model: '', bytes: 1 }, { id: 'd', model: null, bytes: 2 });
  insert('assets', { id: 'e', role: 'thumbnail', model: 'm', bytes: 400 });
  migrate(db);
  insert('assets', { id: 'f', state: 'remote', model: 'm', bytes: 0, binned_at: 7 });
  const after = (text: string) => {
    db.exec(text);
    return rows('SELECT state, model, n, bytes FROM asset_counts WHERE n <> 0 ORDER BY state, model').map((row) =>
      (row as unknown[]).join(' '),
    );
  };
  expect(after('')).toEqual(['local  1 2', 'local  1 1', 'local m 2 30']);
  expect(after(`UPDATE assets SET bytes = 25, name = 'x' WHERE id = 'b'`)).toContain('local m 2 35');
  expect(after(`UPDATE assets SET binned_at = 9 WHERE id = 'a'`)).toContain('local m 1 25');
  expect(after(`UPDATE assets SET binned_at = NULL WHERE id IN ('a', 'f')`)).toContain('remote m 1 0');
  const back = after(`UPDATE assets SET state = 'local', bytes = 5 WHERE id = 'f'`);
  expect(back).toEqual(['local  1 2', 'local  1 1', 'local m 3 40']);
  expect(after(`DELETE FROM assets WHERE id IN ('c', 'd', 'e')`)).toEqual(['local m 3 40']);
});

test('what nights have reserved is summed up at the lower price, and their budgets count the higher one as before', () => {
  const { db, insert, rows } = before();
  const job = { state: 'blocked', estimate_nano: 16, estimate_low_nano: 4 };
  const atNight = { ...job, run_id: 'n1', money_run: 'n1' };
  insert('jobs', { ...atNight, id: 'held', reserved_nano: 16 }, { ...atNight, id: 'partly', reserved_nano: 3 });
  insert('jobs', { ...atNight, id: 'waits', reserved_nano: 0 }, { ...job, id: 'day', reserved_nano: 16 });
  insert('budgets', { play: 0, scope: 'run', key: 'n1', hard_nano: 20 });
  insert('spend', { play: 0, scope: 'run', key: 'n1', reserved_nano: 19 });
  insert('spend', { play: 0, scope: 'day', key: '2026-11-20', reserved_nano: 35 });
  migrate(db);
  expect(Object.fromEntries(rows('SELECT id, reserved_low_nano FROM jobs') as [string, number][])).toEqual({
    ...{ day: 0, held: 4, partly: 3, waits: 0 },
  });
  expect(rows('SELECT scope, reserved_low_nano FROM spend ORDER BY scope')).toEqual([
    ['day', 0],
    ['run', 7],
  ]);
  expect(rows('SELECT reading FROM budgets')).toEqual([['high']]);
});

test('what is open was confirmed at the price that it has; an unknown price and an ended job have none', () => {
  const { db, insert, rows } = before();
  const job = { estimate_nano: 16, estimate_low_nano: 4 };
  insert('jobs', { ...job, id: 'waits', state: 'queued' }, { ...job, id: 'lost', state: 'uncertain' });
  insert('jobs', { ...job, id: 'unpriced', state: 'blocked', price: 'null' }, { ...job, id: 'ended' });
  migrate(db);
  expect(Object.fromEntries(rows('SELECT id, confirmed_nano FROM jobs') as [string, number][])).toEqual({
    ...{ ended: null, lost: 16, unpriced: null, waits: 16 },
  });
});

test('what was judged before is judged at its assets too', () => {
  const { db, insert, rows } = before();
  for (const verdict of ['keep', 'no', null]) insert('jobs', { id: `j-${verdict}`, verdict });
  insert('assets', { id: 'a', job_id: 'j-keep' }, { id: 'b', job_id: 'j-keep' }, { id: 'c', job_id: 'j-no' });
  insert('assets', { id: 'd', job_id: 'j-null' }, { id: 'e', job_id: null });
  migrate(db);
  expect(Object.fromEntries(rows('SELECT id, verdict FROM assets') as [string, string][])).toEqual({
    ...{ a: 'keep', b: 'keep', c: 'no', d: null, e: null },
  });
});

test('sums of an older ledger that are larger than an integer are migrated, and added to', () => {
  const { db, insert, rows } = before();
  insert('jobs', { id: 'j' });
  let entries = 0;
  const entry = { job_id: 'j', at: 0, counted_at: 0, day: '2026-11-01', type: 'charge', kind: 'video' };
  const enter = (model: string, settled_nano: bigint) =>
    insert('ledger_entries', { ...entry, id: `e${++entries}`, settled_nano, model });
  for (let n = 0; n < 9; n++) enter('huge', 1_350_000_000_000_000_000n);
  enter('exact', 9_007_199_254_740_990n);
  enter('negative', -3_500_000_001n);
  migrate(db);
  enter('huge', 1n);
  enter('exact', 1n);
  expect(rows(`SELECT key, settled_nano FROM ledger_sums WHERE grouped_by = 'model' ORDER BY key`)).toEqual([
    ['exact', 9_007_199_254_740_991],
    ['huge', 12_150_000_000_000_000_000],
    ['negative', -3_500_000_001],
  ]);
});

test('a clip keeps its media tasks, in their order, and can have a last frame of each out point', () => {
  const { db, insert, rows } = before();
  insert('assets', { id: 'clip' });
  const task = (id: string, kind: string, state: string) => ({
    id,
    asset_id: 'clip',
    kind,
    state,
    tries: 2,
    error: 'e',
  });
  insert('media_tasks', task('t2', 'thumbnail', 'waiting'), task('t1', 'lastFrame', 'done'));
  migrate(db);
  insert('media_tasks', { ...task('t3', 'lastFrame', 'waiting'), out_ms: 1_500 });
  expect(rows('SELECT id, kind, state, tries, error, out_ms FROM media_tasks ORDER BY rowid')).toEqual([
    ['t2', 'thumbnail', 'waiting', 2, 'e', 0],
    ['t1', 'lastFrame', 'done', 2, 'e', 0],
    ['t3', 'lastFrame', 'waiting', 2, 'e', 1_500],
  ]);
  expect(() => insert('media_tasks', { ...task('t4', 'lastFrame', 'waiting'), out_ms: 1_500 })).toThrow('UNIQUE');
});
