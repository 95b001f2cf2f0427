import fs from 'node:fs/promises';
import path from 'node:path';
import type { SavedBackup } from '../../../shared/contract/backupCalls.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { en } from '../../../shared/text/texts.ts';
import { isDiskFull, isWriteProtected, messageOf } from '../faults.ts';
import type { FileThread } from '../library/index.ts';

/**
 * Copies a backup elsewhere under its own name, so that it keeps its time when it is put back. A thread copies and verifies it; until it is
 * whole it does not have a backup's name. Nothing is overwritten.
 */
export async function saveCopy(
  source: string,
  folder: string,
  thread: Pick<FileThread, 'copy' | 'hash'>,
): Promise<Result<SavedBackup>> {
  const known = await folderFault(source, folder);
  if (known !== undefined) return refused(known);
  const file = path.join(folder, path.basename(source));
  try {
    if (await statOf(file)) return await sameOrRefused(source, file, thread);
    const copied = await thread.copy(source, file);
    const back = await thread.hash(file);
    if (back.sha256 === copied.sha256) return ok({ file, ...back });
    await fs.rm(file, { force: true });
    return fail('internal', en`The disk does not give back what was written to it. Nothing of the copy is left there.`);
  } catch (error) {
    return notSaved(error);
  }
}

const refused = (rule: string): Result<never> =>
  fail('invalid_input', en`folder: ${rule} No copy was made.`, { field: 'folder' });

const statOf = (file: string) => fs.stat(file).catch(() => undefined);

async function folderFault(source: string, folder: string): Promise<string | undefined> {
  if (!path.isAbsolute(folder) || folder.includes('\0')) return 'must be an absolute path.';
  const found = await statOf(folder);
  if (!found) return 'there is no such folder.';
  if (!found.isDirectory()) return 'is a file; choose a folder.';
  const [there, here] = await Promise.all([fs.realpath(folder), fs.realpath(path.dirname(source))]);
  return there === here ? 'the backup is there already.' : undefined;
}

async function sameOrRefused(
  source: string,
  file: string,
  thread: Pick<FileThread, 'hash'>,
): Promise<Result<SavedBackup>> {
  const [ours, there] = [await thread.hash(source), await thread.hash(file)];
  return ours.sha256 === there.sha256
    ? ok({ file, ...there })
    : refused(en`has another file named ${path.basename(file)}.`);
}

function notSaved(error: unknown): Result<never> {
  if (isDiskFull(error))
    return fail('disk_full', en`The disk of that folder is full. Nothing of the copy is left there.`);
  if (isWriteProtected(error)) return refused(en`cannot be written to.`);
  return fail('internal', en`The backup could not be copied: ${messageOf(error)}`);
}
