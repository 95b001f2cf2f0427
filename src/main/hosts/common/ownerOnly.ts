import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Whatever this process and the programs that it starts make from now on is readable by its owner alone. */
export function makeForOwnerOnly(): void {
  process.umask(0o077);
}

const OURS = /^(dailies\.db(-wal|-shm|-journal)?|settings.*\.json|browser-host\.json|\.lock(-journal)?)$/;
const OUR_FOLDERS = new Set(['backups', 'library', 'logs', 'sandbox', 'window', 'media-browser']);

/**
 * Closes to others what an earlier Dailies left open in its data folder, by name: the folder itself and what else is in it may be
 * somebody's own arrangement. A folder that is shut hides all that is in it.
 */
export function closeToOthers(dataDir: string): void {
  if (process.platform === 'win32') return;
  for (const name of readdirSync(dataDir)) {
    const path = join(dataDir, name);
    const stats = lstatSync(path);
    const ours = stats.isDirectory() ? OUR_FOLDERS.has(name) : stats.isFile() && OURS.test(name);
    if (ours && (stats.mode & 0o077) !== 0 && stats.uid === process.getuid?.()) close(path, stats.mode);
  }
}

/** A file system that keeps no modes has nothing to close. */
function close(path: string, mode: number): void {
  try {
    chmodSync(path, mode & 0o700);
  } catch {}
}
