import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Logger } from '../ports.ts';

/**
 * Reserves space for a start on a full disk: SQLite allocates the index of its journal, 32 KB or more, before it reads even one row. If
 * that fails, the reserve file is removed, and it is written again once there is space.
 */
const fileOf = (dataDir: string): string => path.join(dataDir, 'dailies.reserve');
const BYTES = 256 * 1024;

interface ReserveDeps {
  freeBytes(folder: string): number;
  log: Pick<Logger, 'info'>;
}

/**
 * Writes the reserve file only if enough other space remains; otherwise throws `ENOSPC`. If the file cannot be written for another reason,
 * such as a quota or a virus scanner, this run has no reserve.
 */
export function keepReserve(dataDir: string, { freeBytes, log }: ReserveDeps): void {
  const free = tried(log, () => (isWhole(dataDir) ? undefined : freeBytes(dataDir)));
  if (free === undefined) return;
  if (free < 2 * BYTES) throw Object.assign(new Error('no room for the reserve'), { code: 'ENOSPC' });
  // Random bytes, because a compressing file system would store zeros without using space.
  tried(log, () => fs.writeFileSync(fileOf(dataDir), randomBytes(BYTES), { mode: 0o600 }));
  if (!tried(log, () => isWhole(dataDir))) releaseDiskReserve(dataDir, log);
}

/** Whether there was a reserve whose space is free now. */
export function releaseDiskReserve(dataDir: string, log: ReserveDeps['log']): boolean {
  const file = fileOf(dataDir);
  if (!fs.existsSync(file)) return false;
  tried(log, () => fs.rmSync(file, { force: true }));
  return !fs.existsSync(file);
}

const isWhole = (dataDir: string): boolean => fs.statSync(fileOf(dataDir), { throwIfNoEntry: false })?.size === BYTES;

/** Undefined after an error: nothing depends on the reserve. */
function tried<T>(log: ReserveDeps['log'], work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    log.info({ error: String(error) }, 'the reserve for a full disk is not kept');
    return undefined;
  }
}
