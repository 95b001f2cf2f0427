import fs from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { t } from '../../../shared/texts.ts';
import { contentPath, libraryDir, type StoredFile, syncFolder } from './contentStore.ts';
import { bytesOf } from './fileBytes.ts';
import { hashFile } from './hashFile.ts';
import { deletePartial, partialPath } from './partialDownload.ts';
import { writeStream } from './writeStream.ts';

/** In the data folder: where the library is, if it was moved. It is no row, so that a restored database finds the files all the same. */
const POINTER = 'library.json';
/** In a library that was moved: what it is called, so that an empty folder in the place of a disk that is gone is not taken for it. */
const MARKER = 'dailies-library.json';

/** The data folder itself, wherever that is. */
const USUAL = '.';

interface Pointer {
  home: string;
  id: string;
}

/** What the marker of a library says; one that is `arriving` is a copy that is not whole yet. */
export interface Marker {
  id: string;
  arriving?: true;
}

/** Files that came or went since a copy of the library was begun, as `ab/HASH.EXT`. */
export interface Changes {
  stored: Set<string>;
  removed: Set<string>;
}

/** A write that has begun in a place, and goes on there if the library is moved meanwhile. */
export interface Lease {
  readonly home: string;
  end(): void;
}

/** Thrown where a file must be stored and the library is not there; the `code` is that of a disk that fails. */
export class LibraryAway extends Error {
  readonly code = 'EIO';
}

/**
 * Where the library's files lie: in `library` below the data folder or, once moved, below another folder, its home. Everything that is
 * written is written under a lease: what has begun before a move ends where it began, and is brought after.
 */
export class LibraryPlace {
  readonly usual: string;
  private current: string;
  private id: string | undefined;
  private damage: string | undefined;
  private readonly leases = new Set<{ home: string; name: string }>();
  private changes: Changes | undefined;
  /** What was half written in the old place is being brought: no download begins meanwhile. */
  isBringing = false;

  constructor(dataDir: string) {
    this.usual = dataDir;
    this.current = dataDir;
    const read = readPointer(dataDir);
    if (read === 'damaged')
      this.damage = t`The file ${path.join(dataDir, POINTER)} says where the library is, and cannot be read. Put it back from a copy of the data folder.`;
    else if (read) {
      this.current = read.home;
      this.id = read.id;
    }
  }

  /** Where new files are written, and all are read. */
  get home(): string {
    return this.current;
  }

  get folder(): string {
    return libraryDir(this.current);
  }

  /** Its name, if it was moved once. */
  get name(): string | undefined {
    return this.id;
  }

  /** Why nothing can be read or stored now, as a sentence for the user. */
  fault(): string | undefined {
    if (this.damage !== undefined) return this.damage;
    if (this.id === undefined) return undefined;
    const marker = readMarker(this.current);
    if (marker?.id === this.id) return undefined;
    return marker
      ? t`The folder ${this.folder} holds another library. Connect the disk of this one; what is made waits at the gateway until then.`
      : t`The library folder ${this.folder} is not there. Connect its disk; what is made waits at the gateway until then.`;
  }

  /** Begins a write; `name` is that of its partial file. To be asked for only while there is no {@link fault}. */
  lease(name: string): Lease {
    const held = { home: this.current, name };
    this.leases.add(held);
    return { home: held.home, end: () => void this.leases.delete(held) };
  }

  /** Whether a write that began there goes on; with a name, the write of that partial file. */
  isWritten(home: string, name?: string): boolean {
    return [...this.leases].some((one) => one.home === home && (name === undefined || one.name === name));
  }

  /** The present home, and those in which something is still being written. */
  homes(): string[] {
    return [...new Set([this.current, ...[...this.leases].map(({ home }) => home)])];
  }

  /** A file is in its place: after a move it is brought to the new one. To be called before its row is written. */
  async settle(lease: Lease, file: StoredFile): Promise<Result<StoredFile>> {
    const name = nameOf(file);
    if (lease.home === this.current) {
      this.changes?.removed.delete(name);
      this.changes?.stored.add(name);
      return ok(file);
    }
    const brought = await bring(contentPath(lease.home, file.sha256, file.extension), this.current, file);
    return brought.ok ? ok(file) : brought;
  }

  /** A file was removed from its place. */
  removed(file: Pick<StoredFile, 'sha256' | 'extension'>): void {
    const name = nameOf(file);
    this.changes?.stored.delete(name);
    this.changes?.removed.add(name);
  }

  /** From now on it is noted which files come and go. */
  watch(): void {
    this.changes = { stored: new Set(), removed: new Set() };
  }

