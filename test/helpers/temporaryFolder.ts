import { mkdtempSync, readdirSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PREFIX = 'dailies-run-';
/** Linux's in-memory folder. Unit tests make many databases: on a disk, writes take a quarter of the run. */
const IN_MEMORY = '/dev/shm';
/** A run uses less than half of this. Containers have only 64 MB by default. */
const ENOUGH_BYTES = 2 ** 31;
const TMPFS = 0x01021994;

/** Puts all temporary folders of a run into one that is removed with the run, so that killed tests leave nothing behind. */
export function setup(): () => void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), PREFIX)));
  const inMemory = folderInMemory();
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  // Programs and threads that start from source are compiled once, not each time.
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
    new URL('../../node_modules/.cache/dailies/compiled', import.meta.url),
  );
  // Read by `inMemory.ts`.
  if (inMemory !== undefined) process.env.TEST_FOLDER_IN_MEMORY = inMemory;
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    delete process.env.TEST_FOLDER_IN_MEMORY;
    for (const made of [folder, inMemory]) if (made) rmSync(made, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** Undefined without such a folder or enough room. The disk works too, only slower. */
function folderInMemory(): string | undefined {
  try {
    const { type, bavail, bsize } = statfsSync(IN_MEMORY);
    if (type !== TMPFS || bavail * bsize < ENOUGH_BYTES) return undefined;
    removeLeftovers();
    return mkdtempSync(join(IN_MEMORY, `${PREFIX}${process.pid}-`));
  } catch {
    return undefined;
  }
}

/** Leftovers of a killed run would occupy memory until the machine restarts. */
function removeLeftovers(): void {
  for (const name of readdirSync(IN_MEMORY)) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (pid > 0 && !isRunning(pid)) rmSync(join(IN_MEMORY, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
