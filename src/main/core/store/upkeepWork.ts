import fs from 'node:fs';
import type Database from 'better-sqlite3';

/** SQLite's check of the whole file. */
export function checkFile(connection: Database.Database): { ok: boolean; message: string } {
  try {
    const rows = connection.pragma('quick_check(5)') as { quick_check: string }[];
    const faults = rows.map((row) => row.quick_check).filter((line) => line !== 'ok');
    return faults.length === 0
      ? { ok: true, message: 'The database is whole.' }
      : { ok: false, message: faults.join('; ') };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/** A compact copy of what is committed, on disk when this returns. */
export function copyInto(connection: Database.Database, file: string): void {
  connection.prepare('VACUUM INTO ?').run(file);
  const handle = fs.openSync(file, 'r+');
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}