  unwatch(): void {
    this.changes = undefined;
  }

  /** What came and went since it was asked last. */
  takeChanges(): Changes {
    const taken = this.changes ?? { stored: new Set(), removed: new Set() };
    if (this.changes) this.watch();
    return taken;
  }

  hasChanges(): boolean {
    return (this.changes?.stored.size ?? 0) + (this.changes?.removed.size ?? 0) > 0;
  }

  /** The disk of the library has another name by now. Only the very library is taken. */
  async locate(folder: string): Promise<Result<null>> {
    const { id } = this;
    const refused = (rule: string) => fail('invalid_input', `folder: ${rule}`, { field: 'folder' });
    if (id === undefined) return refused(t`the library was never moved; it is in the data folder.`);
    if (!path.isAbsolute(folder) || folder.includes('\0')) return refused(t`must be an absolute path.`);
    const homes = [folder, path.dirname(folder)];
    const markers = await Promise.all(homes.map(markerAt));
    const home = homes.find((_, at) => markers[at]?.id === id);
    if (home === undefined) return refused(t`does not hold this library.`);
    this.switchTo(home, id);
    return ok(null);
  }

  /** From now on the library is there. A kill leaves the old place or the new one. */
  switchTo(home: string, id: string): void {
    const fresh = path.join(this.usual, `${POINTER}.new`);
    writeSynced(fresh, JSON.stringify({ home: home === this.usual ? USUAL : home, id } satisfies Pointer));
    fs.renameSync(fresh, path.join(this.usual, POINTER));
    syncFolder(this.usual);
    this.current = home;
    this.id = id;
    this.damage = undefined;
  }
}

export const markerPath = (home: string): string => path.join(libraryDir(home), MARKER);

/** Of the library that is in use. */
function readMarker(home: string): Marker | undefined {
  try {
    return markerIn(fs.readFileSync(markerPath(home), 'utf8'));
  } catch {
    return undefined;
  }
}

/** Of any folder: its disk may not answer. */
export const markerAt = (home: string): Promise<Marker | undefined> =>
  readFile(markerPath(home), 'utf8').then(markerIn, () => undefined);

function markerIn(text: string): Marker | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null && 'id' in read && typeof read.id === 'string'
      ? { id: read.id, ...('arriving' in read ? { arriving: true } : {}) }
      : undefined;
  } catch {
    return undefined;
  }
}

/** On disk when it resolves. */
export async function writeMarker(home: string, marker: Marker): Promise<void> {
  const file = markerPath(home);
  const handle = await open(`${file}.new`, 'w', 0o600);
  try {
    await handle.writeFile(JSON.stringify(marker));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
  await flushFolder(path.dirname(file));
}

export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

export async function removeMarker(home: string): Promise<void> {
  for (const suffix of ['', '.new']) await rm(markerPath(home) + suffix, { force: true });
}

function writeSynced(file: string, text: string): void {
  const handle = fs.openSync(file, 'w', 0o600);
  try {
    fs.writeFileSync(handle, text);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

function readPointer(dataDir: string): Pointer | 'damaged' | undefined {
  let text: string;
  try {
    text = fs.readFileSync(path.join(dataDir, POINTER), 'utf8');
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? undefined : 'damaged';
  }
  try {
    const { home, id } = JSON.parse(text) as Record<string, unknown>;
    if (typeof home !== 'string' || typeof id !== 'string') return 'damaged';
    if (home === USUAL) return { home: dataDir, id };
    return path.isAbsolute(home) ? { home, id } : 'damaged';
  } catch {
    return 'damaged';
  }
}

const nameOf = ({ sha256, extension }: Pick<StoredFile, 'sha256' | 'extension'>): string =>
  `${sha256.slice(0, 2)}/${sha256}.${extension}`;

/** Copies one file into another home, and reads it back there. */
async function bring(from: string, home: string, file: StoredFile): Promise<Result<null>> {
  const target = contentPath(home, file.sha256, file.extension);
  const part = partialPath(home, `brought-${file.sha256}`);
  const written = await writeStream(part, bytesOf(from), { from: 0 });
  const isWhole = written.ok && written.data.sha256 === file.sha256 && (await hashFile(part)).sha256 === file.sha256;
  if (!isWhole) deletePartial(part);
  if (!written.ok) return written;
  if (!isWhole) return fail('unreachable', t`A file was changed on its way to the new library folder.`);
  fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
  fs.renameSync(part, target);
  syncFolder(path.dirname(target));
  return ok(null);
}
