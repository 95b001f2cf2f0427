import fs from 'node:fs/promises';
import path from 'node:path';
import { isDiskFull } from '../../faults.ts';
import { libraryDir, type StoredFile, sizeOf } from '../content/contentStore.ts';
import { faultCode } from '../content/writeStream.ts';

/**
 * Partial files and their metadata. The partial file of a download is named after its asset, so that it can be resumed after a restart.
 * Its metadata says whether it may be resumed and, once complete, what the file is.
 */
export interface PartialMetadata {
  /** Entity tag or date of the version that the bytes belong to. */
  validator?: string;
  /** Length of the whole file in bytes. */
  total?: number;
  /** Set once the file is complete and verified: only its asset's row may still be unwritten. */
  stored?: StoredFile;
}

export const partialDir = (home: string): string => path.join(libraryDir(home), 'parts');

/** To write to: its folder is made. */
export async function partialPath(home: string, name: string): Promise<string> {
  await fs.mkdir(partialDir(home), { recursive: true, mode: 0o700 });
  return pathOf(home, name);
}

/**
 * Makes and removes a file where downloads begin. Answers the code of what the disk says to that; a full one is told by what is written, and
 * too many open files are no fault of the disk.
 */
export async function tryWriting(home: string): Promise<string | undefined> {
  try {
    const tried = await partialPath(home, 'tried');
    await (await fs.open(tried, 'w', 0o600)).close();
    // What was written can be read by another program at this moment.
    await fs.rm(tried).catch(() => undefined);
  } catch (error) {
    const code = faultCode(error);
    return isDiskFull(error) || code === 'EMFILE' || code === 'ENFILE' ? undefined : code;
  }
}

const pathOf = (home: string, name: string): string => path.join(partialDir(home), `${name}.part`);

const metadataPath = (part: string): string => `${part}.json`;

export async function readMetadata(part: string): Promise<PartialMetadata> {
  try {
    const metadata: unknown = JSON.parse(await fs.readFile(metadataPath(part), 'utf8'));
    return typeof metadata === 'object' && metadata !== null ? metadata : {};
  } catch {
    return {};
  }
}

/** Written to a new file and renamed: a kill leaves the old metadata or the new. */
export async function writeMetadata(part: string, metadata: PartialMetadata): Promise<void> {
  const fresh = `${metadataPath(part)}.new`;
  await fs.writeFile(fresh, JSON.stringify(metadata), { mode: 0o600 });
  await fs.rename(fresh, metadataPath(part));
}

/** Bytes received so far. */
export const partialSize = async (part: string): Promise<number> => (await sizeOf(part)) ?? 0;

/** What came of a download, if there is anything. No folder is made where the disk is not there. */
export const forgetPartial = (home: string, name: string): Promise<void> => deletePartial(pathOf(home, name));

/** The metadata goes first: a part without them is begun anew, and they without a part would vouch for a file that is fetched again. */
export async function deletePartial(part: string): Promise<void> {
  for (const file of [metadataPath(part), part, `${metadataPath(part)}.new`]) await fs.rm(file, { force: true });
}

/** None where there is no such folder. */
export const partialFiles = (home: string): Promise<string[]> =>
  fs.readdir(partialDir(home)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });

/** The downloads whose file is stored, or is about to be, and whose row may still be unwritten. */
export async function storedPartials(home: string): Promise<{ id: string; file: StoredFile }[]> {
  const found: { id: string; file: StoredFile }[] = [];
  for (const name of await partialFiles(home)) {
    if (!name.endsWith(METADATA)) continue;
    const id = name.slice(0, -METADATA.length);
    const { stored } = await readMetadata(pathOf(home, id));
    if (stored) found.push({ id, file: stored });
  }
  return found;
}

const METADATA = '.part.json';

/** At start, deletes what belongs to no pending download: it was left by a kill. */
export async function deleteStalePartials(home: string, isPending: (name: string) => boolean): Promise<void> {
  for (const file of await partialFiles(home))
    if (file.endsWith('.new') || !isPending(file.replace(/\.part(\.json)?$/, '')))
      await fs.rm(path.join(partialDir(home), file), { force: true, recursive: true });
}
