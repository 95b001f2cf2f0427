import fs from 'node:fs';
import { open, readFile, rename, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import { extensionOf } from '../../../../shared/library/mediaFormats.ts';
import { en, t } from '../../../../shared/text/texts.ts';
import { freeBytesOf, syncFolder, syncFolderSync, writeSynced } from '../../durableFiles.ts';
import { codeOf } from '../../faults.ts';
import { tryWriting } from '../downloads/partialDownload.ts';
import { contentPath, libraryDir, type StoredFile } from './contentStore.ts';
import { filesThread, hashFile } from './fileThread.ts';
import { writeError } from './writeStream.ts';

/** In the data folder: the location of a moved library. A file, not a row, so that a restored database finds the files too. */
const POINTER = 'library.json';
/** In a moved library: its identity, so that an empty folder in place of a missing disk is not mistaken for it. */
const MARKER = 'dailies-library.json';

/** The data folder itself, wherever that is. */
const USUAL = '.';

interface Pointer {
  home: string;
  id: string;
}

/** The content of a library's marker; `arriving`: a copy that is not complete yet. */
export interface Marker {
  id: string;
  arriving?: true;
}

/** A write that began at one location and continues there if the library is moved meanwhile. */
export interface Lease {
  readonly home: string;
  end(): void;
}

/** The result of a check of the folder. */
interface Found {
  fault?: string | undefined;
  /** The error code for creating a file, if that was tried. */
  unwritable?: string | undefined;
  freeBytes: number;
}

/** Free bytes before the first look: taken for enough, as a write reports a full disk. */
const UNKNOWN = Number.MAX_SAFE_INTEGER;
const NOTHING_KNOWN: Found = { freeBytes: UNKNOWN };
/** A sleeping disk needs some seconds to answer. */
const LOOK_LIMIT_MS = 10_000;
/** The least time between two looks that {@link LibraryLocation.fault} starts. */
const LOOK_EVERY_MS = 1_000;

/** Thrown if a file must be stored and the library is not there; `code` is that of a failing disk. */
export class LibraryAway extends Error {
  readonly code = 'EIO';
}

/**
 * The location of the library's files: in `library` inside the data folder or, after a move, inside another folder, its home. Every write
 * has a lease: if it began before a move, it ends at the old location, and its file is copied afterwards.
 *
 * The disk may be gone, or may never answer: `look` checks it, and `fault` returns the last result at once.
 */
export class LibraryLocation {
  readonly usual: string;
  private current: string;
  private id: string | undefined;
  private damage: string | undefined;
  private readonly leases = new Set<{ home: string; name: string }>();
  /** Files that were half written at the old location are being copied; no download begins meanwhile. */
  isBringing = false;
  private found: Found = NOTHING_KNOWN;
  /** One check at a time: each call that a disk does not answer occupies one of the few threads of Node. */
  private looking: { writes: boolean; over: Promise<void> } | undefined;
  /** The pending look has passed its limit. */
  private isSilent = false;
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(dataDir: string) {
    this.usual = dataDir;
    this.current = dataDir;
    const read = readPointer(dataDir);
    if (read === 'damaged')
      this.damage = t`The file ${path.join(dataDir, POINTER)} names the library folder and cannot be read. Restore it from a copy of the data folder.`;
    else if (read) {
      this.current = read.home;
      this.id = read.id;
    }
  }

  /** The location for reading and for new files. */
  get home(): string {
    return this.current;
  }

  get folder(): string {
    return libraryDir(this.current);
  }

  /** The path of an asset's file. */
  pathOf({ sha256, mime }: { sha256: string; mime: string }): string {
    return contentPath(this.current, sha256, extensionOf(mime));
  }

  /** The name of the library, if it was ever moved. */
  get name(): string | undefined {
    return this.id;
  }

  /** Why nothing can be read or stored, as a sentence for the user, according to the last check. */
  fault(): string | undefined {
    if (this.id !== undefined && performance.now() - this.lookedAt >= LOOK_EVERY_MS) void this.look();
    if (this.isSilent)
      return t`The library folder ${this.folder} does not answer. Reconnect its disk; until then results wait at the gateway.`;
    return this.damage ?? this.found.fault;
  }

  /** Why no file can be created there, according to the last check. */
  get unwritable(): string | undefined {
    return this.found.unwritable;
  }

  get freeBytes(): number {
    return this.current === this.usual ? freeBytesOf(this.usual) : this.found.freeBytes;
  }

  /** Checks again, for a few seconds at most, and returns {@link fault}. With `writes` it also tries to create a file. */
  async look(writes = false): Promise<string | undefined> {
    if (this.damage !== undefined) return this.damage;
    while (writes && this.looking?.writes === false && !this.isSilent) await this.looking.over;
    if (this.id !== undefined || writes) await (this.looking ?? this.begin(writes)).over;
    return this.fault();
  }

  private begin(writes: boolean): { over: Promise<void> } {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const look = { writes, over };
    this.looking = look;
    this.lookedAt = performance.now();
    const late = setTimeout(() => {
      if (this.looking === look) this.isSilent = true;
      resolve();
    }, LOOK_LIMIT_MS);
    void this.find(writes).then((found) => {
      clearTimeout(late);
      resolve();
      if (this.looking === look) this.known(found);
    });
    return look;
  }

  private known(found: Found): void {
    this.found = found;
    this.looking = undefined;
    this.isSilent = false;
  }

  private async find(writes: boolean): Promise<Found> {
    const { current: home, id, folder, usual } = this;
    const marker = id === undefined ? undefined : await markerAt(home);
    if (marker?.id === id) {
      const freeBytes = home === usual ? UNKNOWN : await freeBytesAt(home).catch(() => UNKNOWN);
      return { freeBytes, unwritable: writes ? await tryWriting(home) : this.unwritable };
    }
    const fault = marker
      ? t`The folder ${folder} holds another library. Connect the right disk; until then results wait at the gateway.`
      : t`The library folder ${folder} is missing. Connect its disk; until then results wait at the gateway.`;
    return { ...NOTHING_KNOWN, fault };
  }

  /** Begins a write; `name` is that of its partial file. Allowed only without a {@link fault}. */
  lease(name: string): Lease {
    const held = { home: this.current, name };
    this.leases.add(held);
    return { home: held.home, end: () => void this.leases.delete(held) };
  }

  /** Whether a write that began there is still running; with a name, the write of that partial file. */
  isWritten(home: string, name?: string): boolean {
    return [...this.leases].some((one) => one.home === home && (name === undefined || one.name === name));
  }

  /** The present home, and those in which something is still being written. */
  homes(): string[] {
    return [...new Set([this.current, ...[...this.leases].map(({ home }) => home)])];
  }

  /** A file is complete. After a move it is copied to the new location. Must be called before its row is written. */
  async settle(lease: Lease, file: StoredFile): Promise<Result<StoredFile>> {
    if (lease.home === this.current) return ok(file);
    const away = await this.look();
    if (away !== undefined) return fail('store_unavailable', away);
    const brought = await bring(contentPath(lease.home, file.sha256, file.extension), this.current, file);
    return brought.ok ? ok(file) : brought;
  }

  /** The disk of the library has another path now. Only this very library is accepted. */
  async locate(folder: string): Promise<Result<null>> {
    const { id } = this;
    const refused = (rule: string) => fail('invalid_input', `folder: ${rule}`, { field: 'folder' });
    if (id === undefined) return refused(en`the library was never moved; it is in the data folder.`);
    if (!path.isAbsolute(folder) || folder.includes('\0')) return refused(en`must be an absolute path.`);
    const homes = [folder, path.dirname(folder)];
    const markers = await Promise.all(homes.map(markerAt));
    const home = homes.find((_, at) => markers[at]?.id === id);
    if (home === undefined) return refused(en`does not hold this library.`);
    this.switchTo(home, id);
    return ok(null);
  }

  /** Switches to the new location. A kill leaves either the old or the new one. */
  switchTo(home: string, id: string): void {
    const fresh = path.join(this.usual, `${POINTER}.new`);
    writeSynced(fresh, JSON.stringify({ home: home === this.usual ? USUAL : home, id } satisfies Pointer));
    fs.renameSync(fresh, path.join(this.usual, POINTER));
    syncFolderSync(this.usual);
    this.current = home;
    this.id = id;
    this.damage = undefined;
    this.known(NOTHING_KNOWN);
    void this.look();
  }
}

export const markerPath = (home: string): string => path.join(libraryDir(home), MARKER);

/** On the disk of a folder that the user named. */
export const freeBytesAt = (folder: string): Promise<number> =>
  statfs(folder).then(({ bavail, bsize }) => bavail * bsize);

/** The marker of any folder. Its disk may not answer. */
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
  await syncFolder(path.dirname(file));
}

