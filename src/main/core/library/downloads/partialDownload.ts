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

/** The path to write to; creates its folder. */
export async function partialPath(home: string, name: string): Promise<string> {
  await fs.mkdir(partialDir(home), { recursive: true, mode: 0o700 });
  return pathOf(home, name);
}

/**
 * Creates and removes a file in the folder of downloads. Returns the error code of the disk. A full disk is left out, because real writes
 * report it, and so are too many open files, which are not the disk's fault.
 */
export async function tryWriting(home: string): Promise<string | undefined> {
  try {
    const tried = await partialPath(home, 'tried');
    await (await fs.open(tried, 'w', 0o600)).close();
    // Another program may be reading the file at this moment.
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

/** Deletes the partial file of a download, if any. Creates no folder, because the disk may be missing. */
export const forgetPartial = (home: string, name: string): Promise<void> => deletePartial(pathOf(home, name));

/**
 * Deletes the metadata first: a partial file without metadata is started anew, while metadata without a file would vouch for a later
 * download.
 */
export async function deletePartial(part: string): Promise<void> {
  for (const file of [metadataPath(part), part, `${metadataPath(part)}.new`]) await fs.rm(file, { force: true });
}

/** Empty if the folder does not exist. */
export const partialFiles = (home: string): Promise<string[]> =>
  fs.readdir(partialDir(home)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });

/** Downloads whose file is stored, or about to be, while its row may still be unwritten. */
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

/** At start, deletes partial files without a pending download, which a kill has left. */
export async function deleteStalePartials(home: string, isPending: (name: string) => boolean): Promise<void> {
  for (const file of await partialFiles(home))
    if (file.endsWith('.new') || !isPending(file.replace(/\.part(\.json)?$/, '')))
      await fs.rm(path.join(partialDir(home), file), { force: true, recursive: true });
}
