import type { Stats } from 'node:fs';
import fs, { readlink, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { ExportedFile } from '../../../shared/film/filmExport.ts';
import { fileNameOf } from '../../../shared/library/fileNames.ts';
import { en } from '../../../shared/text/texts.ts';
import { syncFolder } from '../durableFiles.ts';
import { codeOf, messageOf } from '../faults.ts';
import { hashFile } from '../library/index.ts';

/** The folder of one export, made for it alone: nothing else is ever overwritten, and its content can be removed. */

/**
 * Creates the folder, named after the export, with a number if that is taken: on the disk, or by the row of an export whose folder is away,
 * since two rows of one folder would each remove the other's files. Without a destination of the user's it is in the data folder.
 */
export async function makeFolder(
  dataDir: string,
  { name, destination }: { name: string; destination?: string | undefined },
  isOfExport: (folder: string) => boolean,
): Promise<Result<string>> {
  const own = path.join(dataDir, 'exports');
  if (destination === undefined) await fs.mkdir(own, { recursive: true, mode: 0o700 });
  else if (!path.isAbsolute(destination))
    return fail('invalid_input', en`folder: must be an absolute path.`, { field: 'folder' });
  else if (!(await isFolder(destination)))
    return fail('not_found', en`folder: there is no such folder.`, { field: 'folder' });
  try {
    return ok(await makeNewFolder(destination ?? own, fileNameOf(name), isOfExport));
  } catch (error) {
    return fail('invalid_input', en`folder: no folder can be made there (${messageOf(error)}).`, { field: 'folder' });
  }
}

async function makeNewFolder(
  destination: string,
  name: string,
  isOfExport: (folder: string) => boolean,
): Promise<string> {
  for (let number = 1; ; number += 1) {
    const folder = path.join(destination, number === 1 ? name : `${name} ${number}`);
    if (number < MAX_SAME_NAME && isOfExport(folder)) continue;
    try {
      await fs.mkdir(folder);
      return folder;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || number === MAX_SAME_NAME) throw error;
    }
  }
}

const MAX_SAME_NAME = 1_000;

/** Whether the folder's parent is missing too, as on a disconnected disk; otherwise only the folder was removed. */
export const isDiskAway = async (folder: string): Promise<boolean> =>
  !(await isFolder(folder)) && !(await isFolder(path.dirname(folder)));

/** False for impossible paths, such as one with a NUL. */
export const isFolder = (folder: string): Promise<boolean> =>
  fs.stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );

export const PART = '.part';

/** The path of a file while it is being written; creates its folder. Rejects if the final name exists: that file is somebody else's. */
export async function preparePart(folder: string, name: string): Promise<string> {
  const part = `${pathIn(folder, name)}${PART}`;
  await fs.mkdir(path.dirname(part), { recursive: true });
  if (await isThere(part)) throw taken(`${name}${PART}`);
  return part;
}

export const pathIn = (folder: string, name: string): string => path.join(folder, ...name.split('/'));

/**
 * Renames whole files to their final names; those already renamed before a crash are skipped. A final name beside its part is somebody
 * else's, and is not overwritten.
 */
export async function nameFiles(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const file = pathIn(folder, name);
    if ((await isThere(file)) && (await isThere(`${file}${PART}`))) throw taken(name);
  }
  for (const name of names) {
    const file = pathIn(folder, name);
    const part = `${file}${PART}`;
    if (await isThere(part)) await fs.rename(part, file);
    else if (!(await isThere(file)))
      throw Object.assign(new Error(`${name} is not there any more`), { code: 'ENOENT' });
  }
  for (const dir of new Set(names.map((name) => path.dirname(pathIn(folder, name))))) await syncFolder(dir);
}

const taken = (name: string): Error =>
  Object.assign(
    new Error(
      `the folder of the export has another file named ${name} by now; move it away and start the export again`,
    ),
    { code: 'EEXIST' },
  );

/** Also true for a dangling link. */
const isThere = async (file: string): Promise<boolean> => (await found(file)) !== undefined;

const found = (file: string): Promise<Stats | undefined> =>
  fs.lstat(file).catch((error) => {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
    throw error;
  });

/**
 * Removes the unchanged files of a finished export and the folders that are then empty; links are removed, never their targets. Files that
 * were replaced stay.
 */
export async function removeWritten(folder: string, files: readonly ExportedFile[]): Promise<void> {
  for (const file of files) {
    const written = pathIn(folder, file.name);
    if (await isAsWritten(written, file)) await fs.rm(written, { force: true });
  }
  await removeEmptyFolders(
    folder,
    files.map(({ name }) => name),
  );
}

async function isAsWritten(written: string, { bytes, sha256 }: ExportedFile): Promise<boolean> {
  const there = await found(written);
  // The link's target may be missing or damaged; its name in the library is its hash.
  if (there?.isSymbolicLink()) return path.parse(await fs.readlink(written)).name === sha256;
  if (!there?.isFile() || there.size !== bytes) return false;
  // A file that cannot be read stays and does not affect the others.
  return hashFile(written).then(
    (read) => read.sha256 === sha256,
    () => false,
  );
}

/** Removes the folders of these files, as far as they are empty. */
export async function removeEmptyFolders(folder: string, names: readonly string[]): Promise<void> {
  for (const inner of new Set(names.map((name) => path.dirname(pathIn(folder, name)))))
    if (inner !== folder) await removeIfEmpty(inner);
  await removeIfEmpty(folder);
}

/**
 * Removes the files of an unfinished export: the parts and, once {@link nameFiles} has begun, the named files. A final name beside its part
 * is somebody else's.
 */
export async function removeUnfinished(folder: string, names: readonly string[], isNaming: boolean): Promise<void> {
  for (const name of names) {
    const file = pathIn(folder, name);
    if (await isThere(`${file}${PART}`)) await fs.rm(`${file}${PART}`, { force: true });
    else if (isNaming) await fs.rm(file, { force: true });
  }
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await fs.rmdir(folder);
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(codeOf(error))) throw error;
  }
}

/** Redirects a link below `from` to the same path below `to`; anything else stays. */
export async function relink(file: string, from: string, to: string): Promise<void> {
  const target = await readlink(file).catch(() => undefined);
  if (target === undefined) return;
  const below = path.relative(from, target);
  if (below.startsWith('..') || path.isAbsolute(below)) return;
  const fresh = `${file}.link`;
  await rm(fresh, { force: true });
  await symlink(path.join(to, below), fresh);
  await rename(fresh, file);
}
