import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Logger } from '../ports.ts';

/**
 * Room for a start on a full disk: SQLite allocates the index of its journal, 32 KB or more, before it reads even one row. The file is given
 * up where that fails, and is written anew once there is room.
 */
const fileOf = (dataDir: string): string => path.join(dataDir, 'dailies.reserve');
const BYTES = 256 * 1024;

interface ReserveDeps {
  freeBytes(folder: string): number;
  log: Pick<Logger, 'info'>;
}

/**
 * Leaves the room of the reserve to what is written beside it: throws `ENOSPC` where there is less. Where it cannot be kept otherwise, as
 * under a quota or where a virus scanner holds it, this run does without.
 */
export function keepReserve(dataDir: string, { freeBytes, log }: ReserveDeps): void {
  const free = tried(log, () => (isWhole(dataDir) ? undefined : freeBytes(dataDir)));
  if (free === undefined) return;
  if (free < 2 * BYTES) throw Object.assign(new Error('no room for the reserve'), { code: 'ENOSPC' });
  // A file system that packs what it stores gives no room back for zeros.
  tried(log, () => fs.writeFileSync(fileOf(dataDir), randomBytes(BYTES), { mode: 0o600 }));
  if (!tried(log, () => isWhole(dataDir))) releaseDiskReserve(dataDir, log);
}

/** Whether there was one, and its room is free now. */
export function releaseDiskReserve(dataDir: string, log: ReserveDeps['log']): boolean {
  const file = fileOf(dataDir);
  if (!fs.existsSync(file)) return false;
  tried(log, () => fs.rmSync(file, { force: true }));
  return !fs.existsSync(file);
}

const isWhole = (dataDir: string): boolean => fs.statSync(fileOf(dataDir), { throwIfNoEntry: false })?.size === BYTES;

/** Undefined where it failed: nothing depends on the reserve. */
function tried<T>(log: ReserveDeps['log'], work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    log.info({ error: String(error) }, 'the reserve for a full disk is not kept');
    return undefined;
  }
}
