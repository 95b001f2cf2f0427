import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { MIGRATIONS, migrate } from './migrations/migrate.ts';

/** What older versions wrote is, after its migration, what this version would have written. */

/** A file is migrated from its own version on: a number that is given later to one in between would never be run there. */
test('versions are counted without a gap but for those of development builds', () => {
  const versions = MIGRATIONS.map(({ version }) => version);
  expect(versions.slice(0, 14)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 64]);
  expect(versions.slice(13)).toEqual(versions.slice(13).map((_, index) => 64 + index));
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

/** A database of the version before this migration. */
function before(name = 'release-0.2.0') {
  const own = MIGRATIONS.find((migration) => migration.name === name);
  if (!own) throw new Error('there is no such migration');
  const db = new Database(':memory:');
  migrate(db, { target: own.version - 1 });
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

test('a picture that vanished for its name is shown again, and what was sent as a mask stays one', () => {
  const { db, insert, rows } = before('remembered');
  for (const [id, role, name] of [
    ['photo', 'import', 'harbour.png'],
    ['ball', 'mask', 'masked ball.png'],
    ['own', 'mask', 'mask of the ferry.png'],
    ['painted', 'mask', 'mask-harbour.png'],
    ['clip', 'output', 'mask.mp4'],
  ] as const)
    insert('assets', { id, role, name });
  const request = JSON.stringify({ kind: 'edit', base: { jobId: 'b' }, mask: { assetId: 'own' } });
  insert('jobs', { id: 'e', kind: 'edit', state: 'failed', request });
  migrate(db);
  expect(Object.fromEntries(rows('SELECT id, role FROM assets') as [string, string][])).toEqual({
    ...{ photo: 'source', ball: 'source', own: 'mask', painted: 'mask', clip: 'output' },
  });
});

const OLD_IMAGE = JSON.stringify({
  ...{ kind: 'image', model: '*', readings: [{ unit: 'image', nano: 0 }], settledReading: null },
  source: 'specification, section 8: no image price listed',
});

/** Before play money stood apart: each job with its profile, its night, and what of it is charged and unconfirmed. */
function withPlayMoney({ db, insert }: ReturnType<typeof before>): void {
  for (const [id, kind, profile_id, run_id, price, charged_nano, uncertain_nano] of [
    ['real', 'video', 'p', 'n1', '{}', 16, 0],
    ['doubt', 'video', 'p', null, '{}', 0, 3],
    ['toy', 'video', 'sandbox', 'n2', '{}', 40, 0],
    ['picture', 'imagine', 'p', null, OLD_IMAGE, 0, 0],
    ['toyPicture', 'imagine', 'sandbox', 'n2', OLD_IMAGE, 0, 0],
    ['lost', 'edit', 'p', null, OLD_IMAGE, 0, 0],
  ] as const) {
    const state = id === 'doubt' || id === 'lost' ? 'uncertain' : 'succeeded';
    const quantity = state === 'succeeded' ? '{"images":1}' : null;
    const of = { id, kind, project_id: 'film', run_id };
    insert('jobs', { ...of, state, profile_id, money_run: run_id, price, quantity, charged_nano, uncertain_nano });
    if (id === 'lost') continue;
    const type = uncertain_nano > 0 ? 'doubt' : 'charge';
    const nano = { settled_nano: charged_nano, settled_low_nano: charged_nano, uncertain_nano };
    insert('ledger_entries', { ...of, job_id: id, at: 0, counted_at: 0, day: '2026-11-20', type, ...nano });
  }
  const night = { start_hour: '', end_hour: '', starts_at: 0, ends_at: 1, rules: '{}', ended_at: 1, created_at: 0 };
  insert('night_runs', { ...night, id: 'n1' }, { ...night, id: 'n2' });
  db.exec(`INSERT INTO night_jobs (run_id, job_id, joined_at) VALUES ('n1', 'real', 0), ('n2', 'toy', 0), ('n2', 'toyPicture', 0);
    INSERT INTO budgets VALUES ('day', '', 30, NULL), ('run', 'n1', 20, NULL), ('run', 'n2', 10, NULL);
    INSERT INTO spend (scope, key, settled_nano) VALUES ('day', '2026-11-20', 56)`);
}

test('sums, budgets, nights and pictures without a price go to real or to play money', () => {
  const old = before('play');
  withPlayMoney(old);
  migrate(old.db);
  const { rows } = old;
  const sums = rows('SELECT play, scope, key, settled_nano, uncertain_nano, unpriced FROM spend ORDER BY 1, 2, 3');
  const ofScope = (scope: string) => sums.filter((row) => (row as unknown[])[1] === scope);
  expect(ofScope('project')).toEqual([
    [0, 'project', 'film', 16, 3, 2],
    [1, 'project', 'film', 40, 0, 0],
  ]);
  // The lost one has no time of its own but when it was written: the first day there is.
  expect(ofScope('day')).toContainEqual([0, 'day', '2026-11-20', 16, 3, 1]);
  expect(ofScope('day')).toContainEqual([1, 'day', '2026-11-20', 40, 0, 0]);
  expect(ofScope('run')).toContainEqual([0, 'run', 'n1', 16, 0, 0]);
  expect(rows('SELECT play, scope, key, hard_nano FROM budgets ORDER BY 2, 3, 1')).toEqual([
    [0, 'day', '', 30],
    [1, 'day', '', 30],
    [0, 'run', 'n1', 20],
    [1, 'run', 'n2', 10],
  ]);
  expect(rows("SELECT id, unpriced, unpriced_doubt FROM jobs WHERE price = 'null' ORDER BY id")).toEqual([
    ['lost', 1, 1],
    ['picture', 1, 0],
  ]);
  expect(rows('SELECT DISTINCT profile_id, play FROM ledger_entries ORDER BY 1')).toEqual([
    ['p', 0],
    ['sandbox', 1],
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
