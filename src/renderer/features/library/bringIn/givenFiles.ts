import { HASH_LIST_FOLDER } from '../../../../shared/library/libraryFolder.ts';
import { SIDECAR_ENDING } from '../../../../shared/library/sidecar.ts';

/** A file that the user gave: picked, dropped or pasted. */
export interface GivenFile {
  /** Below the folder that was given; `/` separates folders. */
  name: string;
  file: File;
}

export interface PairedFiles {
  files: (GivenFile & { sidecar?: File })[];
  /** Sidecars whose file was not given. */
  alone: string[];
}

/** What systems leave in folders by themselves, and the hash list of a folder. */
const isOfTheSystem = (name: string): boolean => {
  const parts = name.split('/');
  const base = parts.at(-1) ?? '';
  if (parts.slice(0, -1).includes(HASH_LIST_FOLDER)) return true;
  return base.startsWith('.') || ['thumbs.db', 'desktop.ini'].includes(base.toLowerCase());
};

/** Each file with its sidecar, in order of their names. */
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

/** Of a picker; one for folders says where in it each file is. */
export const pickedFiles = (files: Iterable<File>): GivenFile[] =>
  [...files].map((file) => ({ name: withoutFolder(file.webkitRelativePath ?? '') || file.name, file }));

const withoutFolder = (name: string): string => name.split('/').slice(1).join('/');

/** Files with sidecars, or folders: more than pictures and clips by themselves. */
export const isExport = (given: readonly GivenFile[]): boolean =>
  given.some(({ name }) => name.endsWith(SIDECAR_ENDING) || name.includes('/'));

/** What an export may hold; a folder of more is not dropped by intent. */
const MAX_FILES = 50_000;

/** Of a drop. It has to be asked at once: after the first wait the browser has forgotten what was dropped. */
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

/** A reader answers in parts, and an empty one at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (part.length === 0) return all;
    all.push(...part);
  }
}
