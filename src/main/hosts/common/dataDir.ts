import { mkdirSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { t } from '../../../shared/texts.ts';
import { JOURNAL_SUFFIXES, problemOfFile } from '../../core/store/index.ts';
import { defaultDataDir } from './defaultDataDir.ts';

export interface DataFolder {
  /** Absolute, links resolved. */
  path: string;
  /** Releases the folder for another program. */
  release(): void;
}

/** `path`, as in {@link DataFolder}, if the folder exists. */
type Taken = { ok: true; folder: DataFolder } | { ok: false; message: string; path?: string };

/** Creates the folder for its owner only and locks it for this process. The refusal is one sentence. */
export function takeDataFolder(wanted: string | undefined): Taken {
  const asked = resolve(wanted ?? defaultDataDir());
  let path: string;
  try {
    mkdirSync(asked, { recursive: true, mode: 0o700 });
    path = realpathSync(asked);
  } catch (error) {
    return { ok: false, message: t`The data folder ${asked} cannot be used: ${messageOf(error)}.` };
  }
  try {
    const lock = takeLock(join(path, '.lock'));
    return { ok: true, folder: { path, release: () => release(lock) } };
  } catch (error) {
    const busy = (error as { code?: unknown }).code === 'SQLITE_BUSY';
    const why = busy ? 'is in use by another Dailies' : `cannot be used: ${messageOf(error)}`;
    return { ok: false, message: t`The data folder ${path} ${why}.`, path };
  }
}

/** References keep the locks alive: a collected lock would be released in the middle of a night. */
const held = new Set<Database.Database>();

/** An operating system lock: it ends with its process, however that ends, and unlike a pid file it cannot be mistaken. */
function takeLock(path: string): Database.Database {
  for (const place of [path, ...JOURNAL_SUFFIXES.map((suffix) => path + suffix)]) {
    const fault = problemOfFile(place);
    if (fault !== undefined) throw new Error(fault);
  }
  const lock = new Database(path, { timeout: 0 });
  try {
    // An empty database is begun with its first page, and a journal of that in a file would need room on the disk.
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
