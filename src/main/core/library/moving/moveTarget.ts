import type { Stats } from 'node:fs';
import { mkdir, readdir, readFile, realpath, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import { formatBytes } from '../../../../shared/text/bytes.ts';
import { en } from '../../../../shared/text/texts.ts';
import { codeOf } from '../../faults.ts';
import { libraryDir, sizeOf } from '../content/contentStore.ts';
import type { FileThread } from '../content/fileThread.ts';
import type { ListedFile } from '../content/fileWorker.ts';
import { type LibraryLocation, markerAt, removeMarker } from '../content/location.ts';
import type { MoveRow } from './moveTable.ts';

/** Whether the library can move below a folder of the user's; nothing is left there if it cannot. */

export interface Target {
  home: string;
  /** The id that an interrupted move gave the folder; that move is continued. */
  begun: string | undefined;
}

const refused = (rule: string): Result<never> =>
  fail('invalid_input', en`folder: ${rule} The library stays where it is.`, { field: 'folder' });

/** Returns the real path of the folder. It is created if only the folder itself is missing. */
export async function targetOf(location: LibraryLocation, folder: string): Promise<Result<Target>> {
  if (!path.isAbsolute(folder) || folder.includes('\0')) return refused(en`must be an absolute path.`);
  const hindrance = await mkdir(folder, { mode: 0o700 }).then(() => undefined, codeOf);
  if (hindrance === 'ENOENT') return refused(en`there is no folder ${path.dirname(folder)} to make it in.`);
  // An existing folder may give another error than EEXIST, for example a Windows drive.
  const home = await realpath(folder).catch(() => undefined);
  if (home === undefined && hindrance === 'EEXIST') return refused(en`is a link that leads nowhere.`);
  if (home === undefined) return refused(en`cannot be made (${hindrance}).`);
  if (!(await stat(home)).isDirectory()) return refused(en`is a file; choose a folder.`);
  const target = await judged(location, home);
  if (!target.ok && hindrance === undefined) await removeEmpty(home);
  return target;
}

async function judged(location: LibraryLocation, home: string): Promise<Result<Target>> {
  const library = await realOf(location.folder);
  const data = await realOf(location.usual);
  const wanted = await realOf(libraryDir(home));
  const isUsual = await isSameFolder(home, data);
  if ((await isSameFolder(home, location.home)) || (await isSameFolder(wanted, library)))
    return refused(en`the library is there already.`);
  if (isInside(home, library)) return refused(en`is inside the library itself.`);
  if (isInside(library, wanted)) return refused(en`its library folder would hold the present one.`);
  if (!isUsual && isInside(home, data))
    return refused(en`is inside the data folder; choose one outside of it, or the data folder itself.`);
  const begun = await begunIn(home);
  if (!begun.ok) return begun;
  const fault = await faultOfWriting(libraryDir(home));
  // Keeps the usual path, because the data folder itself may be moved.
  return fault === undefined ? ok({ home: isUsual ? location.usual : home, begun: begun.data }) : refused(fault);
}

/** The folder must be empty, or contain an interrupted move. */
async function begunIn(home: string): Promise<Result<string | undefined>> {
  const folder = libraryDir(home);
  const known = await statOf(folder);
  if (known === 'ENOENT') return ok(undefined);
  if (typeof known === 'string' || !known.isDirectory()) return refused(en`has something else named library in it.`);
  const marker = await markerAt(home);
  if (marker?.arriving) return ok(marker.id);
  const isTaken = marker !== undefined || (await readdir(folder)).some((name) => /^([0-9a-f]{2}|parts)$/.test(name));
  return isTaken
    ? refused(en`holds files of a library already; choose another, or remove those first.`)
    : ok(undefined);
}

/** As long as the longest name that is written there. */
const PROBE = `.dailies-probe-${'n'.repeat(80)}`;

async function faultOfWriting(folder: string): Promise<string | undefined> {
  const probe = path.join(folder, PROBE);
  const isNew = !(await isThere(folder));
  try {
    // Without `recursive`, which retries endlessly where nothing can be created, as in /proc.
    if (isNew) await mkdir(folder, { mode: 0o700 });
    await writeFile(probe, PROBE, { flush: true, mode: 0o600 });
    const isRead = (await readFile(probe, 'utf8')) === PROBE && (await readdir(folder)).includes(PROBE);
    return isRead ? undefined : 'its disk does not keep what is written.';
  } catch (error) {
    if (isNew) await removeEmpty(folder);
    return `cannot be written to (${codeOf(error)}).`;
  } finally {
    await rm(probe, { force: true });
  }
}

/** Checks the space for all files, plus the space that Dailies always leaves free. */
export function roomFault(needed: number, free: number, spare: number): Result<never> | undefined {
  if (needed + spare <= free) return undefined;
  const also = spare > 0 ? `, and ${formatBytes(spare)} stay free` : '';
  return fail(
    'disk_full',
    en`folder: its disk has ${formatBytes(free)} free; the library needs ${formatBytes(needed)}${also}. It stays where it is.`,
    { field: 'folder' },
  );
}

/** The facts about a path, or the error code. */
const statOf = (file: string): Promise<Stats | string> => stat(file).catch(codeOf);

export const isThere = async (folder: string): Promise<boolean> => typeof (await statOf(folder)) !== 'string';

const realOf = (folder: string): Promise<string> => realpath(folder).catch(() => path.resolve(folder));

/** Whether both paths lead to one existing folder, as with mounts and names that differ in case. */
export async function isSameFolder(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([statOf(one), statOf(other)]);
  return typeof a === 'object' && typeof b === 'object' && a.dev === b.dev && a.ino === b.ino;
}

const isInside = (folder: string, outer: string): boolean => {
  const relative = path.relative(outer, folder);
  return relative === '' || !(relative.startsWith('..') || path.isAbsolute(relative));
};

/** Removes what was created at a new location that stays unused. */
export async function removeUnused({ home, begun }: Target): Promise<void> {
  if (begun !== undefined) return;
  // Files that a full or read-only disk keeps do not prevent the next try.
  await removeMarker(home).catch(() => undefined);
  for (const folder of [libraryDir(home), home]) await removeEmpty(folder);
}

/** A folder in use stays. */
const removeEmpty = (folder: string): Promise<void> => rmdir(folder).catch(() => undefined);

/** Whether the library is in the new folder, even if its disk is mounted elsewhere now. */
export const isSwitchedTo = (row: MoveRow, location: LibraryLocation): boolean => location.name === row.library;

/** Whether the old path can still be the old folder. */
export const hasLeft = async (location: LibraryLocation, row: MoveRow): Promise<boolean> =>
  isSwitchedTo(row, location) && !(await isSameFolder(libraryDir(row.from_home), location.folder));

/** Why the library cannot move again while its previous folder exists. A folder that the user removed by hand is no obstacle. */
export async function hindranceOf(location: LibraryLocation, row: MoveRow): Promise<Result<never> | undefined> {
  const [old, folder] = [row.from_home, libraryDir(row.from_home)];
  if (!(await hasLeft(location, row)) || ((await isThere(old)) && !(await isThere(folder)))) return undefined;
  return fail(
    'wrong_state',
    en`The old folder ${folder} was not removed. Connect its disk and remove that folder first.`,
  );
}

/** The files of a library; empty if there is no folder, and not where its disk cannot say so. */
export const listOf = async (thread: FileThread, folder: string): Promise<ListedFile[]> =>
  (await sizeOf(folder)) === undefined ? [] : thread.list(folder);

/** Removes the copies that a move has written, unless the library has switched to them. */
export async function removeCopies(thread: FileThread, location: LibraryLocation, row: MoveRow): Promise<void> {
  const folder = libraryDir(row.to_home);
  if ((await markerAt(row.to_home))?.id !== row.library || (await isSameFolder(folder, location.folder))) return;
  const files = await thread.list(folder);
  await thread.remove(
    folder,
    files.map(({ name }) => name),
  );
  await removeMarker(row.to_home);
  await thread.tidy(folder);
}
