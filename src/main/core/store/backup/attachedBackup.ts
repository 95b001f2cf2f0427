import fs from 'node:fs';
import Database from 'better-sqlite3';
import type { RestoredChange, RestoredItem } from '../../../../shared/contract/backupCalls.ts';
import type { Result } from '../../../../shared/contract/result.ts';
import { t } from '../../../../shared/text/texts.ts';
import type { Clock, Logger } from '../../ports.ts';
import { handleOf, type ReadDb, type WriteDb } from '../connection.ts';
import { problemOfFile, removeDatabase } from '../fileProblems.ts';
import { faultOfVersion, migrate, versionOf } from '../migrations/migrate.ts';
import { checkCopy, faultOf, type UpkeepAnswer } from './upkeepWork.ts';

/** Another database with the same tables, attached as `past`, so that its rows can be read beside ours. */

/** A module's part in a restore of its documents. Sent requests and payments are not documents and never change. */
export interface RestoreParticipant {
  /** The number of backup rows that are missing here. Such rows are never deleted, so the backup would be of another data folder. */
  unknown?(db: ReadDb): number;
  /** Why nothing can be restored now: work in slices would continue with the state before the restore. */
  busy?(db: ReadDb): Result<never> | undefined;
  /** A preview without changes: the items that would go, those that would come back, and the number of other changes. */
  preview(db: ReadDb): { gone: RestoredItem[]; back: RestoredItem[]; changed?: RestoredChange[] };
  /** Runs in the transaction of the restore. The returned function is called after the commit. */
  restore(db: WriteDb): (() => void) | undefined;
}

const attach = (connection: Database.Database, past: string): void => {
  connection.prepare('ATTACH $past AS past').run({ past });
};

/** Reads both databases on a separate connection. */
export function readWithBackup<T>(
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

/** Attaches the other database while `work` runs. Only ours is written, so this is one transaction of one file. */
export function withPast<T>(connection: Database.Database, past: string, work: () => T): T {
  attach(connection, past);
  try {
    return work();
  } finally {
    connection.exec('DETACH past');
  }
}

/** Why a backup cannot be read, as the `code` of the answer. */
export type BackupFault = 'damaged' | 'newer' | 'development' | 'foreign';

/**
 * Copies a backup, checks the copy and migrates it to this version, so that its tables match. The backup itself is not changed. The copy is
 * read only once, so it needs no journal and no flush.
 */
export function unpackBackup(file: string, into: string): UpkeepAnswer {
  const fault = problemOfFile(file);
  if (fault !== undefined) return told('damaged', fault);
  removeDatabase(into);
  let connection: Database.Database | undefined;
  try {
    fs.copyFileSync(file, into);
    const whole = checkCopy(into);
    if (!whole.ok) return told('damaged', whole.message);
    connection = new Database(into);
    const version = versionOf(connection);
    const unknown = faultOfVersion(version);
    if (unknown) return told(unknown, t`Version ${version}`);
    if (!isOurs(connection)) return told('foreign', t`This is not a backup of Dailies.`);
    connection.pragma('journal_mode = DELETE');
    connection.pragma('synchronous = OFF');
    migrate(connection);
    return { ok: true, message: t`The backup is undamaged.` };
  } catch (error) {
    const { code, message } = faultOf(error);
    return /^SQLITE_(CORRUPT|NOTADB)/.test(code ?? '') ? told('damaged', message) : faultOf(error);
  } finally {
    connection?.close();
  }
}

const told = (code: BackupFault, message: string): UpkeepAnswer => ({ ok: false, message, code });

/** Every version had these tables. */
export function isOurs(connection: Database.Database): boolean {
  const named = connection.prepare(
    `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('jobs', 'ledger_entries', 'attempts', 'projects')`,
  );
  return versionOf(connection) > 0 && named.pluck().get() === 4;
}
