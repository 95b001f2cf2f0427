import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { silentLog, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { databaseFile, openStore, sql } from './index.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';

/** A folder of before the role of a file was said: what the user brought in is shown, and masks stay masks. */
test('a picture that vanished for its name is shown again, and what was sent as a mask stays one', () => {
  const remembered = MIGRATIONS.find(({ name }) => name === 'remembered');
  if (!remembered) throw new Error('there is no such migration');
  const dir = tempDir('before-roles');
  const db = new Database(databaseFile(dir));
  migrate(db, { target: remembered.version - 1 });
  const asset = db.prepare(
    `INSERT INTO assets (id, state, role, name, created_at) VALUES ($id, 'local', $role, $name, 0)`,
  );
  for (const [id, role, name] of [
    ['photo', 'import', 'harbour.png'],
    ['ball', 'mask', 'masked ball.png'],
    ['own', 'mask', 'mask of the ferry.png'],
    ['painted', 'mask', 'mask-harbour.png'],
    ['clip', 'output', 'mask.mp4'],
  ])
    asset.run({ id, role, name });
  db.prepare(
    `INSERT INTO jobs (id, kind, state, request, profile_id, lane, idempotency_key, hook_secret, price, estimate_nano, estimate_low_nano, position, created_at)
     VALUES ('e', 'edit', 'failed', $request, 'p', 'l', 'k', 's', '{}', 0, 0, 1, 0)`,
  ).run({ request: JSON.stringify({ kind: 'edit', base: { jobId: 'b' }, mask: { assetId: 'own' } }) });
  db.close();
  const opened = openStore({ dataDir: dir, clock: new TestClock(), log: silentLog });
  if (!opened.ok) throw new Error(opened.error.message);
  const rows = opened.data.read.all<{ id: string; role: string }>(sql('test.roles', 'SELECT id, role FROM assets'));
  expect(Object.fromEntries(rows.map(({ id, role }) => [id, role]))).toEqual({
    photo: 'source',
    ball: 'source',
    own: 'mask',
    painted: 'mask',
    clip: 'output',
  });
});
