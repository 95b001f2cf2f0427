import { accessSync, constants, rmSync, type Stats, statSync } from 'node:fs';
import { codeOf, isDiskFull } from '../faults.ts';

/** Suffixes of the files that SQLite keeps next to a database. */
export const JOURNAL_SUFFIXES = ['-wal', '-shm', '-journal'];

/** Removes a database that nothing has open, with what belongs to it. */
export function removeDatabase(file: string): void {
  for (const suffix of ['', ...JOURNAL_SUFFIXES]) rmSync(file + suffix, { force: true });
}

/**
 * Why the path cannot be used as a file, in words that follow its name; undefined for a file, a link to one, or a missing path. Opening a
 * named pipe would block for ever, and a device has no end.
 */
export function problemOfFile(path: string): string | undefined {
  return faultOf(path, (stats) => stats.isFile(), 'file');
}

/** The same for a folder. */
export function problemOfFolder(path: string): string | undefined {
  return faultOf(path, (stats) => stats.isDirectory(), 'folder');
}

function faultOf(path: string, isRight: (stats: Stats) => boolean, wanted: string): string | undefined {
  let stats: Stats | undefined;
  try {
    stats = statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isLinkLoop(error)) return `${path} is ${LINK_LOOP}, not a ${wanted}`;
    throw error;
  }
  if (!stats) return undefined;
  if (!isRight(stats)) return `${path} is ${describeFileType(stats)}, not a ${wanted}`;
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return undefined;
  } catch {
    return `${path} may not be read and written by this user`;
  }
}

/** Describes a circular link, as in "is a link that leads to itself". */
export const LINK_LOOP = 'a link that leads to itself';
/** Whether reading a path failed on a circular link. */
export const isLinkLoop = (error: unknown): boolean => codeOf(error) === 'ELOOP';

/** Describes a file type, as in "is a socket". */
export function describeFileType(stats: Stats): string {
  if (stats.isFile()) return 'a file';
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  if (stats.isDirectory()) return 'a folder';
  return 'a device';
}

/**
 * Whether an error comes from the disk, by SQLite (`SQLITE_FULL`, `SQLITE_IOERR_WRITE` …) or by a file; such errors pass when there is
 * space again.
 */
export function isDiskFault(error: unknown): boolean {
  return isDiskFull(error) || /^(SQLITE_(IOERR|BUSY|CANTOPEN)|EIO$)/.test(codeOf(error));
}

/** For optional clean-up during a query or a start, which continue even if it cannot be written. */
export function ignoringDiskFull(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!isDiskFault(error)) throw error;
  }
}
