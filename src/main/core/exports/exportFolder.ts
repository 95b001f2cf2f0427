import fs from 'node:fs';
import path from 'node:path';
import { fileNameOf } from '../../../shared/fileNames.ts';
import type { ExportedFile } from '../../../shared/filmExport.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { t } from '../../../shared/texts.ts';
import { hashFile, syncFolder } from '../library/index.ts';

/**
 * The folder of one export: made for it alone, so that nothing of another export or of the user's is ever overwritten, and all that is
 * in it can be removed again.
 */

/** Without a place of the user's, the folder is named after the export's id, and the files after the export. */
export const defaultFolder = (dataDir: string, id: string): string => path.join(dataDir, 'exports', id);

/**
 * Makes the folder. In a place of the user's it gets the name of the export, with a number where that is taken: on the disk, or by the
 * row of an export whose folder is away, since two rows of one folder would each remove the files of the other.
 */
export function makeFolder(
  dataDir: string,
  { id, name, place }: { id: string; name: string; place?: string | undefined },
  isOfExport: (folder: string) => boolean,
): Result<string> {
  if (place === undefined) {
    const folder = defaultFolder(dataDir, id);
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    return ok(folder);
  }
  if (!path.isAbsolute(place)) return fail('invalid_input', t`folder: must be an absolute path.`, { field: 'folder' });
  if (!isFolder(place)) return fail('not_found', t`folder: there is no such folder.`, { field: 'folder' });
  try {
    return ok(makeNewFolder(place, fileNameOf(name), isOfExport));
  } catch (error) {
    return fail('invalid_input', t`folder: no folder can be made there (${reasonOf(error)}).`, { field: 'folder' });
  }
}

function makeNewFolder(place: string, name: string, isOfExport: (folder: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const folder = path.join(place, number === 1 ? name : `${name} ${number}`);
    if (number < MAX_SAME_NAME && isOfExport(folder)) continue;
    try {
      fs.mkdirSync(folder);
      return folder;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || number === MAX_SAME_NAME) throw error;
    }
  }
}

const MAX_SAME_NAME = 1_000;

/** Whether the place is gone too that the folder was made in, as on a disk that is not connected; else only the folder was removed. */
export const isDiskAway = (folder: string): boolean => !isFolder(folder) && !isFolder(path.dirname(folder));

/** Also false of what no path can be, such as one with a NUL. */
export function isFolder(place: string): boolean {
  try {
    return fs.statSync(place).isDirectory();
  } catch {
    return false;
  }
}

export const PART = '.part';

/**
 * The path of a file of the export while it is being written; its folder is made. Throws where something has that name already: it is
 * somebody else's, and is neither written over nor removed.
 */
export function partOf(folder: string, name: string): string {
  const part = `${pathIn(folder, name)}${PART}`;
  fs.mkdirSync(path.dirname(part), { recursive: true });
  if (isThere(part)) throw taken(`${name}${PART}`);
  return part;
}

export const pathIn = (folder: string, name: string): string => path.join(folder, ...name.split('/'));

/**
 * Gives whole files their names; one that has its name already was renamed before a kill. Beside its part it is somebody else's, and
 * nothing is renamed over it.
 */
export function nameFiles(folder: string, names: readonly string[]): void {
  const other = names.find((name) => isThere(`${pathIn(folder, name)}${PART}`) && isThere(pathIn(folder, name)));
  if (other !== undefined) throw taken(other);
  for (const name of names) {
    const file = pathIn(folder, name);
    const part = `${file}${PART}`;
    if (isThere(part)) fs.renameSync(part, file);
    else if (!isThere(file)) throw Object.assign(new Error(`${name} is not there any more`), { code: 'ENOENT' });
  }
  for (const dir of new Set(names.map((name) => path.dirname(pathIn(folder, name))))) syncFolder(dir);
}

const taken = (name: string): Error =>
  Object.assign(
    new Error(
      `the folder of the export has another file named ${name} by now; move it away and start the export again`,
    ),
    { code: 'EEXIST' },
  );

/** Also true of a link whose target is gone. */
const isThere = (file: string): boolean => fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;

/**
 * Removes the files of a finished export that are as it wrote them, and its folders that are empty then; links are removed, never what
 * they lead to. What somebody has put in the place of one since stays, as does all else.
 */
export async function removeWritten(folder: string, files: readonly ExportedFile[]): Promise<void> {
  for (const file of files) {
    const place = pathIn(folder, file.name);
    if (await isAsWritten(place, file)) fs.rmSync(place, { force: true });
  }
  removeEmptyFolders(
    folder,
    files.map(({ name }) => name),
  );
}

async function isAsWritten(place: string, { bytes, sha256 }: ExportedFile): Promise<boolean> {
  const found = fs.lstatSync(place, { throwIfNoEntry: false });
  // The file of a link may be away or damaged; its name in the library is its hash.
  if (found?.isSymbolicLink()) return path.parse(fs.readlinkSync(place)).name === sha256;
  if (!found?.isFile() || found.size !== bytes) return false;
  // One that cannot be read stays, and does not keep the others.
  return hashFile(place).then(
    (read) => read.sha256 === sha256,
    () => false,
  );
}

/** Removes the folder of these files, and those in it that they are in, as far as they are empty. */
export function removeEmptyFolders(folder: string, names: readonly string[]): void {
  for (const inner of new Set(names.map((name) => path.dirname(pathIn(folder, name)))))
    if (inner !== folder) removeIfEmpty(inner);
  removeIfEmpty(folder);
}

/**
 * Removes what an export that has not ended well has written: the parts of these names and, once {@link nameFiles} has begun, those that
 * have their names. A file that has such a name beside the part is somebody else's.
 */
export function removeUnfinished(folder: string, names: readonly string[], isNaming: boolean): void {
  const written = names.flatMap((name) => {
    if (isThere(`${pathIn(folder, name)}${PART}`)) return `${name}${PART}`;
    return isNaming ? name : [];
  });
  for (const name of written) fs.rmSync(pathIn(folder, name), { force: true });
}

function removeIfEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(codeOf(error))) throw error;
  }
}

export const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
