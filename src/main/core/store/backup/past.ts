import Database from 'better-sqlite3';
import type { RestoredChange, RestoredItem } from '../../../../shared/contract/backupCalls.ts';
import type { Result } from '../../../../shared/contract/result.ts';
import type { Clock, Logger } from '../../ports.ts';
import { handleOf, type ReadDb, type WriteDb } from '../handles.ts';

/** Another database, with tables like ours, whose rows stand beside ours as `past.…`. */

/**
 * What one module does so that its documents are as they were in a backup. What was sent and what was paid is no document: no restore
 * changes it.
 */
export interface Restorable {
  /** The number of rows of the backup that are not here. Such rows are never deleted, so the backup is of another data folder. */
  unknown?(db: ReadDb): number;
  /** Why nothing can be restored just now: what goes on in slices would go on with what it was asked from. */
  busy?(db: ReadDb): Result<never> | undefined;
  /** What would go, what would come back, and how many others would be as they were; nothing is changed. */
  preview(db: ReadDb): { gone: RestoredItem[]; back: RestoredItem[]; changed?: RestoredChange[] };
  /** In the transaction of the restore. What it returns is called once that is on disk. */
  restore(db: WriteDb): (() => void) | undefined;
}

const attach = (connection: Database.Database, past: string): void => {
  connection.prepare('ATTACH $past AS past').run({ past });
};

/** Reads both on a connection of its own. */
export function readWithPast<T>(
  { file, past }: { file: string; past: string },
  { clock, log }: { clock: Pick<Clock, 'now'>; log: Pick<Logger, 'info'> },
  work: (db: ReadDb) => T,
): T {
  const connection = new Database(file, { readonly: true });
  try {
    attach(connection, past);
    const handle = handleOf(connection, clock, log);
    return connection.transaction(() => work({ one: handle.one, all: handle.all })).deferred();
  } finally {
    connection.close();
  }
}

/** Makes the other database's rows readable while `work` runs, which writes to ours only: it is one transaction of one file. */
export function withPast<T>(connection: Database.Database, past: string, work: () => T): T {
  attach(connection, past);
  try {
    return work();
  } finally {
    connection.exec('DETACH past');
  }
}