export async function removeMarker(home: string): Promise<void> {
  for (const suffix of ['', '.new']) await rm(markerPath(home) + suffix, { force: true });
}

function readPointer(dataDir: string): Pointer | 'damaged' | undefined {
  let text: string;
  try {
    text = fs.readFileSync(path.join(dataDir, POINTER), 'utf8');
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? undefined : 'damaged';
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

/** As the move names it. */
export const nameOf = ({ sha256, extension }: Pick<StoredFile, 'sha256' | 'extension'>): string =>
  `${sha256.slice(0, 2)}/${sha256}.${extension}`;

/** Copies one file into another home, and reads it back there. */
async function bring(from: string, home: string, file: StoredFile): Promise<Result<null>> {
  const target = contentPath(home, file.sha256, file.extension);
  try {
    // The source is checked first, so that a damaged file replaces nothing.
    const isSource = (await hashFile(from)).sha256 === file.sha256;
    if (isSource) await filesThread.copy(from, target);
    const isWhole = isSource && (await hashFile(target)).sha256 === file.sha256;
    // By its size it would be taken for the file.
    if (isSource && !isWhole) await rm(target, { force: true });
    return isWhole ? ok(null) : fail('unreachable', en`A file was changed on its way to the new library folder.`);
  } catch (error) {
    return writeError(error);
  }
}
