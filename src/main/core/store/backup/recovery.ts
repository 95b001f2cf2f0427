import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { syncFile } from '../../durableFiles.ts';
import type { ReadDb, WriteDb } from '../connection.ts';
import { removeDatabase } from '../fileProblems.ts';
import { deleteFlag, readFlag, restoredFrom } from '../flags.ts';
import { migrate } from '../migrations/migrate.ts';
import { type Backup, listBackups, replaceDatabase } from './backup.ts';

/**
 * A flag in the empty database that replaces a damaged one, kept across restarts until a backup replaces it or the user continues without
 * one. Until then missing rows mean nothing: no file is removed because its row is missing, and no backup because of its age.
 */
const FLAG = 'store:recovering';

export interface Recovery {
  /** The path of the damaged file. */
  movedTo: string;
  /** Backups that can replace the empty database, newest first. */
  backups: Backup[];
}

export const isRecovering = (db: ReadDb): boolean => readFlag(db, FLAG) !== undefined;

export const recoveryOf = (db: ReadDb, file: string): Recovery | undefined =>
  isRecovering(db) ? { movedTo: newestDamaged(file), backups: listBackups(path.dirname(file)) } : undefined;

/**
 * Whether files on disk may lack their rows: after damage, and with a restored backup, which may be exchanged for another. Files without a
 * row are kept meanwhile.
 */
export const mayLackRows = (db: ReadDb): boolean => isRecovering(db) || restoredFrom(db) !== undefined;

/** The user continues with the present database. */
export const endRecovery = (db: WriteDb): number => deleteFlag(db, FLAG);

function newestDamaged(file: string): string {
  const folder = path.dirname(file);
  const start = `${path.basename(file, '.db')}.damaged-`;
  const names = fs.readdirSync(folder).filter((name) => name.startsWith(start) && name.endsWith('.db'));
  return path.join(folder, names.sort().at(-1) ?? path.basename(file));
}

/**
 * Replaces a damaged database by an empty one; the damaged file is moved aside and its new name returned. The empty one is complete on
 * disk, with its flag, before that: a kill leaves either the damaged file or a marked empty one. Throws if there is no space for it.
 */
export function replaceDamaged(file: string, now: number): string | undefined {
  const part = `${file}.fresh`;
  removeDatabase(part);
  try {
    const connection = new Database(part);
    try {
      connection.pragma('journal_mode = MEMORY');
      connection.pragma('synchronous = OFF');
      migrate(connection);
      connection.prepare('INSERT INTO flags (name, value) VALUES (?, ?)').run(FLAG, 'yes');
    } finally {
      connection.close();
    }
    syncFile(part);
    return replaceDatabase(file, part, 'damaged', now);
  } catch (error) {
    removeDatabase(part);
    throw error;
  }
}
