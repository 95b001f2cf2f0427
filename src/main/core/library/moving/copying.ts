import path from 'node:path';
import { t } from '../../../../shared/text/texts.ts';
import { libraryDir, sizeOf } from '../content/contentStore.ts';
import { markerAt } from '../content/place.ts';
import type { ListedFile } from './fileProgram.ts';
import type { FileThread } from './fileThread.ts';
import type { MoveRow } from './moveTable.ts';
import { codeOf } from './moveTarget.ts';

/** Copies of the library's files in another home, each read back. */

/** An error that ends a move, with its sentence for the user. */
export class MoveFault extends Error {}

export const TARGET_GONE = t`The new folder is not there any more, or is another disk by now.`;

interface Copying {
  thread: FileThread;
  from: string;
  to: string;
  /** The name of the library in the new place: while it is there, so is the disk. */
  library: string;
  signal: AbortSignal;
  /** Resolves once the next file may be begun. */
  goOn(): Promise<void>;
  /** A file is through. */
  passed(file: ListedFile): void;
}

/** At once: small files wait for the disk to sync most of the time. */
const AT_ONCE = 4;

const pathIn = (home: string, name: string): string => path.join(libraryDir(home), ...name.split('/'));
const stemOf = (name: string): string => path.basename(name).slice(0, 64);

/** Copies what is not there yet by name and length, and removes what an earlier copy brought that has gone since. Answers what was copied. */
export async function copyAll(copying: Copying, files: readonly ListedFile[]): Promise<void> {
  const { thread, to, passed } = copying;
  await assertThere(copying);
  const there = new Map((await thread.list(libraryDir(to))).map(({ name, bytes }) => [name, bytes]));
  const wanted = new Set(files.map(({ name }) => name));
  const extra = [...there.keys()].filter((name) => !wanted.has(name));
  if (extra.length > 0) await thread.remove(libraryDir(to), extra);
  await eachOf(copying, files, async (file) => {
    if (there.get(file.name) !== file.bytes) await copyOne(copying, file.name);
    passed(file);
  });
}

/** What was read of the source; undefined if it is not there any more. */
async function copyOne(copying: Copying, name: string): Promise<string | undefined> {
  const { thread, from, to } = copying;
  await assertThere(copying);
  try {
    return (await thread.copy(pathIn(from, name), pathIn(to, name))).sha256;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    if ((await sizeOf(pathIn(from, name))) !== undefined) throw new MoveFault(TARGET_GONE);
    return undefined;
  }
}

/**
 * Reads every file back from the new place. One that differs is copied and read once more: if the new place then holds what the old one
 * gives, it was damaged before, and is kept as it is. Answers how many were.
 */
export async function compareAll(copying: Copying, files: readonly ListedFile[]): Promise<number> {
  let damaged = 0;
  await eachOf(copying, files, async (file) => {
    await assertThere(copying);
    if (!(await isAsNamed(copying, file.name)) && (await wasDamaged(copying, file.name))) damaged += 1;
    copying.passed(file);
  });
  return damaged;
}

async function isAsNamed({ thread, to }: Copying, name: string): Promise<boolean> {
  const read = await thread.hash(pathIn(to, name)).catch((error) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  return read?.sha256 === stemOf(name);
}

async function wasDamaged(copying: Copying, name: string): Promise<boolean> {
  const source = await copyOne(copying, name);
  if (source === undefined) {
    await copying.thread.remove(libraryDir(copying.to), [name]);
    return false;
  }
  const back = await copying.thread.hash(pathIn(copying.to, name));
  if (back.sha256 !== source)
    throw new MoveFault('The disk of the new folder does not give back what was written to it.');
  return source !== stemOf(name);
}

/** Copies these and reads each back; what is not in the old place any more is left out. */
export async function carry(copying: Copying, names: readonly string[]): Promise<void> {
  await eachOf(
    copying,
    names.map((name) => ({ name, bytes: 0 })),
    async ({ name }) => void (await wasDamaged(copying, name)),
  );
}

async function assertThere({ to, library }: Copying): Promise<void> {
  if ((await markerAt(to))?.id !== library) throw new MoveFault(TARGET_GONE);
}

/** A few at once; the first error ends it, after those that have begun. */
async function eachOf(
  { signal, goOn }: Copying,
  files: readonly ListedFile[],
  work: (file: ListedFile) => Promise<void>,
): Promise<void> {
  const left = [...files].reverse();
  const failed = new AbortController();
  const one = async (): Promise<void> => {
    for (;;) {
      await goOn();
      signal.throwIfAborted();
      const file = failed.signal.aborted ? undefined : left.pop();
      if (!file) return;
      await work(file);
    }
  };
  const ended = await Promise.allSettled(
    Array.from({ length: AT_ONCE }, () =>
      one().catch((error) => {
        failed.abort();
        throw error;
      }),
    ),
  );
  const fault = ended.find((end) => end.status === 'rejected');
  if (fault) throw fault.reason;
}

/** How a move ends that could not empty the old folder; one by whose name the library is by now can be anywhere, and is forgotten. */
export const leftOld = (isKnown: boolean): Pick<MoveRow, 'state' | 'error'> & { has_old?: 0 } => ({
  state: 'failed',
  ...(isKnown
    ? { error: t`The library is in the new folder, whole; the old folder could not be emptied. Remove it again later.` }
    : {
        error: t`The library is complete. The old folder has another name now: remove it by hand.`,
        has_old: 0,
      }),
});

/** What is said of a move that has ended before its switch. */
export const endOf = (error: unknown): string => t`${sentenceOf(error)} The library is where it was, whole.`;

function sentenceOf(error: unknown): string {
  if (error instanceof MoveFault) return error.message;
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return t`The disk of the new folder is full.`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return t`The new folder cannot be written to.`;
  if (['ENOENT', 'ENOTDIR', 'EIO', 'ENODEV', 'ENXIO', 'ESTALE', 'ENOTCONN'].includes(code)) return TARGET_GONE;
  return t`Something went wrong in Dailies.`;
}
