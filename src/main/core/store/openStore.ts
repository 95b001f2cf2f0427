import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { en } from '../../../shared/text/texts.ts';
import { codeOf, isDiskFull, messageOf } from '../faults.ts';
import type { Clock, Logger } from '../ports.ts';
import { WorkQueue } from '../timeSlicing.ts';
import { readWithBackup, withPast } from './backup/attachedBackup.ts';
import { backUp, backupDir, beginBackup, dropUnfinished, finishReplacing } from './backup/backup.ts';
import { type Recovery, recoveryOf, replaceDamaged } from './backup/recovery.ts';
import { Upkeep } from './backup/upkeep.ts';
import type { UpkeepAnswer } from './backup/upkeepWork.ts';
import { markedChanged, RevisionNotifier, type TrackedTable } from './changeWatch.ts';
import { assertDurability, handleOf, type ReadDb, setDurability, type WriteDb } from './connection.ts';
import { releaseDiskReserve } from './diskReserve.ts';
import { JOURNAL_SUFFIXES, problemOfFile, problemOfFolder, removeDatabase } from './fileProblems.ts';
import { GroupCommit } from './groupCommit.ts';
import { faultOfVersion, migrate, newestVersion, versionOf } from './migrations/migrate.ts';
import { ReadThread } from './reading/readThread.ts';
import { keepTextIndex } from './reading/textIndex.ts';

export interface Store {
  /** Committed rows, on a read-only connection. */
  read: ReadDb;
  /** Several reads of one snapshot, faster than separate ones. `work` must be synchronous. */
  readTransaction<T>(work: (db: ReadDb) => T): T;
  /**
   * Runs `work` in one `BEGIN IMMEDIATE` transaction and returns its value; it is on disk when this returns. `work` must be synchronous.
   * An exception rolls everything back and is rethrown.
   */
  transaction<T>(work: (db: WriteDb) => T): T;
  /** Like {@link transaction}, but shares a commit with others of the same turn; resolves when it is on disk. `work` may run twice. */
  grouped<T>(work: (db: WriteDb) => T): Promise<T>;
  /** After each commit, and before its caller continues, `listener` gets the ids of added and changed rows. */
  onRevised(table: TrackedTable, listener: (ids: readonly string[]) => void): void;
  /** Notifies of these rows as if they had changed: they were hidden, and become visible now. */
  noteRevised(table: TrackedTable, ids: readonly string[]): void;
  /**
   * Runs `work` in a separate thread, for reads that count or sort many rows. It is run again for each statement that it reads, so it must
   * do nothing but read and compute.
   */
  readInThread<T>(work: (db: ReadDb) => T): Promise<T>;
  /** SQLite's check of the whole file, in a separate process; undefined if it did not finish. */
  check(): Promise<{ ok: boolean; message: string } | undefined>;
  /** Makes a backup in a separate process, verifies it and returns its path. Rejects with an error code if none was made. */
  backUp(label: string): Promise<string>;
  /**
   * Unpacks a backup for {@link Store.readWithBackup} and {@link Store.transactionWithBackup}, in a process of its own, and returns the path.
   * Rejects with the code `damaged`, `newer` or `foreign` if it cannot be used.
   */
  unpack(name: string): Promise<string>;
  /** Reads our database and an unpacked backup, whose tables are `past.…`. */
  readWithBackup<T>(past: string, work: (db: ReadDb) => T): T;
  /** Like {@link transaction}, with an unpacked backup beside ours; only ours can be written. */
  transactionWithBackup<T>(past: string, work: (db: WriteDb) => T): T;
  /** Set if a damaged file was moved aside, until a backup is restored or the user continues without one ({@link endRecovery}). */
  readonly recovery?: Recovery | undefined;
  /** Empties the page caches; later reads use the cache of the system. */
  releaseMemory(): void;
  /** Aborts reads, checks and copies in other threads and processes. */
  close(): void | Promise<void>;
}

export interface OpenStoreOptions {
  dataDir: string;
  clock: Pick<Clock, 'now'>;
  log: Pick<Logger, 'warn' | 'error' | 'info'>;
}

export const databaseFile = (dataDir: string): string => path.join(dataDir, 'dailies.db');

/**
 * Opens or creates the database of a data folder. One of a newer version or of a development build is refused; a damaged one is moved aside
 * and an empty one created, with the backups listed in `recovery`.
 */
