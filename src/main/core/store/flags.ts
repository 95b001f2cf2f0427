import Database from 'better-sqlite3';
import type { z } from 'zod';
import { type ReadDb, sql, type WriteDb } from './connection.ts';

/** Single values that outlive a restart, by name; a module names its own with a prefix such as `prices:`. */

const byName = sql('flags.get', 'SELECT value FROM flags WHERE name = $name');
const save = sql(
  'flags.set',
  'INSERT INTO flags (name, value) VALUES ($name, $value) ON CONFLICT DO UPDATE SET value = $value',
);
const remove = sql('flags.delete', 'DELETE FROM flags WHERE name = $name');
const withPrefix = sql(
  'flags.withPrefix',
  'SELECT name, value FROM flags WHERE substr(name, 1, length($prefix)) = $prefix',
);

export const readFlag = (db: ReadDb, name: string): string | undefined =>
  db.one<{ value: string }>(byName, { name })?.value;
/** A value stored as JSON; undefined if it is missing or has another form. */
export function readJsonFlag<Schema extends z.ZodType>(db: ReadDb, name: string, schema: Schema) {
  try {
    return schema.safeParse(JSON.parse(readFlag(db, name) ?? 'null')).data;
  } catch {
    return undefined;
  }
}
export const writeFlag = (db: WriteDb, name: string, value: string): number => db.run(save, { name, value });
export const deleteFlag = (db: WriteDb, name: string): number => db.run(remove, { name });
export const flagsWithPrefix = (db: ReadDb, prefix: string): { name: string; value: string }[] =>
  db.all<{ name: string; value: string }>(withPrefix, { prefix });

/**
 * Each backup says in its own tables that it is one, and of when. By whatever way it comes to be the database of a folder (a restore, a
 * copy by hand, a copy from elsewhere), it knows nothing of what was sent since it was made: what waits in it may have been paid for. So
 * its queue is held until the user lets it go on.
 */
const FLAG = 'store:backupOf';

/**
 * Set once the effects of a restore have begun. Copies do not have it, because a copy made while the queue was paused may be restored in
 * turn.
 */
const BEGUN = 'store:backupBegun';

/**
 * Marks a copy that nobody else uses yet. The mark is on disk only after the caller has flushed it; a half-written copy is removed after a
 * kill. A copy of a paused backup keeps that backup's time, because its waiting jobs may have been sent since then.
 */
export function flagAsBackup(file: string, at: number): void {
  const connection = new Database(file, { fileMustExist: true });
  try {
    connection.pragma('journal_mode = MEMORY');
    connection.pragma('synchronous = OFF');
    connection
      .prepare('INSERT INTO flags (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING')
      .run(FLAG, String(Math.round(at)));
    connection.prepare('DELETE FROM flags WHERE name = ?').run(BEGUN);
  } finally {
    connection.close();
  }
}

/** The time of the backup that this database is, milliseconds since 1970; undefined once the user has resumed its queue. */
export function restoredFrom(db: ReadDb): number | undefined {
  const at = readFlag(db, FLAG);
  return at === undefined ? undefined : Number(at);
}

/** The user has checked the bill, so waiting jobs may be sent. */
export const releaseRestored = (db: WriteDb): number => deleteFlag(db, FLAG);

/** Whether the database is a restored backup that was not noted yet. */
export const isFreshlyRestored = (db: ReadDb): boolean =>
  restoredFrom(db) !== undefined && readFlag(db, BEGUN) === undefined;

export const noteRestored = (db: WriteDb): number => writeFlag(db, BEGUN, 'yes');
