import fs from 'node:fs';

/**
 * Synchronous calls on the data folder, as SQLite makes them anyway. Folders named by the user, a moved library's included, may never answer
 * and are accessed asynchronously.
 */

/** A rename is durable once its folder is synced; Windows has no such call. */
export function syncFolderSync(folder: string): void {
  if (process.platform !== 'win32') syncFile(folder, 'r');
}

export function syncFile(file: string, flags = 'r+'): void {
  const handle = fs.openSync(file, flags);
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
