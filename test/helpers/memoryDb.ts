import Database from 'better-sqlite3';
import { handleOf } from '../../src/main/core/store/handles.ts';
import type { WriteDb } from '../../src/main/core/store/index.ts';
import { migrate } from '../../src/main/core/store/migrations/migrate.ts';
import { silentLog, TestClock } from './testPorts.ts';

/** The migrations run once in a process: they take fifty times as long as a copy of what they made. */
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
  // It has every version; this connection lacks the functions that the file's triggers call.
  migrate(connection);
  return handleOf(connection, new TestClock(), silentLog);
}
