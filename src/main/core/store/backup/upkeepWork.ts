import Database from 'better-sqlite3';
import { t } from '../../../../shared/text/texts.ts';
import { syncFile } from '../../durableFiles.ts';
import { codeOf, messageOf } from '../../faults.ts';
import { flagAsBackup } from '../flags.ts';

/** `code`: the error code of SQLite or the system. */
export type UpkeepAnswer = { ok: boolean; message: string; code?: string };

/** Verifies a copy, including that its indexes match its tables. */
export function checkCopy(file: string): UpkeepAnswer {
  const connection = new Database(file, { readonly: true, fileMustExist: true });
  try {
    return checkWith(connection, 'integrity_check');
  } finally {
    connection.close();
  }
}

/** SQLite's check of the whole file. */
export function checkWith(connection: Database.Database, check: 'quick_check' | 'integrity_check'): UpkeepAnswer {
  try {
    const rows = connection.pragma(`${check}(5)`) as Record<string, string>[];
    const faults = rows.map((row) => row[check] ?? '').filter((line) => line !== 'ok');
    return faults.length === 0
      ? { ok: true, message: t`The database is undamaged.` }
      : { ok: false, message: faults.join('; ') };
  } catch (error) {
    return faultOf(error);
  }
}

export function faultOf(error: unknown): UpkeepAnswer {
  const code = codeOf(error);
  return { ok: false, message: messageOf(error), ...(code === '' ? {} : { code }) };
}

/** A compact copy of the committed state, marked as the backup of this time. On disk when this returns. */
export function copyInto(connection: Database.Database, file: string, at: number): void {
  connection.prepare('VACUUM INTO ?').run(file);
  flagAsBackup(file, at);
  syncFile(file);
}
