import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { silentLog, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { databaseFile, openStore, sql } from './index.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';

test('what was judged before is judged at its assets too', () => {
  const facets = MIGRATIONS.find(({ name }) => name === 'facets');
  if (!facets) throw new Error('there is no such migration');
  const dir = tempDir('before-facets');
  const db = new Database(databaseFile(dir));
  migrate(db, { target: facets.version - 1 });
  const job = db.prepare(
    `INSERT INTO jobs (id, kind, state, request, profile_id, lane, idempotency_key, hook_secret, price, estimate_nano, estimate_low_nano, position, created_at, verdict)
     VALUES ($id, 'imagine', 'succeeded', '{}', 'p', 'l', $id, 's', '{}', 0, 0, 1, 0, $verdict)`,
  );
  for (const verdict of ['keep', 'no', null]) job.run({ id: `j-${verdict}`, verdict });
  const asset = db.prepare(
    `INSERT INTO assets (id, state, role, name, job_id, created_at) VALUES ($id, 'local', 'output', '', $job, 0)`,
  );
  for (const [id, of] of [
    ['a', 'j-keep'],
    ['b', 'j-keep'],
    ['c', 'j-no'],
    ['d', 'j-null'],
    ['e', null],
  ])
    asset.run({ id, job: of });
  db.close();
  const opened = openStore({ dataDir: dir, clock: new TestClock(), log: silentLog });
  if (!opened.ok) throw new Error(opened.error.message);
  const rows = opened.data.read.all<{ id: string; verdict: string }>(
    sql('test.verdicts', 'SELECT id, verdict FROM assets'),
  );
  expect(Object.fromEntries(rows.map(({ id, verdict }) => [id, verdict]))).toEqual({
    a: 'keep',
    b: 'keep',
    c: 'no',
    d: null,
    e: null,
  });
  opened.data.close();
});