export function openStore(options: OpenStoreOptions): Result<Store> {
  const opened = openOnce(options);
  if (opened !== 'full') return opened;
  const again = releaseDiskReserve(options.dataDir, options.log) ? openOnce(options) : 'full';
  return again === 'full' ? fail('store_unavailable', FULL) : again;
}

const FULL = en`The disk of the data folder is full, and the database cannot be opened. Make room there and start again; nothing was sent or removed.`;

const DEVELOPMENT = en`This data folder was written by a development build of Dailies, which this version cannot open; choose another folder with --data-dir.`;

function openOnce(options: OpenStoreOptions): Result<Store> | 'full' {
  const file = databaseFile(options.dataDir);
  fs.mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const fault = faultOfReplacing(file, options) ?? problemOfPaths(options.dataDir, file);
  if (fault !== undefined) return fail('store_unavailable', en`The database cannot be opened: ${fault}.`);
  const found = tryOpen(file);
  if (found.type === 'newer') {
    return fail(
      'store_unavailable',
      en`This data folder was written by a newer Dailies (data version ${found.version}; this one knows ${newestVersion()}). Update Dailies, or choose another folder with --data-dir.`,
    );
  }
  if (found.type === 'development') return fail('store_unavailable', DEVELOPMENT);
  if (found.type === 'ok') return opened(found.connection, file, options);
  if (found.type === 'damaged') return openEmpty(file, options);
  if (isFull(found.error)) return 'full';
  return fail('store_unavailable', en`The database cannot be opened: ${messageOf(found.error)}.`);
}

/** Opening may need to write, for example to update tables, and may find no space. */
function opened(connection: Database.Database, file: string, options: OpenStoreOptions): Result<Store> | 'full' {
  try {
    return ok(storeOn(connection, file, options));
  } catch (error) {
    connection.close();
    if (!isFull(error)) throw error;
    options.log.error({ error: String(error) }, 'there is no room to open the database');
    return 'full';
  }
}

/** Opens an empty database in place of a damaged one. */
function openEmpty(file: string, options: OpenStoreOptions): Result<Store> | 'full' {
  try {
    const movedTo = replaceDamaged(file, options.clock.now());
    options.log.error({ movedTo }, 'the database was damaged and has been moved aside');
  } catch (error) {
    options.log.error({ error: String(error) }, 'the database is damaged, and a new one cannot be created');
    return fail('store_unavailable', EMPTY_FAILED);
  }
  const fresh = tryOpen(file);
  return fresh.type === 'ok' ? opened(fresh.connection, file, options) : fail('store_unavailable', EMPTY_FAILED);
}

const EMPTY_FAILED = en`The database is damaged, and a new one cannot be created in the data folder. Make room there and start again; nothing was sent or removed.`;

/** Why an interrupted replacement cannot be completed. */
function faultOfReplacing(file: string, { clock }: OpenStoreOptions): string | undefined {
  try {
    finishReplacing(file, clock.now());
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Checks the paths first: SQLite opens anything, and blocks on a pipe. */
function problemOfPaths(dataDir: string, file: string): string | undefined {
  for (const one of [file, ...JOURNAL_SUFFIXES.map((suffix) => file + suffix)]) {
    const fault = problemOfFile(one);
    if (fault !== undefined) return fault;
  }
  return problemOfFolder(backupDir(dataDir));
}

type OpenResult =
  | { type: 'ok'; connection: Database.Database }
  | { type: 'newer'; version: number }
  | { type: 'development' }
  | { type: 'damaged' }
  | { type: 'unusable'; error: unknown };

/** No space for the index of the journal, or for a write. */
const isFull = (error: unknown): boolean => isDiskFull(error) || codeOf(error) === 'SQLITE_IOERR_SHMSIZE';

function tryOpen(file: string): OpenResult {
  let connection: Database.Database | undefined;
  try {
    connection = new Database(file);
    const version = versionOf(connection);
    const type = faultOfVersion(version);
    if (type) {
      connection.close();
      return { type, version };
    }
    connection.prepare('SELECT count(*) FROM sqlite_master').get();
    return { type: 'ok', connection };
  } catch (error) {
    connection?.close();
    return /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error)) ? { type: 'damaged' } : { type: 'unusable', error };
  }
}

