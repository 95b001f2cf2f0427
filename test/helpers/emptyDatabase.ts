import fs from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../src/main/core/ports.ts';
import { databaseFile, openStore, type Store } from '../../src/main/core/store/index.ts';
import { silentLog, TestClock, tempDir } from './testPorts.ts';

/**
 * Migrating an empty database takes ten times as long as the rest of a studio's start, and thousands of tests start one. So each process
 * migrates one and copies it into every folder. `src/main/core/store` and `test/migrations` test the migrations.
 */
let migrated: Buffer | undefined;

function emptyDatabase(): Buffer {
  if (migrated) return migrated;
  const dataDir = tempDir('empty');
  const opened = openStore({ dataDir, clock: new TestClock(), log: silentLog });
  if (!opened.ok) throw new Error(opened.error.message);
  opened.data.close();
  migrated = fs.readFileSync(databaseFile(dataDir));
  return migrated;
}

/** Puts an empty database of the newest version into a data folder, unless something already has that name. */
export function placeEmptyDatabase(dataDir: string): void {
  const file = databaseFile(dataDir);
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (fs.readdirSync(dataDir).some((name) => name.startsWith(path.basename(file)))) return;
  fs.writeFileSync(file, emptyDatabase());
}

/** Opens the database of a folder under test, made by {@link placeEmptyDatabase} if there is none. */
export function openTestStore(options: { dataDir: string; clock: Clock }): Store {
  placeEmptyDatabase(options.dataDir);
  const opened = openStore({ ...options, log: silentLog });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.data;
}
