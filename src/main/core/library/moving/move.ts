import path from 'node:path';
import type { LibraryMove } from '../../../../shared/library/libraryFolder.ts';
import { t } from '../../../../shared/text/texts.ts';
import { codeOf, isDiskFull, isWriteProtected } from '../../faults.ts';
import type { Clock } from '../../ports.ts';
import type { Store } from '../../store/index.ts';
import { severalAtOnce } from '../../timeSlicing.ts';
import { libraryDir, sizeOf } from '../content/contentStore.ts';
import { type FileThread, orCanceled } from '../content/fileThread.ts';
import type { ListedFile } from '../content/fileWorker.ts';
import { LibraryAway, type LibraryLocation, markerAt, nameOf, removeMarker, writeMarker } from '../content/location.ts';
import { partialFiles, partialPath, partialSize, storedPartials } from '../downloads/partialDownload.ts';
import { type MoveRow, moveOf, moveOfLibrary, saveMove } from './moveTable.ts';
import { isSameFolder, isSwitchedTo, isThere, listOf } from './moveTarget.ts';

export interface MoveDeps {
  store: Store;
  clock: Clock;
  location: LibraryLocation;
  /** A thread that ends by itself when idle. */
  thread: FileThread;
  isPending(id: string): boolean;
  isNamed(sha256: string): boolean;
  /** While the work runs, no file of the library comes or goes. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Half downloads have been copied to the new folder. */
  wakeDownloads(): void;
  /** Whether work that began before this time may still read files at the old location. */
  isReadSince(at: number): boolean;
  /** Points everything that holds file paths to the new folder. Resolves once nothing reads the old one, which may take long. */
  leaveOld(from: string, to: string): Promise<void>;
}

/** An error that ends a move, with its sentence for the user. */
export class MoveFault extends Error {}

const TARGET_GONE = t`The new folder is missing, or on another disk.`;

/** The share of each phase in the whole progress, in percent. */
const SHARES = { copy: [0, 55], compare: [55, 95], switch: [95, 96], remove: [96, 99] } as const;
/** Files copied or compared in parallel: a small file mostly waits for the disk to sync. */
const FILES_AT_ONCE = 4;
/** Files removed between two checks that the new folder is still there. */
const REMOVED_AT_ONCE = 200;
const LOOK_EVERY_MS = 1_000;
/** The remaining time is not shown before this much has passed. */
const LEAST_TOLD_MS = 2_000;
const PARTIAL = /\.part(\.json)?(\.new)?$/;

const pathIn = (home: string, name: string): string => path.join(libraryDir(home), ...name.split('/'));
const stemOf = (name: string): string => path.basename(name).slice(0, 64);

/**
 * The steps of one move: copy, compare, switch, remove. Each may be repeated: after a restart {@link run} begins with the first step, or
 * with `remove` if the library has switched, and skips finished work.
 */
export class Move {
  row: MoveRow;
  private readonly deps: MoveDeps;
  private readonly changed: () => void;
  private readonly stop = new AbortController();
  /** Aborted when the move is canceled or Dailies closes. */
  readonly signal = this.stop.signal;
  private resumed = Promise.withResolvers<void>();
  private done = 0;
  private doneBytes = 0;
  /** The start of the speed measurement. Files copied by an earlier run took no time in this one. */
  private since = { at: 0, bytes: 0 };
  /** Files that were already damaged before the move. */
  private readonly damaged = new Set<string>();
  private waits: string | undefined;

  /** `changed` is called whenever {@link view} has changed. */
  constructor(deps: MoveDeps, row: MoveRow, changed: () => void) {
    this.deps = deps;
    this.row = row;
    this.changed = changed;
  }

  isSwitched(): boolean {
    return isSwitchedTo(this.row, this.deps.location);
  }

  /** Only copying and comparing can be paused; the later phases must not stop half way. */
  canPause(): boolean {
    return this.row.phase === 'copy' || this.row.phase === 'compare';
  }

