import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/**
 * Room for a start on a full disk: SQLite allocates the index of its journal, 32 KB or more, before it reads even one row. The file is given
 * up where that fails, and is written anew once there is room.
 */
const fileOf = (dataDir: string): string => path.join(dataDir, 'dailies.reserve');
const BYTES = 256 * 1024;

/** Leaves the room of the reserve to what is written beside it. Throws `ENOSPC` where there is less. */
export function keepReserve(dataDir: string, freeBytes: (folder: string) => number): void {
  const file = fileOf(dataDir);
  if (fs.statSync(file, { throwIfNoEntry: false })?.size === BYTES) return;
  if (freeBytes(dataDir) < 2 * BYTES) throw Object.assign(new Error('no room for the reserve'), { code: 'ENOSPC' });
  try {
    // A file system that packs what it stores gives no room back for zeros.
    fs.writeFileSync(file, randomBytes(BYTES), { mode: 0o600 });
  } catch (error) {
    giveUpReserve(dataDir);
    throw error;
  }
}

/** Whether there was one. */
export function giveUpReserve(dataDir: string): boolean {
  const file = fileOf(dataDir);
  if (!fs.existsSync(file)) return false;
  fs.rmSync(file, { force: true });
  return true;
}
