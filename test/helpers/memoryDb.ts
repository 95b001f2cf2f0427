import Database from 'better-sqlite3';
import { handleOf } from '../../src/main/core/store/handles.ts';
import type { WriteDb } from '../../src/main/core/store/index.ts';
import { migrate } from '../../src/main/core/store/migrate.ts';
import { silentLog, TestClock } from './testPorts.ts';

/** An empty database of this version in memory, for tests of statements and triggers: far faster to make than a data folder. */
export function memoryDb(): WriteDb {
  const connection = new Database(':memory:');
  migrate(connection);
  return handleOf(connection, new TestClock(), silentLog);
}
