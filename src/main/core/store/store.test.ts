import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openTestStore } from '../../../../test/helpers/emptyDatabase.ts';
import { silentLog, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { databaseFile, migrateInThread, openStore, type Store, sql } from './index.ts';
import { migrate, newestVersion } from './migrations/migrate.ts';

const open = (dataDir: string) => openStore({ dataDir, clock: new TestClock(), log: silentLog });

const opened = (dataDir: string): Store => openTestStore({ dataDir, clock: new TestClock() });

const addProject = sql('test.add', `INSERT INTO projects (id, name, created_at) VALUES ($id, 'x', 0)`);
const countProjects = sql('test.count', 'SELECT count(*) AS n FROM projects');

const projectsIn = (store: Store): number => store.read.one<{ n: number }>(countProjects)?.n ?? -1;

test('what a transaction wrote is there after reopening; what threw is not', () => {
  const dir = tempDir();
  const store = opened(dir);
  store.transaction((db) => db.run(addProject, { id: 'a' }));
  expect(() =>
    store.transaction((db) => {
      db.run(addProject, { id: 'b' });
      throw new Error('half way');
    }),
  ).toThrow('half way');
  expect(projectsIn(store)).toBe(1);
  store.close();
  const again = opened(dir);
  expect(projectsIn(again)).toBe(1);
  again.close();
});

test('the reading handle cannot write', () => {
  const store = opened(tempDir());
  const sneaky = store.read as unknown as { all(statement: ReturnType<typeof sql>): unknown };
  expect(() =>
    sneaky.all(sql('test.sneaky', `INSERT INTO projects (id, name, created_at) VALUES ('z', 'z', 0) RETURNING id`)),
  ).toThrow(/readonly/);
  store.close();
});

test('the journal is WAL and every commit waits for the disk', () => {
  const dir = tempDir();
  const store = opened(dir);
  store.transaction((db) => {
    expect(db.one<{ synchronous: number }>(sql('test.sync', 'PRAGMA synchronous'))?.synchronous).toBe(2);
    expect(db.one<{ journal_mode: string }>(sql('test.mode', 'PRAGMA journal_mode'))?.journal_mode).toBe('wal');
  });
  store.close();
});

test.each([
  ['a newer Dailies', newestVersion() + 1],
  ['a build before 0.1.0', 12],
  ['the first development build', 14],
  ['the last development build', 63],
])('a folder of %s is refused with a sentence and left as it is, with its backups', async (what, version) => {
  const dir = tempDir();
  const store = opened(dir);
  await store.backUp('daily');
  store.close();
  const file = databaseFile(dir);
  const connection = new Database(file);
  connection.pragma(`user_version = ${version}`);
  connection.close();
  const contents = () =>
    fs.readdirSync(dir, { recursive: true, withFileTypes: true }).flatMap((entry) => {
      const one = path.join(entry.parentPath, entry.name);
      return entry.isFile() ? [[one, fs.readFileSync(one, 'base64')]] : [];
    });
  const before = contents();
  await migrateInThread({ file, dataDir: dir, clock: new TestClock(), log: silentLog });
  const refused = open(dir);
  const by = version > newestVersion() ? what : 'a development build of Dailies';
  expect(refused.ok ? '' : refused.error.message).toContain(`written by ${by}`);
  expect(contents()).toEqual(before);
});

/** SQLite's, where a database asks for no other. */
const PAGE_BYTES = 4_096;

test('a damaged page is found by the check', async () => {
  const dir = tempDir();
  const store = opened(dir);
  store.transaction((db) => {
    for (let n = 0; n < 2_000; n++) db.run(addProject, { id: `project-${n}-${'x'.repeat(50)}` });
  });
  expect(await store.check()).toMatchObject({ ok: true });
  store.close();
  const file = databaseFile(dir);
  const bytes = fs.readFileSync(file);
  const page = Math.floor(bytes.indexOf('project-1000-') / PAGE_BYTES) * PAGE_BYTES;
  bytes.fill(0x5a, page, page + 3_000);
  fs.writeFileSync(file, bytes);
  const damaged = open(dir);
  const result = damaged.ok ? await damaged.data.check() : { ok: false };
  expect(result?.ok).toBe(false);
  if (damaged.ok) damaged.data.close();
});

test('a migration is applied completely or not at all, and the data is backed up before it', () => {
  const dir = tempDir();
  const connection = new Database(path.join(dir, 'm.db'));
  const first = { version: 1, name: 'one', ddl: 'CREATE TABLE a (x INTEGER) STRICT;' };
  const ddl = 'CREATE TABLE b (x INTEGER) STRICT; CREATE TABLE a (y INTEGER) STRICT;';
  const broken = { version: 2, name: 'two', ddl };
  const calls: string[] = [];
  migrate(connection, { migrations: [first], beforeFirst: () => calls.push('backup') });
  expect(calls).toEqual([]);
  const again = () => migrate(connection, { migrations: [first, broken], beforeFirst: () => calls.push('backup') });
  expect(again).toThrow(/already exists/);
  expect(calls).toEqual(['backup']);
  expect(connection.pragma('user_version', { simple: true })).toBe(1);
  expect(connection.prepare(`SELECT count(*) AS n FROM sqlite_master WHERE name = 'b'`).get()).toEqual({ n: 0 });
  connection.close();
});

test('leftovers of a killed backup are removed by the next one, and complete ones stay', async () => {
  const dir = tempDir();
  const store = opened(dir);
  await store.backUp('first');
  const backups = path.join(dir, 'backups');
  for (const suffix of ['', '-journal', '-wal'])
    fs.writeFileSync(path.join(backups, `2026-old.db.part${suffix}`), 'half');
  await store.backUp('second');
  store.close();
  const left = fs.readdirSync(backups);
  expect(left).toHaveLength(2);
  expect(left.every((name) => name.endsWith('.db'))).toBe(true);
});

/** Litestream holds a reading transaction, so that no checkpoint restarts the log behind its back, and keeps two tables in the database. */
test('a program that replicates the open database hinders nothing, and its tables neither', () => {
  const dir = tempDir();
  const store = opened(dir);
  const replicator = new Database(databaseFile(dir));
  replicator.exec(`CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
    CREATE TABLE _litestream_lock (id INTEGER);
    BEGIN; SELECT count(*) FROM _litestream_seq;`);
  const rows = 3_000;
  for (let at = 0; at < rows; at += 1_000)
    store.transaction((db) => {
      for (let row = at; row < at + 1_000; row++) db.run(addProject, { id: `p${row}` });
    });
  store.releaseMemory();
  expect(projectsIn(store)).toBe(rows);
  store.close();
  const again = opened(dir);
  expect(projectsIn(again)).toBe(rows);
  again.close();
  replicator.exec('ROLLBACK');
  replicator.close();
  const last = opened(dir);
  expect(projectsIn(last)).toBe(rows);
  last.close();
});
