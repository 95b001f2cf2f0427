import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Makes new files of this process and its children readable by their owner only. */
export function restrictNewFiles(): void {
  process.umask(0o077);
}

const OWN_FILES =
  /^(dailies\.db(-wal|-shm|-journal)?|settings.*\.json|(browser|desktop)-host\.json|dailies\..+\.db|\.lock(-journal)?)$/;
const OWN_FOLDERS = new Set([
  'backups',
  'bundles',
  'crashes',
  'dragged',
  'library',
  'logs',
  'media-browser',
  'sandbox',
  'window',
]);

/**
 * Restricts files that an earlier Dailies left readable, by name: the folder itself and its other contents may be arranged by the user. A
 * restricted folder hides its contents.
 */
export function restrictExistingFiles(dataDir: string): void {
  if (process.platform === 'win32') return;
  for (const name of readdirSync(dataDir)) {
    const path = join(dataDir, name);
    const stats = lstatSync(path);
    const ours = stats.isDirectory() ? OWN_FOLDERS.has(name) : stats.isFile() && OWN_FILES.test(name);
    if (ours && (stats.mode & 0o077) !== 0 && stats.uid === process.getuid?.()) restrict(path, stats.mode);
  }
}

/** Some file systems have no permissions. */
function restrict(path: string, mode: number): void {
  try {
    chmodSync(path, mode & 0o700);
  } catch {}
}
