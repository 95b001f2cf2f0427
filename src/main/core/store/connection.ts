import type Database from 'better-sqlite3';
import type { Clock, Logger } from '../ports.ts';

/** A named statement: prepared once, and named in the log when it is slow. */
export interface Sql {
  name: string;
  text: string;
}

export const sql = (name: string, text: string): Sql => ({ name, text });

type SqlValue = string | number | null;
export type SqlParams = Record<string, SqlValue>;

/** Reads committed rows. A module that only reads takes this type, so that it cannot write. */
export interface ReadDb {
  one<Row>(statement: Sql, params?: SqlParams): Row | undefined;
  all<Row>(statement: Sql, params?: SqlParams): Row[];
}

/** Available inside a transaction only; reads through it see the transaction's own rows. */
export interface WriteDb extends ReadDb {
  /** Returns the number of changed rows. */
  run(statement: Sql, params?: SqlParams): number;
  /** The time, in milliseconds since 1970. */
  now(): number;
}

/** Slower statements are logged by name, only in the file: a busy machine is no reason to warn somebody in the terminal. */
const SLOW_MS = 40;

/** Wraps a connection; statements are prepared on first use and kept. */
export function handleOf(connection: Database.Database, clock: Pick<Clock, 'now'>, log: Pick<Logger, 'info'>): WriteDb {
  const prepared = new Map<string, Database.Statement>();
  const statementOf = ({ text }: Sql): Database.Statement => {
    const known = prepared.get(text);
    if (known) return known;
    const fresh = connection.prepare(text);
    prepared.set(text, fresh);
    return fresh;
  };
  const timed = <T>({ name }: Sql, work: () => T): T => {
    const start = clock.now();
    const value = work();
    const ms = clock.now() - start;
    if (ms > SLOW_MS) log.info({ statement: name, ms }, 'slow statement');
    return value;
  };
  return {
    one: <Row>(statement: Sql, params: SqlParams = {}) =>
      timed(statement, () => statementOf(statement).get(params) as Row | undefined),
    all: <Row>(statement: Sql, params: SqlParams = {}) =>
      timed(statement, () => statementOf(statement).all(params) as Row[]),
    run: (statement, params = {}) => timed(statement, () => statementOf(statement).run(params).changes),
    now: () => clock.now(),
  };
}

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
  // A checkpoint takes milliseconds. This interval is long enough that 99 of 100 claims are not delayed by one.
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

/** In SQL, the part of an id after its last slash, because `operations/abc` and `abc` mean the same. */
export const lastPartOf = (column: string): string =>
  `substr(${column}, length(rtrim(${column}, replace(${column}, '/', ''))) + 1)`;
