import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import { databaseFile } from './index.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';

const before = MIGRATIONS.findIndex(({ name }) => name === 'progress');

test('what was done is at 100 percent, and a move where its phase begins', () => {
  const db = new Database(databaseFile(tempDir('before-progress')));
  migrate(db, { target: before });
  const anExport = db.prepare(`INSERT INTO exports (id, kind, state, name, folder, created_at)
    VALUES ($state, 'csv', $state, 'x', '/x', 0)`);
  for (const state of ['done', 'failed', 'running']) anExport.run({ state });
  const move =
    db.prepare(`INSERT INTO library_moves (id, state, phase, from_home, to_home, library, keeps_old, created_at)
    VALUES ($phase || ' ' || $state, $state, $phase, '/a', '/b', 'lib', 0, 0)`);
  for (const phase of ['copy', 'compare', 'switch', 'remove']) move.run({ phase, state: 'running' });
  move.run({ phase: 'remove', state: 'done' });
  migrate(db);
  const progress = (table: string) => db.prepare(`SELECT id, progress FROM ${table} ORDER BY seq`).raw().all();
  expect(progress('exports')).toEqual([
    ['done', 100],
    ['failed', 0],
    ['running', 0],
  ]);
  expect(progress('library_moves')).toEqual([
    ['copy running', 0],
    ['compare running', 55],
    ['switch running', 95],
    ['remove running', 96],
    ['remove done', 100],
  ]);
  db.close();
});
