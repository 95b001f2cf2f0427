import { spawnSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { tempDir } from './testPorts.ts';

/** A file system of its own, in memory, that can be filled to the last byte. */
export interface FullVolume {
  folder: string;
  /** Leaves that many bytes, to the next page. */
  fill(free?: number): void;
  makeRoom(): void;
}

/** Unmounted after the test. Undefined where this user may not mount one. */
export function fullVolume(bytes: number): FullVolume | undefined {
  const folder = tempDir('volume');
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]).status !== 0) return undefined;
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill(free = 0) {
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(ballast, Buffer.alloc(bavail * bsize - free));
    },
    makeRoom: () => rmSync(ballast, { force: true }),
  };
}
