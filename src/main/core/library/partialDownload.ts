import fs from 'node:fs';
import path from 'node:path';
import { libraryDir, type StoredFile } from './contentStore.ts';
import { faultCode, isDiskFull } from './writeStream.ts';

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
export function partialPath(home: string, name: string): string {
  fs.mkdirSync(partialDir(home), { recursive: true, mode: 0o700 });
  return pathOf(home, name);
}

/**
 * Makes and removes a file where downloads begin. Answers the code of what the disk says to that; a full one is told by what is written, and
 * too many open files are no fault of the disk.
 */
export function tryWriting(home: string): string | undefined {
  let tried: string;
  try {
    tried = partialPath(home, 'tried');
    fs.closeSync(fs.openSync(tried, 'w', 0o600));
  } catch (error) {
    const code = faultCode(error);
    return isDiskFull(error) || code === 'EMFILE' || code === 'ENFILE' ? undefined : code;
  }
  try {
    fs.rmSync(tried);
  } catch {
    // What was written can be read by another program at this moment.
  }
}

const pathOf = (home: string, name: string): string => path.join(partialDir(home), `${name}.part`);

const metadataPath = (part: string): string => `${part}.json`;

export function readMetadata(part: string): PartialMetadata {
  try {
    const metadata: unknown = JSON.parse(fs.readFileSync(metadataPath(part), 'utf8'));
    return typeof metadata === 'object' && metadata !== null ? metadata : {};
  } catch {
    return {};
  }
}

/** Written to a new file and renamed: a kill leaves the old metadata or the new. */
export function writeMetadata(part: string, metadata: PartialMetadata): void {
  const fresh = `${metadataPath(part)}.new`;
  fs.writeFileSync(fresh, JSON.stringify(metadata), { mode: 0o600 });
  fs.renameSync(fresh, metadataPath(part));
}

/** Bytes received so far. */
export function partialSize(part: string): number {
  return fs.statSync(part, { throwIfNoEntry: false })?.size ?? 0;
}

/** What came of a download, if there is anything. No folder is made where the disk is not there. */
export const forgetPartial = (home: string, name: string): void => deletePartial(pathOf(home, name));

/** The metadata goes first: a part without them is begun anew, and they without a part would vouch for a file that is fetched again. */
export function deletePartial(part: string): void {
  for (const file of [metadataPath(part), part, `${metadataPath(part)}.new`]) fs.rmSync(file, { force: true });
}

/** The downloads whose file is stored, or is about to be, and whose row may still be unwritten. */
export function storedPartials(home: string): { id: string; file: StoredFile }[] {
  const files = fs.existsSync(partialDir(home)) ? fs.readdirSync(partialDir(home)) : [];
  return files.flatMap((name) => {
    if (!name.endsWith(METADATA)) return [];
    const id = name.slice(0, -METADATA.length);
    const { stored } = readMetadata(path.join(partialDir(home), `${id}.part`));
    return stored ? [{ id, file: stored }] : [];
  });
}

const METADATA = '.part.json';

/** At start, deletes what belongs to no pending download: it was left by a kill. */
export function deleteStalePartials(home: string, isPending: (name: string) => boolean): number {
  const files = fs.existsSync(partialDir(home)) ? fs.readdirSync(partialDir(home)) : [];
  const stale = files.filter((file) => file.endsWith('.new') || !isPending(file.replace(/\.part(\.json)?$/, '')));
  for (const file of stale) fs.rmSync(path.join(partialDir(home), file), { force: true, recursive: true });
  return stale.length;
}
