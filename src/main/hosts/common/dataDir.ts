import { existsSync, lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { t } from '../../../shared/text/texts.ts';
import { JOURNAL_SUFFIXES, problemOfFile } from '../../core/store/index.ts';
import { defaultDataDir } from './defaultDataDir.ts';

export interface DataFolder {
  /** Absolute, links resolved. */
  path: string;
  /** Releases the folder for another program. */
  release(): void;
}

/** `path` as in {@link DataFolder}, if the folder exists. */
type Taken = { ok: true; folder: DataFolder } | { ok: false; message: string; path?: string };

/** Creates the folder for its owner only and locks it for this process. The refusal is one sentence. */
export function takeDataFolder(wanted: string | undefined): Taken {
  const asked = resolve(wanted ?? defaultDataDir());
  let path: string;
  try {
    makeFolders(asked);
    path = realpathSync(asked);
  } catch (error) {
    return { ok: false, message: t`The data folder ${asked} cannot be used: ${messageOf(error)}.` };
  }
  try {
    const locks = takeLocks(path);
    return { ok: true, folder: { path, release: () => locks.forEach(release) } };
  } catch (error) {
    const busy = (error as { code?: unknown }).code === 'SQLITE_BUSY';

    return {
      ok: false,
      message: busy
        ? t`The data folder ${path} is in use by another Dailies.`
        : t`The data folder ${path} cannot be used: ${messageOf(error)}.`,
      path,
    };
  }
}

/** Not with `recursive`, which never ends where nothing can be created, as in /proc. */
function makeFolders(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolders(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another program created it meanwhile; if it is no folder, its user will find out.
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
  }
}

/** Keeps the locks alive: a garbage-collected lock would be released. */
const held = new Set<Database.Database>();

/** One in the folder, and one beside it, which holds if the folder's is deleted. */
function takeLocks(path: string): Database.Database[] {
  const lock = takeLock(join(path, '.lock'));
  try {
    const beside = lockFileBeside(path);
    return beside === undefined ? [lock] : [lock, takeLock(beside)];
  } catch (error) {
    release(lock);
    throw error;
  }
}

/**
 * A lock file outside of the folder, in a folder of this user alone, found by the folder's identity whatever its path. Undefined if there
 * can be none, and on Windows, which deletes no open file.
 */
function lockFileBeside(path: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  try {
    const { uid } = userInfo();
    const folder = join(tmpdir(), `dailies-locks-${uid}`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o022) !== 0) return undefined;
    const { dev, ino } = statSync(path, { bigint: true });
    return join(folder, `${dev}-${ino}`);
  } catch {
    return undefined;
  }
}

/** An operating system lock: it ends with its process in any case, and unlike a pid file it is never stale. */
function takeLock(path: string): Database.Database {
  for (const place of [path, ...JOURNAL_SUFFIXES.map((suffix) => path + suffix)]) {
    const fault = problemOfFile(place);
    if (fault !== undefined) throw new Error(fault);
  }
  const lock = new Database(path, { timeout: 0 });
  try {
    // The first page of an empty database needs a journal, which on a full disk must not be a file.
    lock.pragma('journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw error;
  }
  held.add(lock);
  return lock;
}

function release(lock: Database.Database): void {
  held.delete(lock);
  lock.close();
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
