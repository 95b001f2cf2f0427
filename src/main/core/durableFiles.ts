import fs from 'node:fs';
import { mkdir, open } from 'node:fs/promises';

/**
 * Files and folders that survive a crash. Only the data folder is accessed synchronously, as SQLite does anyway: a folder that the user
 * chose, such as that of a moved library, may never answer.
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

/** Whether the folder was created. */
export const makeFolder = (folder: string): Promise<boolean> =>
  mkdir(folder, { mode: 0o700 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return false;
    },
  );

/** A rename is durable once its folder is synced; Windows has no such call. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