function storeOn(connection: Database.Database, file: string, options: OpenStoreOptions): Store {
  setDurability(connection);
  const label = `v${versionOf(connection)}`;
  // Migrations that `migrateInThread` could not run.
  const beforeFirst = () => void backUp(connection, options.dataDir, label, options.clock.now());
  migrate(connection, { beforeFirst });
  assertDurability(connection);
  // Before the reader opens, which would not see the new statistics.
  renewStatistics(connection, options.log, 'optimize = 0x10002');
  keepTextIndex(connection);
  const write = handleOf(connection, options.clock, options.log);
  const reader = new Database(file, { readonly: true });
  const read = handleOf(reader, options.clock, options.log);
  const revised = new RevisionNotifier(connection, options.log);
  const commit = <T>(work: (db: WriteDb) => T): T =>
    revised.notifyAfter(() => connection.transaction(() => work(write)).immediate());
  const transaction = <T>(work: (db: WriteDb) => T): T => markedChanged(commit(work));
  // Without a change watch, because a commit serves several calls; each notes its own changes.
  const groups = new GroupCommit({ transaction: commit });
  const readOnly: ReadDb = { one: read.one, all: read.all };
  const readTransaction = <T>(work: (db: ReadDb) => T): T => reader.transaction(() => work(readOnly)).deferred();
  const away = new ReadThread({ file, readHere: readTransaction, log: options.log });
  const upkeep = new Upkeep();
  const hourly = setInterval(() => renewStatistics(connection, options.log), 3_600_000).unref();
  return {
    read: readOnly,
    readTransaction,
    transaction,
    grouped: async (work) => markedChanged(await groups.write(work)),
    onRevised: (table, listener) => revised.on(table, listener),
    noteRevised: (table, ids) => revised.note(table, ids),
    readInThread: (work) => away.read(work),
    check: () => upkeep.run({ type: 'check', file }),
    backUp: backUpsOf(upkeep, file, options),
    unpack: (name) => unpackInto(upkeep, path.join(backupDir(options.dataDir), name), unpackedFile(options.dataDir)),
    readWithBackup: (past, work) => readWithBackup({ file, past }, options, work),
    transactionWithBackup: (past, work) => withPast(connection, past, () => transaction(work)),
    get recovery() {
      return recoveryOf(readOnly, file);
    },
    releaseMemory: () => {
      for (const held of [connection, reader]) held.pragma('shrink_memory');
    },
    close: () => {
      clearInterval(hourly);
      groups.flush();
      upkeep.close();
      const close = () => {
        reader.close();
        // A damaged database must be closed too, or no backup could replace it.
        renewStatistics(connection, options.log);
        connection.close();
      };
      const readsEnd = away.close();
      return readsEnd ? readsEnd.then(close) : close();
    },
  };
}

/** Updates statistics: those of a table that has grown since mislead the planner. Only such tables are examined, by samples. */
function renewStatistics(connection: Database.Database, log: OpenStoreOptions['log'], how = 'optimize'): void {
  try {
    connection.pragma(how);
  } catch (error) {
    log.info({ error: String(error) }, 'the statistics are not renewed');
  }
}

/** The path for unpacking a backup; a start removes leftovers of a kill. */
export const unpackedFile = (dataDir: string): string => path.join(dataDir, 'dailies.past.db');

async function unpackInto(upkeep: Upkeep, file: string, into: string): Promise<string> {
  const unpacked = await upkeep.run({ type: 'unpack', file, into });
  if (unpacked?.ok) return into;
  // A refused or incomplete copy is never read, and may be as large as the backup.
  removeDatabase(into);
  throw faultFrom(unpacked, 'The backup could not be read to its end.');
}

const faultFrom = (answer: UpkeepAnswer | undefined, otherwise: string): Error =>
  Object.assign(new Error(answer?.message ?? otherwise), answer?.code === undefined ? {} : { code: answer.code });

/** One at a time, because each removes the leftovers of an earlier one. */
function backUpsOf(
  upkeep: Upkeep,
  file: string,
  { dataDir, clock }: Pick<OpenStoreOptions, 'dataDir' | 'clock'>,
): (label: string) => Promise<string> {
  const queue = new WorkQueue();
  const make = async (label: string): Promise<string> => {
    const at = clock.now();
    const { part, finish } = beginBackup(dataDir, label, at);
    const copied = await upkeep.run({ type: 'copy', file, into: part, at });
    if (!copied?.ok) {
      dropUnfinished(dataDir);
      throw faultFrom(copied, 'The copy did not come to its end.');
    }
    return finish();
  };
  return (label) => queue.add(() => make(label));
}
