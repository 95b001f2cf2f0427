import fs from 'node:fs';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { silentLog, TestClock, tempDir } from '../../../../../test/helpers/testPorts.ts';
import { databaseFile, listBackups, openStore } from '../index.ts';
import { migrate, newestVersion, versionOf } from './migrate.ts';
import { earlierVersion, type MigrationParts, migrateInThread } from './migrationThread.ts';

/** That of 0.1.0. */
const EARLIER = 13;

function folderOfEarlierVersion(): string {
  const dataDir = tempDir();
  const connection = new Database(databaseFile(dataDir));
  connection.pragma('journal_mode = WAL');
  migrate(connection, { target: EARLIER });
  connection.prepare(`INSERT INTO projects (id, name, created_at) VALUES ('kept', 'x', 0)`).run();
  connection.close();
  return dataDir;
}

function parts(dataDir: string) {
  const warnings: unknown[] = [];
  const steps: unknown[] = [];
  const given: MigrationParts = {
    dataDir,
    file: databaseFile(dataDir),
    clock: new TestClock(),
    log: { warn: (fields) => void warnings.push(fields) },
    onStep: (step) => void steps.push(step),
  };
  return { given, warnings, steps };
}

test('older data is backed up and brought up to this version in another thread, which tells how far it is', async () => {
  const dataDir = folderOfEarlierVersion();
  const { given, warnings, steps } = parts(dataDir);
  expect(earlierVersion(given.file)).toBe(EARLIER);
  let turns = 0;
  const turning = setInterval(() => turns++, 0);
  await migrateInThread(given);
  clearInterval(turning);
  // This thread went on meanwhile.
  expect(turns).toBeGreaterThan(0);
  expect(steps.length).toBeGreaterThan(2);
  expect(steps).toEqual(steps.map((_, done) => ({ done, of: steps.length })));
  expect(warnings).toEqual([{ from: EARLIER, to: newestVersion() }]);
  expect(listBackups(dataDir).map(({ name }) => name)).toEqual([
    expect.stringMatching(new RegExp(`-v${EARLIER}\\.db$`)),
  ]);
  const connection = new Database(given.file, { readonly: true });
  expect(versionOf(connection)).toBe(newestVersion());
  expect(connection.prepare('SELECT id FROM projects').pluck().all()).toEqual(['kept']);
  connection.close();
  // Once.
  const told = steps.length;
  await migrateInThread(given);
  expect([steps.length, warnings.length, listBackups(dataDir).length]).toEqual([told, 1, 1]);
});

test('a new folder, and what cannot be read, is left to who opens it', async () => {
  const { given, warnings, steps } = parts(tempDir());
  await migrateInThread(given);
  expect(fs.existsSync(given.file)).toBe(false);
  fs.writeFileSync(given.file, 'this is no database, and long enough to be looked at as if it were one'.repeat(20));
  await migrateInThread(given);
  fs.rmSync(given.file);
  fs.mkdirSync(given.file);
  await migrateInThread(given);
  expect([warnings, steps]).toEqual([[], []]);
});

test('what the thread could not do is done by who opens the data', async () => {
  const dataDir = folderOfEarlierVersion();
  const { given, warnings } = parts(dataDir);
  // No backup can be made, so nothing is changed.
  fs.writeFileSync(`${dataDir}/backups`, 'a file');
  await migrateInThread(given);
  expect(warnings).toHaveLength(2);
  expect(earlierVersion(given.file)).toBe(EARLIER);
  fs.rmSync(`${dataDir}/backups`);
  const store = openStore({ dataDir, clock: new TestClock(), log: silentLog });
  if (!store.ok) throw new Error(store.error.message);
  await store.data.close();
  expect(earlierVersion(given.file)).toBeUndefined();
  expect(listBackups(dataDir)).toHaveLength(1);
});
