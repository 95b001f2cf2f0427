import fs from 'node:fs';
import { type FileHandle, open, opendir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { ImportError } from '../../../shared/library/importCalls.ts';
import { HASH_LIST_FOLDER } from '../../../shared/library/libraryFolder.ts';
import { MAX_SIDECAR, SIDECAR_ENDING } from '../../../shared/library/sidecar.ts';
import { decodeText } from '../../../shared/text/textEncoding.ts';
import { en, formatCount, t } from '../../../shared/text/texts.ts';
import { FileTimeout, withTimeout } from '../library/index.ts';

export interface FolderFile {
  /** Relative to the folder; `/` separates folders. */
  file: string;
  path: string;
  /** The path of its sidecar, if any. */
  sidecar?: string;
}

export interface FolderFiles {
  files: FolderFile[];
  errors: ImportError[];
}

/** Names in a folder: an export has at most 2,000 files. */
const MAX_ENTRIES = 50_000;
const MAX_DEPTH = 16;
/** Names per turn of the event loop: a large folder takes a fifth of a second. */
const PER_TURN = 500;

/** Files that systems create in folders, and hash lists. */
const isOfTheSystem = (name: string): boolean =>
  name.startsWith('.') || ['thumbs.db', 'desktop.ini', HASH_LIST_FOLDER].includes(name.toLowerCase());

/** The files of a folder with their sidecars, sorted by name. Links are not followed. */
export async function filesOfFolder(folder: string): Promise<Result<FolderFiles>> {
  if (!path.isAbsolute(folder)) return fail('invalid_input', 'path: must be an absolute path.', { field: 'path' });
  const root = await withTimeout(0, undefined, () => realpath(folder)).catch(unlessSilent);
  if (root === undefined || !(await withTimeout(0, undefined, () => stat(root))).isDirectory())
    return fail('not_found', 'path: there is no such folder.', { field: 'path' });
  const errors: ImportError[] = [];
  const names = await namesBelow(root, errors);
  if (!names) {
    const most = formatCount(MAX_ENTRIES);
    return fail('too_large', en`path: the folder holds more than ${most} files; bring in a part of it.`, {
      field: 'path',
    });
  }
  const all = new Set(names);
  const files: FolderFile[] = [];
  for await (const file of overTurns(names.sort())) {
    const at = path.join(root, ...file.split('/'));
    const beside = file.endsWith(SIDECAR_ENDING) ? file.slice(0, -SIDECAR_ENDING.length) : undefined;
    if (beside === undefined) {
      const sidecar = all.has(`${file}${SIDECAR_ENDING}`) ? { sidecar: `${at}${SIDECAR_ENDING}` } : {};
      files.push({ file, path: at, ...sidecar });
    } else if (!all.has(beside)) errors.push({ file, message: t`${baseOf(beside)} is not in the same folder.` });
  }
  return ok({ files, errors });
}

async function* overTurns<T>(items: readonly T[]): AsyncGenerator<T> {
  for (let from = 0; from < items.length; from += PER_TURN) {
    if (from > 0) await nextTurn();
    yield* items.slice(from, from + PER_TURN);
  }
}

/** Ignores unreadable entries; a disk that does not answer ends the reading. */
function unlessSilent(error: unknown): undefined {
  if (error instanceof FileTimeout) throw error;
}

const baseOf = (file: string): string => file.split('/').at(-1) ?? '';

interface OpenFolder {
  name: string;
  depth: number;
}

async function namesBelow(root: string, errors: ImportError[]): Promise<string[] | undefined> {
  const names: string[] = [];
  const open: OpenFolder[] = [{ name: '', depth: 0 }];
  let entries = 0;
  for (let folder = open.shift(); folder; folder = open.shift()) {
    const inside = await entriesOf(root, folder.name, errors);
    entries += inside.length;
    if (entries > MAX_ENTRIES) return undefined;
    for await (const entry of overTurns(inside)) {
      const name = folder.name === '' ? entry.name : `${folder.name}/${entry.name}`;
      const inner = { name, depth: folder.depth + 1 };
      const fault = faultOf(entry, inner);
      if (fault !== undefined) errors.push({ file: name, message: fault });
      else if (entry.isFile()) names.push(name);
      else open.push(inner);
    }
  }
  return names;
}

async function entriesOf(root: string, name: string, errors: ImportError[]): Promise<fs.Dirent[]> {
  const read = async (): Promise<fs.Dirent[]> => {
    const inside: fs.Dirent[] = [];
    for await (const entry of await opendir(path.join(root, ...name.split('/')), { bufferSize: PER_TURN }))
      if (!isOfTheSystem(entry.name)) inside.push(entry);
    return inside;
  };
  try {
    return await withTimeout(0, undefined, read);
  } catch (error) {
    unlessSilent(error);
    errors.push({ file: name, message: t`The folder cannot be read.` });
    return [];
  }
}

function faultOf(entry: fs.Dirent, { depth }: OpenFolder): string | undefined {
  if (entry.isSymbolicLink()) return t`Links are not followed.`;
  if (entry.isFile()) return undefined;
  if (!entry.isDirectory()) return t`Not a file.`;
  return depth > MAX_DEPTH ? t`Folders deeper than ${MAX_DEPTH} levels are not read.` : undefined;
}

/** Undefined for what is not a regular file. With these flags a link is not followed, and a pipe does not block. */
export async function openRegular(file: string): Promise<FileHandle | undefined> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
  const opening = () => open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const handle = await withTimeout(0, undefined, opening).catch(unlessSilent);
  if (handle === undefined || (await handle.stat()).isFile()) return handle;
  await handle.close();
  return undefined;
}

/** Undefined for an unreadable, empty or far too long file, and for text that is not Unicode. */
export async function sidecarText(file: string): Promise<string | undefined> {
  const handle = await openRegular(file);
  if (!handle) return undefined;
  try {
    const { size } = await handle.stat();
    // At most three bytes a character. Size 0 includes special files without an end.
    if (size === 0 || size > MAX_SIDECAR * 3) return undefined;
    const bytes = await withTimeout(size, undefined, () => handle.readFile());
    const { text, isGuess } = await decodeText(new Uint8Array(bytes));
    return isGuess ? undefined : text;
  } catch (error) {
    return unlessSilent(error);
  } finally {
    void handle.close().catch(() => undefined);
  }
}
