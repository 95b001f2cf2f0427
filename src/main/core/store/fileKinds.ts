import { accessSync, constants, type Stats, statSync } from 'node:fs';

/** What SQLite keeps beside a database. */
export const JOURNALS = ['-wal', '-shm', '-journal'];

/**
 * Why what stands at this path cannot be used as a file, in words that follow its name; undefined for a file, for a link to one, and where
 * nothing stands. To open a named pipe would wait for ever, and a device has no end.
 */
export function faultOfFile(path: string): string | undefined {
  return faultOf(path, (stats) => stats.isFile(), 'file');
}

/** The same for a folder. */
export function faultOfFolder(path: string): string | undefined {
  return faultOf(path, (stats) => stats.isDirectory(), 'folder');
}

function faultOf(path: string, isRight: (stats: Stats) => boolean, wanted: string): string | undefined {
  let stats: Stats | undefined;
  try {
    stats = statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isLoop(error)) return `${path} is ${LOOP}, not a ${wanted}`;
    throw error;
  }
  if (!stats) return undefined;
  if (!isRight(stats)) return `${path} is ${kindOf(stats)}, not a ${wanted}`;
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return undefined;
  } catch {
    return `${path} may not be read and written by this user`;
  }
}

/** As in "is a link that leads to itself". */
export const LOOP = 'a link that leads to itself';
/** Whether a look at a path failed on such a link. */
export const isLoop = (error: unknown): boolean => (error as { code?: unknown }).code === 'ELOOP';

/** As in "is a socket". */
export function kindOf(stats: Stats): string {
  if (stats.isFile()) return 'a file';
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  if (stats.isDirectory()) return 'a folder';
  return 'a device';
}
