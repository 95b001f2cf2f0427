import type { Stats } from 'node:fs';
import fs, { readlink, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { ExportedFile } from '../../../shared/film/filmExport.ts';
import { fileNameOf } from '../../../shared/library/fileNames.ts';
import { en } from '../../../shared/text/texts.ts';
import { flushFolder, hashFile } from '../library/index.ts';

/**
 * The folder of one export: made for it alone, so that nothing of another export or of the user's is ever overwritten, and all that is
 * in it can be removed again.
 */

/**
 * Makes the folder with the name of the export, and a number where that is taken: on the disk, or by the row of an export whose folder is
 * away, since two rows of one folder would each remove the files of the other. Without a place of the user's it is in the data folder.
 */
export async function makeFolder(
  dataDir: string,
  { name, place }: { name: string; place?: string | undefined },
  isOfExport: (folder: string) => boolean,
): Promise<Result<string>> {
  const own = path.join(dataDir, 'exports');
  if (place === undefined) await fs.mkdir(own, { recursive: true, mode: 0o700 });
  else if (!path.isAbsolute(place))
    return fail('invalid_input', en`folder: must be an absolute path.`, { field: 'folder' });
  else if (!(await isFolder(place)))
    return fail('not_found', en`folder: there is no such folder.`, { field: 'folder' });
  try {
    return ok(await makeNewFolder(place ?? own, fileNameOf(name), isOfExport));
  } catch (error) {
    return fail('invalid_input', en`folder: no folder can be made there (${reasonOf(error)}).`, { field: 'folder' });
  }
}

async function makeNewFolder(place: string, name: string, isOfExport: (folder: string) => boolean): Promise<string> {
  for (let number = 1; ; number += 1) {
    const folder = path.join(place, number === 1 ? name : `${name} ${number}`);
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

/** Whether the place is gone too that the folder was made in, as on a disk that is not connected; else only the folder was removed. */
export const isDiskAway = async (folder: string): Promise<boolean> =>
  !(await isFolder(folder)) && !(await isFolder(path.dirname(folder)));

/** Also false of what no path can be, such as one with a NUL. */
export const isFolder = (place: string): Promise<boolean> =>
  fs.stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );

export const PART = '.part';

/**
 * The path of a file of the export while it is being written; its folder is made. Rejects where something has that name already: it is
 * somebody else's, and is neither written over nor removed.
 */
export async function partOf(folder: string, name: string): Promise<string> {
  const part = `${pathIn(folder, name)}${PART}`;
  await fs.mkdir(path.dirname(part), { recursive: true });
  if (await isThere(part)) throw taken(`${name}${PART}`);
  return part;
}

export const pathIn = (folder: string, name: string): string => path.join(folder, ...name.split('/'));

/**
 * Gives whole files their names; one that has its name already was renamed before a kill. Beside its part it is somebody else's, and
 * nothing is renamed over it.
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
  for (const dir of new Set(names.map((name) => path.dirname(pathIn(folder, name))))) await flushFolder(dir);
}

const taken = (name: string): Error =>
  Object.assign(
    new Error(
      `the folder of the export has another file named ${name} by now; move it away and start the export again`,
    ),
    { code: 'EEXIST' },
  );

/** Also true of a link whose target is gone. */
const isThere = async (file: string): Promise<boolean> => (await found(file)) !== undefined;

const found = (file: string): Promise<Stats | undefined> =>
  fs.lstat(file).catch((error) => {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
    throw error;
  });

/**
 * Removes the files of a finished export that are as it wrote them, and its folders that are empty then; links are removed, never what
 * they lead to. What somebody has put in the place of one since stays, as does all else.
 */
export async function removeWritten(folder: string, files: readonly ExportedFile[]): Promise<void> {
  for (const file of files) {
    const place = pathIn(folder, file.name);
    if (await isAsWritten(place, file)) await fs.rm(place, { force: true });
  }
  await removeEmptyFolders(
    folder,
    files.map(({ name }) => name),
  );
}

async function isAsWritten(place: string, { bytes, sha256 }: ExportedFile): Promise<boolean> {
  const there = await found(place);
  // The file of a link may be away or damaged; its name in the library is its hash.
  if (there?.isSymbolicLink()) return path.parse(await fs.readlink(place)).name === sha256;
  if (!there?.isFile() || there.size !== bytes) return false;
  // One that cannot be read stays, and does not keep the others.
  return hashFile(place).then(
    (read) => read.sha256 === sha256,
    () => false,
  );
}

/** Removes the folder of these files, and those in it that they are in, as far as they are empty. */
export async function removeEmptyFolders(folder: string, names: readonly string[]): Promise<void> {
  for (const inner of new Set(names.map((name) => path.dirname(pathIn(folder, name)))))
    if (inner !== folder) await removeIfEmpty(inner);
  await removeIfEmpty(folder);
}

/**
 * Removes what an export that has not ended well has written: the parts of these names and, once {@link nameFiles} has begun, those that
 * have their names. A file that has such a name beside the part is somebody else's.
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

export const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Lets a link that leads below `from` lead to the same below `to`; what is no such link is left as it is. */
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
