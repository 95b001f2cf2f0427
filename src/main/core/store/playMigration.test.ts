import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { silentLog, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { databaseFile, openStore, type ReadDb, sql } from './index.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';

/** A folder of before play money stood apart: its sums are split by the profile of each job, and nothing of them is lost. */

const play = MIGRATIONS.find(({ name }) => name === 'play');
const OLD_IMAGE = JSON.stringify({
  kind: 'image',
  model: '*',
  readings: [{ unit: 'image', nano: 0 }],
  settledReading: null,
  source: 'specification, section 8: no image price listed',
});

function folderBefore(): string {
  if (!play) throw new Error('there is no such migration');
  const dir = tempDir('before-play');
  const db = new Database(databaseFile(dir));
  migrate(db, { target: play.version - 1 });
  const job = db.prepare(
    `INSERT INTO jobs (id, kind, state, request, profile_id, project_id, run_id, money_run, lane, idempotency_key, hook_secret, price,
       quantity, estimate_nano, estimate_low_nano, charged_nano, uncertain_nano, position, created_at)
     VALUES ($id, $kind, $state, '{}', $profile, 'film', $run, $run, 'lane', 'k', 's', $price, $quantity, 0, 0, $charged, $doubt, 1, 0)`,
  );
  const entry = db.prepare(
    `INSERT INTO ledger_entries (id, job_id, at, counted_at, day, type, settled_nano, settled_low_nano, uncertain_nano, kind, project_id, run_id)
     VALUES ($id, $id, 0, 0, '2026-11-20', $type, $charged, $charged, $doubt, $kind, 'film', $run)`,
  );
  const rows = [
    { id: 'real', kind: 'video', state: 'succeeded', profile: 'p', run: 'n1', price: '{}', charged: 16, doubt: 0 },
    { id: 'doubt', kind: 'video', state: 'uncertain', profile: 'p', run: null, price: '{}', charged: 0, doubt: 3 },
    { id: 'toy', kind: 'video', state: 'succeeded', profile: 'sandbox', run: 'n2', price: '{}', charged: 40, doubt: 0 },
    {
      id: 'picture',
      kind: 'imagine',
      state: 'succeeded',
      profile: 'p',
      run: null,
      price: OLD_IMAGE,
      charged: 0,
      doubt: 0,
    },
    {
      id: 'toyPicture',
      kind: 'imagine',
      state: 'succeeded',
      profile: 'sandbox',
      run: 'n2',
      price: OLD_IMAGE,
      charged: 0,
      doubt: 0,
    },
    { id: 'lost', kind: 'edit', state: 'uncertain', profile: 'p', run: null, price: OLD_IMAGE, charged: 0, doubt: 0 },
  ];
  for (const row of rows) {
    job.run({ ...row, quantity: row.state === 'succeeded' ? '{"images":1}' : null });
    if (row.id === 'lost') continue;
    const { id, kind, charged, doubt, run } = row;
    entry.run({ id, kind, charged, doubt, run, type: doubt > 0 ? 'doubt' : 'charge' });
  }
  const night = db.prepare(
    `INSERT INTO night_runs (id, start_hour, end_hour, starts_at, ends_at, rules, ended_at, created_at) VALUES (?, '', '', 0, 1, '{}', 1, 0)`,
  );
  for (const id of ['n1', 'n2']) night.run(id);
  db.exec(
    `INSERT INTO night_jobs (run_id, job_id, joined_at) VALUES ('n1', 'real', 0), ('n2', 'toy', 0), ('n2', 'toyPicture', 0)`,
  );
  db.exec(`INSERT INTO budgets VALUES ('day', '', 30, NULL), ('run', 'n1', 20, NULL), ('run', 'n2', 10, NULL)`);
  db.exec(`INSERT INTO spend (scope, key, settled_nano) VALUES ('day', '2026-11-20', 56)`);
  db.close();
  return dir;
}

const rows = (db: ReadDb, text: string) => db.all(sql(text, text));

test('sums, budgets, nights and pictures without a price go to where they belong', () => {
  const store = openStore({ dataDir: folderBefore(), clock: new TestClock(), log: silentLog });
  if (!store.ok) throw new Error(store.error.message);
  const { read } = store.data;
  const sums = rows(
    read,
    'SELECT play, scope, key, settled_nano AS settled, uncertain_nano AS doubt, unpriced FROM spend ORDER BY 1, 2, 3',
  );
  const real = { play: 0, settled: 16, doubt: 3, unpriced: 2 };
  const toy = { play: 1, settled: 40, doubt: 0, unpriced: 0 };
  // The lost one has no time of its own but when it was written: the first day there is.
  const days = sums.filter((row) => (row as { scope: string }).scope === 'project');
  expect(days).toEqual([
    { ...real, scope: 'project', key: 'film' },
    { ...toy, scope: 'project', key: 'film' },
  ]);
  expect(sums).toContainEqual({ ...toy, scope: 'day', key: '2026-11-20' });
  expect(sums).toContainEqual({ ...real, scope: 'day', key: '2026-11-20', unpriced: 1 });
  expect(sums).toContainEqual({ ...real, scope: 'run', key: 'n1', doubt: 0, unpriced: 0 });
  expect(rows(read, 'SELECT play, scope, key, hard_nano AS hard FROM budgets ORDER BY 2, 3, 1')).toEqual([
    { play: 0, scope: 'day', key: '', hard: 30 },
    { play: 1, scope: 'day', key: '', hard: 30 },
    { play: 0, scope: 'run', key: 'n1', hard: 20 },
    { play: 1, scope: 'run', key: 'n2', hard: 10 },
  ]);
  expect(rows(read, "SELECT id, unpriced, unpriced_doubt AS doubt FROM jobs WHERE price = 'null' ORDER BY id")).toEqual(
    [
      { id: 'lost', unpriced: 1, doubt: 1 },
      { id: 'picture', unpriced: 1, doubt: 0 },
    ],
  );
  expect(rows(read, 'SELECT DISTINCT profile_id AS id, play FROM ledger_entries ORDER BY 1')).toEqual([
    { id: 'p', play: 0 },
    { id: 'sandbox', play: 1 },
  ]);
  store.data.close();
});
