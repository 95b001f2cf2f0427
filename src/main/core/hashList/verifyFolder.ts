import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { EvidenceFault, ListedFile } from '../../../shared/evidence/calls.ts';
import { HASH_LIST_FOLDER } from '../../../shared/library/libraryFolder.ts';
import { t } from '../../../shared/text/texts.ts';
import { CHAIN_FILE, c4OfHex, c4OfText, chainXml, isForeign, readEntries, readListName } from './writeHashList.ts';

/**
 * Reads the hash list that an export wrote and says of each file whether it is whole. The folder is anybody's: its list is bounded, and
 * only files that lie in the folder are read, or that its links lead to.
 */

/** The SHA-512 of a file in hexadecimal. */
export type HashOfFile = (file: string) => Promise<string>;

interface FolderReport {
  files: ListedFile[];
  /** What is wrong with the list itself. */
  faults: EvidenceFault[];
}

const MAX_LIST_BYTES = 32 * 1024 * 1024;
const MAX_FILES = 100_000;
const MAX_DEPTH = 64;
const SYSTEM_FILE = '.DS_Store';

export async function verifyFolder(folder: string, hash: HashOfFile): Promise<Result<FolderReport>> {
  const lists = path.join(folder, HASH_LIST_FOLDER);
  const chain = await readBounded(path.join(lists, CHAIN_FILE));
  if (chain === undefined)
    return fail('not_found', t`path: the folder has no hash list (ascmhl) that can be read.`, { field: 'path' });
  const present = new Set(await filesIn(folder));
  if (present.size >= MAX_FILES) return fail('too_large', t`path: holds more than 100,000 files.`, { field: 'path' });
  const listName = readListName(chain);
  const listFile = `${HASH_LIST_FOLDER}/${listName}`;
  const list = present.has(listFile) ? await readBounded(path.join(lists, listName)) : undefined;
  if (list !== undefined && isForeign(chain, list))
    return fail('unsupported_media', 'path: the hash list is of another program.', { field: 'path' });
  const report: FolderReport = { files: [], faults: [] };
  if (list === undefined || chainXml(listName, c4OfText(list)) !== chain)
    report.faults.push({ where: CHAIN_FILE, message: t`The hash list is not as it was written.` });
  for (const name of [`${HASH_LIST_FOLDER}/${CHAIN_FILE}`, listFile]) present.delete(name);
  for (const { name, bytes, c4 } of readEntries(list ?? '')) {
    const state = present.delete(name) ? await stateOf(path.join(folder, name), { bytes, c4 }, hash) : 'missing';
    report.files.push({ name, state });
  }
  for (const name of present) report.files.push({ name, state: 'unlisted' });
  return ok(report);
}

async function readBounded(file: string): Promise<string | undefined> {
  try {
    const found = await stat(file);
    // A pipe or a device has no end.
    return !found.isFile() || found.size > MAX_LIST_BYTES ? undefined : await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** By their names below the folder. */
async function filesIn(folder: string, below = '', depth = 0): Promise<string[]> {
  const names: string[] = [];
  const entries = await readdir(path.join(folder, below), { withFileTypes: true });
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const name = `${below}${entry.name}`;
    const isFolder = entry.isDirectory();
    if (isFolder && depth < MAX_DEPTH) names.push(...(await filesIn(folder, `${name}/`, depth + 1)));
    else if (isFolder || entry.isSymbolicLink() || (entry.isFile() && entry.name !== SYSTEM_FILE)) names.push(name);
    if (names.length >= MAX_FILES) break;
  }
  return names;
}

async function stateOf(
  file: string,
  listed: { bytes: number; c4: string },
  hash: HashOfFile,
): Promise<ListedFile['state']> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) return 'missing';
  if (found.size !== listed.bytes) return 'changed';
  try {
    return c4OfHex(await hash(file)) === listed.c4 ? 'whole' : 'changed';
  } catch {
    return 'missing';
  }
}
