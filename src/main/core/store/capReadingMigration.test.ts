import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { silentLog, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { databaseFile, openStore, sql } from './index.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';

/** A night that was armed before caps had a reading: what its jobs have reserved is known at the cheaper one, too. */

const capReading = MIGRATIONS.find(({ name }) => name === 'capReading');

function folderBefore(): string {
  if (!capReading) throw new Error('there is no such migration');
  const dir = tempDir('before-cap-reading');
  const db = new Database(databaseFile(dir));
  migrate(db, { target: capReading.version - 1 });
  const job = db.prepare(
    `INSERT INTO jobs (id, kind, state, request, profile_id, run_id, money_run, lane, idempotency_key, hook_secret, price,
       estimate_nano, estimate_low_nano, reserved_nano, position, created_at)
     VALUES ($id, 'video', 'blocked', '{}', 'p', $run, $run, 'lane', 'k', 's', '{}', 16, $low, $reserved, 1, 0)`,
  );
  job.run({ id: 'held', run: 'n1', low: 4, reserved: 16 });
  job.run({ id: 'partly', run: 'n1', low: 4, reserved: 3 });
  job.run({ id: 'waits', run: 'n1', low: 4, reserved: 0 });
  job.run({ id: 'day', run: null, low: 4, reserved: 16 });
  db.exec(`INSERT INTO budgets (play, scope, key, hard_nano) VALUES (0, 'run', 'n1', 20)`);
  db.exec(
    `INSERT INTO spend (play, scope, key, reserved_nano) VALUES (0, 'run', 'n1', 19), (0, 'day', '2026-11-20', 35)`,
  );
  db.close();
  return dir;
}

test('what nights have reserved is summed up at the cheaper reading, and their caps count the dearer one as before', () => {
  const store = openStore({ dataDir: folderBefore(), clock: new TestClock(), log: silentLog });
  if (!store.ok) throw new Error(store.error.message);
  const rows = (text: string) => store.data.read.all(sql(text, text));
  expect(rows('SELECT id, reserved_low_nano AS low FROM jobs ORDER BY id')).toEqual([
    { id: 'day', low: 0 },
    { id: 'held', low: 4 },
    { id: 'partly', low: 3 },
    { id: 'waits', low: 0 },
  ]);
  expect(rows('SELECT scope, reserved_low_nano AS low FROM spend ORDER BY scope')).toEqual([
    { scope: 'day', low: 0 },
    { scope: 'run', low: 7 },
  ]);
  expect(rows('SELECT reading FROM budgets')).toEqual([{ reading: 'high' }]);
  store.data.close();
});