  view(): LibraryMove {
    const { done, doneBytes, waits } = this;
    const leftMs = this.leftMs();
    return {
      ...{ ...moveOf(this.row), done, doneBytes },
      ...(waits === undefined ? {} : { waits }),
      ...(leftMs === undefined ? {} : { leftMs }),
    };
  }

  private leftMs(): number | undefined {
    const { row, since, doneBytes } = this;
    const [ms, bytes] = [this.deps.clock.now() - since.at, doneBytes - since.bytes];
    const isTold = this.canPause() && row.paused === 0 && this.waits === undefined;
    return isTold && ms >= LEAST_TOLD_MS && bytes > 0 ? Math.round(((row.bytes - doneBytes) * ms) / bytes) : undefined;
  }

  save(change: Partial<MoveRow>): void {
    this.row = this.deps.store.transaction((db) => saveMove(db, { ...this.row, ...change }));
  }

  pause(isPaused: boolean): void {
    this.save({ paused: isPaused ? 1 : 0 });
    this.resumed.resolve();
    this.resumed = Promise.withResolvers();
    this.since = { at: this.deps.clock.now(), bytes: this.doneBytes };
    this.tick();
  }

  /** Aborts running work; {@link run} rejects. */
  async abort(): Promise<void> {
    this.stop.abort();
    await this.deps.thread.stop();
  }

  async run(): Promise<void> {
    if (!this.isSwitched()) await this.whileThere(() => this.copyAndSwitch());
    this.enter('remove', { has_old: 1, paused: 0 });
    this.deps.location.isBringing = true;
    await this.whileThere(() => this.bringPartials());
    this.letDownloadsGoOn();
    if (this.row.keeps_old === 1) return;
    await this.untilUnread();
    await this.whileThere(() => this.removeOld());
    this.row = { ...this.row, has_old: 0 };
  }

