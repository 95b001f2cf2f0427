import type Database from 'better-sqlite3';

/**
 * WAL lets pages read while the engine writes. FULL, because the claim is the durable intent to send: with NORMAL (this build's default
 * in WAL) a power cut could lose a commit after the request went out. {@link assertDurability} checks it after the first write, when the
 * default would have taken effect: a silent NORMAL would break promise 1.
 */
export function setDurability(connection: Database.Database): void {
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  connection.pragma('busy_timeout = 5000');
  // A checkpoint takes milliseconds: rare enough that 99 of 100 claims do not meet one.
  connection.pragma('wal_autocheckpoint = 4000');
  connection.pragma('cache_size = -32768');
  connection.pragma('journal_size_limit = 67108864');
}

const FULL = 2;

export function assertDurability(connection: Database.Database): void {
  const mode = connection.pragma('journal_mode', { simple: true });
  const level = connection.pragma('synchronous', { simple: true });
  if (mode !== 'wal' || level !== FULL) {
    throw new Error(`the database is not durable: journal_mode ${String(mode)}, synchronous ${String(level)}`);
  }
}
