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
 * The empty database that takes the place of a damaged one says so in its own tables, over restarts, until a backup replaces it or the user
 * goes on without one. Until then its missing rows mean nothing: no file is removed for want of one, and no backup for its age.
 */
const FLAG = 'store:recovering';

export interface Recovery {
  /** Where the damaged file is. */
  movedTo: string;
  /** What can replace the empty one, newest first. */
  backups: Backup[];
}

export const isRecovering = (db: ReadDb): boolean => readFlag(db, FLAG) !== undefined;

export const recoveryOf = (db: ReadDb, file: string): Recovery | undefined =>
  isRecovering(db) ? { movedTo: newestDamaged(file), backups: listBackups(path.dirname(file)) } : undefined;

/**
 * Whether rows may be missing for what is on disk: after damage, and in a backup that has just taken the place of the database, which may be
 * exchanged for another. What no row names is kept meanwhile.
 */
export const mayLackRows = (db: ReadDb): boolean => isRecovering(db) || restoredFrom(db) !== undefined;

/** The user goes on with what there is now. */
export const endRecovery = (db: WriteDb): number => deleteFlag(db, FLAG);

function newestDamaged(file: string): string {
  const folder = path.dirname(file);
  const start = `${path.basename(file, '.db')}.damaged-`;
  const names = fs.readdirSync(folder).filter((name) => name.startsWith(start) && name.endsWith('.db'));
  return path.join(folder, names.sort().at(-1) ?? path.basename(file));
}

/**
 * Puts an empty database in the place of a damaged one, which is moved aside; returns its new name. The empty one is complete on disk, with
 * its flag, before that: a kill leaves the damaged file, or an empty one that says what it is. Throws if there is no room for it.
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
