import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { silentLog, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { databaseFile, openStore, sql } from './index.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';

const counts = sql('test.counts', 'SELECT state, model, n, bytes FROM asset_counts WHERE n <> 0 ORDER BY state, model');
const run = (text: string) => sql('test.change', text);

test('what an older version had is counted, and whatever changes it afterwards', () => {
  const own = MIGRATIONS.find(({ name }) => name === 'assetCounts');
  if (!own) throw new Error('there is no such migration');
  const dir = tempDir('before-counts');
  const db = new Database(databaseFile(dir));
  migrate(db, { target: own.version - 1 });
  const insert = db.prepare(
    `INSERT INTO assets (id, state, role, name, model, bytes, binned_at, created_at) VALUES (?, ?, ?, '', ?, ?, ?, 0)`,
  );
  insert.run('a', 'local', 'output', 'm', 10, null);
  insert.run('b', 'local', 'output', 'm', 20, null);
  insert.run('c', 'local', 'output', '', 1, null);
  insert.run('d', 'local', 'output', null, 2, null);
  insert.run('e', 'local', 'thumbnail', 'm', 400, null);
  insert.run('f', 'remote', 'output', 'm', 0, 7);
  db.close();
  const opened = openStore({ dataDir: dir, clock: new TestClock(), log: silentLog });
  if (!opened.ok) throw new Error(opened.error.message);
  const store = opened.data;
  const after = (text: string) => {
    store.transaction((write) => write.run(run(text)));
    return store.read.all(counts).map((row) => Object.values(row as object).join(' '));
  };
  expect(after('DELETE FROM flags WHERE false')).toEqual(['local  1 2', 'local  1 1', 'local m 2 30']);
  expect(after(`UPDATE assets SET bytes = 25, name = 'x' WHERE id = 'b'`)).toContain('local m 2 35');
  expect(after(`UPDATE assets SET binned_at = 9 WHERE id = 'a'`)).toContain('local m 1 25');
  expect(after(`UPDATE assets SET binned_at = NULL WHERE id IN ('a', 'f')`)).toContain('remote m 1 0');
  expect(after(`UPDATE assets SET binned_at = 11 WHERE binned_at = 9`)).toContain('local m 2 35');
  expect(after(`UPDATE assets SET state = 'local', bytes = 5 WHERE id = 'f'`)).toEqual([
    'local  1 2',
    'local  1 1',
    'local m 3 40',
  ]);
  expect(after(`DELETE FROM assets WHERE id IN ('c', 'd', 'e')`)).toEqual(['local m 3 40']);
  store.close();
});
