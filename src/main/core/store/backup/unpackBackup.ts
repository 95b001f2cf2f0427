import fs from 'node:fs';
import Database from 'better-sqlite3';
import { t } from '../../../../shared/text/texts.ts';
import { problemOfFile, removeDatabase } from '../fileType.ts';
import { faultOfVersion, migrate, versionOf } from '../migrations/migrate.ts';
import { checkCopy, faultOf, type UpkeepAnswer } from './upkeepWork.ts';

/** Why a backup cannot be read: `code` of the answer. */
export type BackupFault = 'damaged' | 'newer' | 'development' | 'foreign';

/**
 * A copy of a backup, checked and brought up to this version, so that its tables are like ours. The backup itself is not touched. What
 * the copy was made for is read from it once: it needs no journal and no flush.
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
    if (unknown) return told(unknown, t`It is of version ${version}.`);
    if (!isOurs(connection)) return told('foreign', t`It is another program’s database.`);
    connection.pragma('journal_mode = DELETE');
    connection.pragma('synchronous = OFF');
    migrate(connection);
    return { ok: true, message: t`The backup is whole.` };
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