  private async copyAndSwitch(): Promise<void> {
    const { location, inTurn } = this.deps;
    const { to_home: to, library } = this.row;
    await this.assertTarget();
    const files = await this.files();
    this.enter('copy', { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), damaged: 0 });
    const there = await this.copiesOf(files);
    await this.eachOf(files, async ({ name, bytes }) => {
      if (there.has(name)) this.since.bytes += bytes;
      else await this.copy(name);
    });
    this.enter('compare');
    await this.eachOf(files, ({ name }) => this.compare(name));
    this.enter('switch');
    await this.assertLocation();
    await this.assertTarget();
    await writeMarker(to, { id: library });
    await this.catchUp();
    // Also copies files that arrived in the meantime.
    await inTurn(async () => {
      await this.catchUp();
      location.isBringing = true;
      location.switchTo(to, library);
    });
  }

  private files(): Promise<ListedFile[]> {
    return listOf(this.deps.thread, this.deps.location.folder).catch(() => {
      throw new MoveFault(t`The folder cannot be read.`);
    });
  }

  /** The names of those files that the new folder has; copies of others are removed. {@link compare} checks the content. */
  private async copiesOf(files: readonly ListedFile[]): Promise<Set<string>> {
    const { thread } = this.deps;
    const folder = libraryDir(this.row.to_home);
    const there = new Set((await thread.list(folder)).map(({ name }) => name));
    const wanted = new Set(files.map(({ name }) => name));
    await thread.remove(
      folder,
      [...there].filter((name) => !wanted.has(name)),
    );
    return there;
  }

  /** Copies files that arrived since, removes those that are gone, and copies damaged ones again. */
  private async catchUp(): Promise<void> {
    const files = await this.files();
    // A disk that goes meanwhile lists less than it holds.
    await this.assertLocation();
    const there = await this.copiesOf(files);
    for (const { name } of files) {
      await this.mayGoOn();
      if (!there.has(name) || this.damaged.has(name)) await this.compare(name);
    }
  }

  /** The hash of the source as it was read; undefined if the source is gone. */
  private async copy(name: string): Promise<string | undefined> {
    const { from_home: from, to_home: to } = this.row;
    await this.assertTarget();
    try {
      return (await this.deps.thread.copy(pathIn(from, name), pathIn(to, name))).sha256;
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      if ((await sizeOf(pathIn(from, name))) !== undefined) throw new MoveFault(TARGET_GONE);
      // Throws where the whole old disk is gone, not only this file.
      await this.assertLocation();
      return undefined;
    }
  }

  /** Reads a copy back and copies once more if its hash differs from its name. A source that differs too counts as damaged. */
  private async compare(name: string): Promise<void> {
    await this.assertTarget();
    this.damaged.delete(name);
    const source = (await this.hashAtTarget(name)) === stemOf(name) ? undefined : await this.bring(name);
    if (source !== undefined && source !== stemOf(name)) this.damaged.add(name);
    this.row = { ...this.row, damaged: this.damaged.size };
  }

  /** Copies a file and reads it back. Returns its hash, or undefined if the source is gone. */
  private async bring(name: string): Promise<string | undefined> {
    const source = await this.copy(name);
    if (source !== undefined && (await this.hashAtTarget(name)) !== source)
      throw new MoveFault(t`The disk of the new folder does not return what was written to it.`);
    return source;
  }

  private async hashAtTarget(name: string): Promise<string | undefined> {
    try {
      return (await this.deps.thread.hash(pathIn(this.row.to_home, name))).sha256;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** The marker file shows that the disk of the new folder is still there. */
  private async assertTarget(): Promise<void> {
    const marker = await markerAt(this.row.to_home);
    this.signal.throwIfAborted();
    if (marker?.id !== this.row.library) throw new MoveFault(TARGET_GONE);
  }

  private async eachOf(files: readonly ListedFile[], work: (file: ListedFile) => Promise<void>): Promise<void> {
    await severalAtOnce(FILES_AT_ONCE, files, async (file) => {
      await this.mayGoOn();
      await work(file);
      this.passed(file);
    });
    await this.mayGoOn();
  }

  private async mayGoOn(): Promise<void> {
    while (this.row.paused === 1) await orCanceled(this.resumed.promise, this.signal);
    this.signal.throwIfAborted();
  }

  /** Copies half downloads, and files that are stored but not recorded yet. A download that went on in the new folder stays as it is. */
  private async bringPartials(): Promise<void> {
    const { location, thread, isPending } = this.deps;
    const from = this.row.from_home;
    const stored = new Map((await storedPartials(from)).map(({ id, file }) => [id, nameOf(file)]));
    for (const id of new Set((await partialFiles(from)).map((name) => name.replace(PARTIAL, '')))) {
      this.signal.throwIfAborted();
      if (!isPending(id) || [from, location.home].some((home) => location.isWritten(home, id))) continue;
      const name = stored.get(id);
      if (name !== undefined && (await sizeOf(pathIn(location.home, name))) === undefined) await this.bring(name);
      const [part, fresh] = [await partialPath(from, id), await partialPath(location.home, id)];
      if ((await partialSize(fresh)) > (await partialSize(part))) continue;
      for (const suffix of ['', '.json'])
        if ((await sizeOf(part + suffix)) !== undefined) await thread.copy(part + suffix, fresh + suffix);
    }
  }

  /** Downloads wait only while half downloads are copied. */
  letDownloadsGoOn(): void {
    const { location, wakeDownloads } = this.deps;
    if (!location.isBringing) return;
    location.isBringing = false;
    wakeDownloads();
  }

  private async untilUnread(): Promise<void> {
    const { from_home: from, to_home: to } = this.row;
    const since = this.deps.clock.now();
    await orCanceled(this.deps.leaveOld(from, to), this.signal);
    while (this.deps.location.isWritten(from) || this.deps.isReadSince(since))
      await this.later(t`Jobs are being sent or downloaded`);
  }

  /**
   * Removes the library's own files, each only if the new folder has it or nothing refers to it.
   * Other files stay: another disk with another library may be mounted at the old path by now.
   */
  private async removeOld(): Promise<void> {
    const { thread, location, store, isNamed } = this.deps;
    const from = this.row.from_home;
    const folder = libraryDir(from);
    if (await isSameFolder(folder, location.folder)) throw new Error('the old library folder is the present one');
    if (!(await isThere(folder))) return;
    const marker = await markerAt(from);
    const files = await thread.list(folder);
    // A library outside the data folder has a marker as long as it has files.
    const isOurs = marker
      ? moveOfLibrary(store.read, { id: marker.id })
      : from === location.usual || files.length === 0;
    if (!isOurs) throw new Error('another library is in the old library folder');
    for (let at = 0; at < files.length; at += REMOVED_AT_ONCE) {
      const some = files.slice(at, at + REMOVED_AT_ONCE);
      await this.assertLocation();
      for (const { name, bytes } of some) if (isNamed(stemOf(name))) await this.assureHere(name, bytes);
      await this.assertLocation();
      await thread.remove(
        folder,
        some.map(({ name }) => name),
      );
      this.raise((at + some.length) / files.length);
    }
    const ours = (await partialFiles(from)).filter((name) => PARTIAL.test(name)).map((name) => `parts/${name}`);
    await thread.remove(folder, ours);
    await removeMarker(from);
    await thread.tidy(folder);
  }

  /** Copies a file that the new folder lacks, but never replaces a file there by a damaged one. */
  private async assureHere(name: string, bytes: number): Promise<void> {
    const held = await sizeOf(pathIn(this.deps.location.home, name));
    if (held === bytes) return;
    const old = held === undefined ? undefined : await this.deps.thread.hash(pathIn(this.row.from_home, name));
    if (!old || old.sha256 === stemOf(name)) await this.bring(name);
  }

  private async assertLocation(): Promise<void> {
    const away = await this.deps.location.look();
    this.signal.throwIfAborted();
    if (away !== undefined) throw new LibraryAway(away);
  }

  /** Starts the work again once a missing disk is back. */
  private async whileThere(work: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await this.assertLocation();
        return await work();
      } catch (error) {
        const away = await this.deps.location.look();
        if (away === undefined && !(error instanceof LibraryAway)) throw error;
        await this.later(away);
      }
    }
  }

  private async later(waits: string | undefined): Promise<void> {
    if (this.waits !== waits) {
      this.waits = waits;
      this.tick();
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancelTimer = this.deps.clock.after(LOOK_EVERY_MS, resolve);
    await orCanceled(promise, this.signal).finally(cancelTimer);
    this.waits = undefined;
  }

  private enter(phase: MoveRow['phase'], change: Partial<MoveRow> = {}): void {
    this.done = 0;
    this.doneBytes = 0;
    this.since = { at: this.deps.clock.now(), bytes: 0 };
    this.save({ ...change, phase, progress: Math.max(this.row.progress, SHARES[phase][0]) });
    this.tick();
  }

  private passed({ bytes }: ListedFile): void {
    this.done += 1;
    this.doneBytes += bytes;
    this.raise((this.doneBytes + this.done) / Math.max(1, this.row.bytes + this.row.files));
  }

  /** `share` of the phase, 0 to 1. Reports full percents only; the progress never falls. */
  private raise(share: number): void {
    const [from, to] = SHARES[this.row.phase];
    const progress = Math.floor(from + (to - from) * Math.min(1, share));
    if (progress <= this.row.progress) return;
    this.row = { ...this.row, progress };
    this.tick();
  }

  private tick(): void {
    this.row = { ...this.row, revision: this.row.revision + 1 };
    this.changed();
  }
}

/** The message of a move that ended before the switch. */
export const endOf = (error: unknown): string => t`${sentenceOf(error)} The library was not moved.`;

function sentenceOf(error: unknown): string {
  if (error instanceof MoveFault) return error.message;
  if (isDiskFull(error)) return t`The disk of the new folder is full.`;
  if (isWriteProtected(error)) return t`The new folder cannot be written to.`;
  if (['ENOENT', 'ENOTDIR', 'EIO', 'ENODEV', 'ENXIO', 'ESTALE', 'ENOTCONN'].includes(codeOf(error))) return TARGET_GONE;
  return t`Something went wrong in Dailies.`;
}
