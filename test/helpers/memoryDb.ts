import Database from 'better-sqlite3';
import { handleOf } from '../../src/main/core/store/connection.ts';
import type { WriteDb } from '../../src/main/core/store/index.ts';
import { migrate } from '../../src/main/core/store/migrations/migrate.ts';
import { silentLog, TestClock } from './testPorts.ts';

/** Migrations run once per process: they take fifty times as long as copying their result. */
let migrated: Buffer | undefined;

function emptyImage(): Buffer {
  const connection = new Database(':memory:');
  migrate(connection);
  const image = connection.serialize();
  connection.close();
  return image;
}

/** An empty database of this version in memory, for tests of statements and triggers: far faster to make than a data folder. */
export function memoryDb(): WriteDb {
  migrated ??= emptyImage();
  const connection = new Database(migrated);
  // The copy is fully migrated; this call adds the functions that its triggers need.
  migrate(connection);
  return handleOf(connection, new TestClock(), silentLog);
}
