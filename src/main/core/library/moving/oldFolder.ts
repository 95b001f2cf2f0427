import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Store } from '../../store/index.ts';
import { contentPath, libraryDir, sizeOf } from '../content/contentStore.ts';
import { type LibraryPlace, markerAt, removeMarker } from '../content/place.ts';
import { partialFiles, partialPath, partialSize, storedPartials } from '../downloads/partialDownload.ts';
import type { FileThread } from './fileThread.ts';
import { isOurs, type MoveRow } from './moveTable.ts';

/** What is left in the folder that the library has moved from. */

interface OldFolder {
  store: Pick<Store, 'read'>;
  thread: FileThread;
  place: LibraryPlace;
  from: string;
  /** A download of this id is still to be made. */
  isPending(id: string): boolean;
  /** An asset has this content on this disk. */
  isNamed(sha256: string): boolean;
}

/** Brings half downloads, and files that were stored and not recorded yet, before any download begins again. */
export async function bringPartials(old: OldFolder): Promise<void> {
  const { thread, place, from, isPending } = old;
  const stored = new Map((await storedPartials(from)).map(({ id, file }) => [id, file]));
  for (const id of await idsOfPartials(from)) {
    if (!isPending(id) || [from, place.home].some((home) => place.isWritten(home, id))) continue;
    const file = stored.get(id);
    if (file) {
      const [source, fresh] = [from, place.home].map((home) => contentPath(home, file.sha256, file.extension));
      if (source && fresh && (await isFile(source)) && !(await isFile(fresh))) await thread.copy(source, fresh);
    }
    await bringPartial(old, id);
  }
}

/** One that has gone on in the new place stays as it is there. */
async function bringPartial({ thread, place, from }: OldFolder, id: string): Promise<void> {
  const [part, to] = [await partialPath(from, id), await partialPath(place.home, id)];
  if ((await partialSize(to)) > (await partialSize(part))) return;
  for (const suffix of ['', '.json']) if (await isFile(part + suffix)) await thread.copy(part + suffix, to + suffix);
}

/** What came due while half downloads were brought waits for nothing else. */
export function letDownloadsGoOn({ place, wakeDownloads }: { place: LibraryPlace; wakeDownloads(): void }): void {
  if (!place.isBringing) return;
  place.isBringing = false;
  wakeDownloads();
}

const isFile = async (file: string): Promise<boolean> => (await sizeOf(file)) !== undefined;

const idsOfPartials = async (home: string): Promise<Set<string>> =>
  new Set((await partialFiles(home)).map((name) => name.replace(PARTIAL, '')));

const PARTIAL = /\.part(\.json)?(\.new)?$/;

/** Files removed in one step; between two of them it is looked whether the new place is still there. */
const AT_ONCE = 200;

/**
 * Removes the library's own files, each only if the new place has it; one that it lacks is brought, unless nothing names it any more.
 * What is somebody else's stays: a disk may have the old one's name by now, with another library on it. False if the new place was not there at some moment: then it is to be called again.
 */
export async function removeOldFiles(old: OldFolder, passed: (share: number) => void): Promise<boolean> {
  const { thread, place, from } = old;
  const folder = libraryDir(from);
  if (await isSameFolder(folder, place.folder)) throw new Error('the old library folder is the present one');
  if (!(await stat(folder).catch(() => undefined))) return true;
  const marker = await markerAt(from);
  if (marker && !isOurs(old.store.read, marker.id)) throw new Error('another library is in the old library folder');
  const files = await thread.list(folder);
  for (let at = 0; at < files.length; at += AT_ONCE) {
    if ((await place.look()) !== undefined) return false;
    const some = files.slice(at, at + AT_ONCE).map(({ name }) => name);
    for (const name of some) await assureHeld(old, name);
    if ((await place.look()) !== undefined) return false;
    await thread.remove(folder, some);
    passed((at + some.length) / files.length);
  }
  const ours = (await partialFiles(from)).filter((name) => PARTIAL.test(name)).map((name) => `parts/${name}`);
  await thread.remove(folder, ours);
  await removeMarker(from);
  await thread.tidy(folder);
  return true;
}

async function assureHeld({ thread, place, from, isNamed }: OldFolder, name: string): Promise<void> {
  const [source, target] = [from, place.home].map((home) => path.join(libraryDir(home), name)) as [string, string];
  const [old, held] = await Promise.all([source, target].map((file) => stat(file).catch(() => undefined)));
  const sha256 = path.basename(name).slice(0, 64);
  if (!old || held?.size === old.size || !isNamed(sha256)) return;
  const copied = await thread.copy(source, target);
  if ((await thread.hash(target)).sha256 !== copied.sha256)
    throw new Error(`the new place does not give back what was written of ${name}`);
}

/** Whether what is by the name of the old folder can be that folder. */
export const hasLeft = async (place: LibraryPlace, row: Pick<MoveRow, 'library' | 'from_home'>): Promise<boolean> =>
  place.name === row.library && !(await isSameFolder(libraryDir(row.from_home), place.folder));

/** Also by another name. Without both it is not. */
export async function isSameFolder(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((folder) => stat(folder).catch(() => undefined)));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}
