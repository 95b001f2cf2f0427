import fs from 'node:fs';

/**
 * Synchronous calls on the data folder. SQLite calls its disk in the same way, so nothing goes on without it anyway. Folders that the user
 * names, also the home of a library that was moved, may never answer: they are touched asynchronously.
 */

/** A rename is durable once its folder is synced; Windows has no such call. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

export function writeSynced(file: string, text: string): void {
  const handle = fs.openSync(file, 'w', 0o600);
  try {
    fs.writeFileSync(handle, text);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

export function freeBytesOf(dataDir: string): number {
  const disk = fs.statfsSync(dataDir);
  return disk.bavail * disk.bsize;
}
