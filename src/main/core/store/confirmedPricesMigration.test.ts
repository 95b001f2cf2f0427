import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { silentLog, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { databaseFile, openStore, sql } from './index.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';

const confirmedPrices = MIGRATIONS.find(({ name }) => name === 'confirmed-prices');

test('what is open was confirmed at the price that it has; an unknown price and an ended job have none', () => {
  if (!confirmedPrices) throw new Error('there is no such migration');
  const dataDir = tempDir('before-confirmed-prices');
  const db = new Database(databaseFile(dataDir));
  migrate(db, { target: confirmedPrices.version - 1 });
  const job = db.prepare(
    `INSERT INTO jobs (id, kind, state, request, profile_id, lane, idempotency_key, hook_secret, price, estimate_nano, estimate_low_nano,
       position, created_at) VALUES ($id, 'video', $state, '{}', 'p', 'lane', 'k', 's', $price, 16, 4, 1, 0)`,
  );
  job.run({ id: 'waits', state: 'queued', price: '{}' });
  job.run({ id: 'lost', state: 'uncertain', price: '{}' });
  job.run({ id: 'unpriced', state: 'blocked', price: 'null' });
  job.run({ id: 'ended', state: 'succeeded', price: '{}' });
  db.close();
  const store = openStore({ dataDir, clock: new TestClock(), log: silentLog });
  if (!store.ok) throw new Error(store.error.message);
  const text = 'SELECT id, confirmed_nano AS nano FROM jobs ORDER BY id';
  expect(store.data.read.all(sql(text, text))).toEqual([
    { id: 'ended', nano: null },
    { id: 'lost', nano: 16 },
    { id: 'unpriced', nano: null },
    { id: 'waits', nano: 16 },
  ]);
  store.data.close();
});
