import { HASH_LIST_FOLDER } from '../../../../shared/library/libraryFolder.ts';
import { SIDECAR_ENDING } from '../../../../shared/library/sidecar.ts';

/** A file that the user gave: picked, dropped or pasted. */
export interface GivenFile {
  /** Path below the given folder, separated by `/`. */
  name: string;
  file: File;
}

export interface PairedFiles {
  files: (GivenFile & { sidecar?: File })[];
  /** Sidecars without their file. */
  alone: string[];
}

/** Files that operating systems leave in folders, and the hash list of an export. */
const isOfTheSystem = (name: string): boolean => {
  const parts = name.split('/');
  const base = parts.at(-1) ?? '';
  if (parts.slice(0, -1).includes(HASH_LIST_FOLDER)) return true;
  return base.startsWith('.') || ['thumbs.db', 'desktop.ini'].includes(base.toLowerCase());
};

/** Each file with its sidecar, sorted by name. */
export function paired(given: readonly GivenFile[]): PairedFiles {
  const byName = new Map(given.filter(({ name }) => !isOfTheSystem(name)).map(({ name, file }) => [name, file]));
  const names = [...byName.keys()].sort();
  const files = names.flatMap((name) => {
    const file = byName.get(name);
    if (!file || name.endsWith(SIDECAR_ENDING)) return [];
    const sidecar = byName.get(`${name}${SIDECAR_ENDING}`);
    return { name, file, ...(sidecar ? { sidecar } : {}) };
  });
  const alone = names.filter(
    (name) => name.endsWith(SIDECAR_ENDING) && !byName.has(name.slice(0, -SIDECAR_ENDING.length)),
  );
  return { files, alone };
}

/** Files of a picker; a folder picker also gives the path of each file. */
export const pickedFiles = (files: Iterable<File>): GivenFile[] =>
  [...files].map((file) => ({ name: withoutFolder(file.webkitRelativePath ?? '') || file.name, file }));

const withoutFolder = (name: string): string => name.split('/').slice(1).join('/');

/** Whether there are sidecars or folders, and not only pictures and clips. */
export const isExport = (given: readonly GivenFile[]): boolean =>
  given.some(({ name }) => name.endsWith(SIDECAR_ENDING) || name.includes('/'));

/** Most files of an export; a folder with more is not dropped on purpose. */
const MAX_FILES = 50_000;

/** Files of a drop. Must be called at once: after the first await the browser has discarded the drop data. */
export function droppedFiles(transfer: DataTransfer): Promise<GivenFile[]> {
  const entries = [...(transfer.items ?? [])].map((item) => item.webkitGetAsEntry?.() ?? null);
  if (!entries.some((entry) => entry?.isDirectory)) return Promise.resolve(pickedFiles(transfer.files));
  return filesBelow(entries.filter((entry) => entry !== null));
}

async function filesBelow(dropped: readonly FileSystemEntry[]): Promise<GivenFile[]> {
  const found: GivenFile[] = [];
  const open = dropped.map((entry) => ({ entry, name: entry.name }));
  for (let next = open.shift(); next && found.length < MAX_FILES; next = open.shift()) {
    const { entry, name } = next;
    if (entry.isFile) found.push({ name, file: await fileOf(entry as FileSystemFileEntry) });
    else
      open.push(
        ...(await entriesOf(entry as FileSystemDirectoryEntry)).map((entry) => ({
          entry,
          name: `${name}/${entry.name}`,
        })),
      );
  }
  return found;
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> => new Promise((done, fail) => entry.file(done, fail));

/** A directory reader returns entries in parts, with an empty part at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (part.length === 0) return all;
    all.push(...part);
  }
}
