import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import type { Emptied } from '../../../../shared/library/assetMarks.ts';
import { en } from '../../../../shared/text/texts.ts';
import { syncFolder } from '../../durableFiles.ts';
import type { Clock, Logger } from '../../ports.ts';
import { deleteFlag, isRecovering, readFlag, type WriteDb, writeFlag } from '../../store/index.ts';
import { WorkQueue } from '../../timeSlicing.ts';
import { type ContentInUse, type StoredFile, sizeOf } from '../content/contentStore.ts';
import type { LibraryDeps } from '../content/diskSpace.ts';
import { storedPartials } from '../downloads/partialDownload.ts';
import {
  BinCounts,
  type BinnedRow,
  binnedAfter,
  chosenBinned,
  emptyAssets,
  filesToRemove,
  holdersOfContent,
  isContentNamed,
  lastBinned,
  positionNotInBin,
  ReferenceIndex,
  setFilesRemoved,
  thumbnailsOfAssets,
} from './binTable.ts';

export interface BinDeps extends Pick<LibraryDeps, 'store' | 'location' | 'namedBy'> {
  clock: Pick<Clock, 'now'>;
  log: Pick<Logger, 'warn'>;
  inUse: ContentInUse;
  /** An asset that was only at the gateway was deleted. */
  onDeleted(id: string): Promise<void>;
  /** Removes a file if it exists. Tests replace this to simulate a refusal by the system. */
  remove?(file: string): Promise<void>;
}

/** Limits: rows per transaction, files per turn, and rows per read. */
const ROWS_AT_ONCE = 25;
const FILES_AT_ONCE = 10;
const ROWS_OF_A_READ = 200;

/** Set from the first deleted row until its file is gone: a start that finds it continues. */
const FLAG = 'library:filesToRemove';

type Chosen = readonly string[] | undefined;
/** These assets, or all with at most this number that were put into the bin until then. */
type ChosenNow = { ids: readonly string[] } | { last: number; before: number };

/**
 * Deletes items from the bin for good. Rows first: each is marked as deleted and keeps its hash until its file is gone, so that the next
 * start continues after a kill at any point. A file is removed if no other asset has its content or is about to.
 */
export class Bin {
  private readonly deps: BinDeps;
  private readonly named: ReferenceIndex;
  /** One after the other. */
  private readonly queue = new WorkQueue();
  /** Files that could not be removed yet. */
  private left: BinnedRow[] = [];
  /** The number of calls that delete now or wait to. */
  private emptying = 0;
  private isClosed = false;

  constructor(deps: BinDeps) {
    this.deps = deps;
    this.named = new ReferenceIndex(deps.store, deps.namedBy);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.queue.ended();
  }

  /** Removes files of deleted assets that a kill left, or that had to stay while a backup might refer to them. */
  resume(): Promise<void> {
    return this.inTurn(async () => {
      if (readFlag(this.deps.store.read, FLAG) !== undefined) await this.removeLeft();
    });
  }

  /** In the transaction that finds a file of an asset that was deleted before. */
  fileToRemove(db: WriteDb): void {
    writeFlag(db, FLAG, '1');
    queueMicrotask(() => void this.resume());
  }

  async figures({ ids }: { ids?: Chosen }): Promise<Result<Emptied>> {
    return this.refusal(ids) ?? (await this.inTurn(async () => ok(await this.counted(this.chosenNow(ids)))));
  }

  /** Empties the whole bin, or deletes only these items, or those put there until `before`, milliseconds since 1970. */
  async empty({ ids, before }: { ids?: Chosen; before?: number }): Promise<Result<Emptied>> {
    const refusal = this.refusal(ids);
    if (refusal) return refusal;
    const chosen = this.chosenNow(ids, before);
    this.emptying += 1;
    try {
      return await this.inTurn(() => this.emptyChosen(chosen));
    } finally {
      this.emptying -= 1;
    }
  }

  /** Items that arrive in the bin with an old time meanwhile, as from a backup, would be deleted too. */
  get isEmptying(): boolean {
    return this.emptying > 0;
  }

  /** Fixes the content of the bin at the time of the call; later items stay. */
  private chosenNow(ids: Chosen, before = Number.MAX_SAFE_INTEGER): ChosenNow {
    if (ids) return { ids };
    const { seq, at } = lastBinned(this.deps.store.read);
    return { last: seq, before: Math.min(before, at) };
  }

  private refusal(ids: Chosen): Result<never> | undefined {
    const position = ids && positionNotInBin(this.deps.store.read, ids);
    if (position === undefined) return undefined;
    const field = `ids.${position}`;
    return fail('not_found', en`${field}: is not in the bin.`, { field });
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.queue.add(work).catch((error) => {
      if (!this.isClosed) this.deps.log.warn({ error: String(error) }, 'the bin could not be read or emptied');
      throw error;
    });
  }

  private async emptyChosen(chosen: ChosenNow): Promise<Result<Emptied>> {
    const counts = new BinCounts();
    const deleted: BinnedRow[] = [];
    let freed = { files: 0, bytes: 0 };
    try {
      await this.eachSlice(chosen, ROWS_AT_ONCE, counts, async (rows) => {
        deleted.push(...(await this.deleteRows(rows)));
      });
    } finally {
      // Runs even after an error such as a full disk: the files of deleted rows free some space.
      freed = await this.removeFiles([...this.left, ...deleted]);
    }
    return ok({ ...freed, items: counts.items, kept: counts.keptItems() });
  }

  /** Passes the chosen assets that are deleted to `work`, a few in each turn of the event loop. */
  private async eachSlice(
    chosen: ChosenNow,
    limit: number,
    counts: BinCounts,
    work: (rows: BinnedRow[]) => Promise<void> | void,
  ): Promise<void> {
    const { named } = this;
    await named.begin();
    try {
      for (const slice of this.slices(chosen, limit)) {
        while (named.catchUp()) await turn();
        await work(slice().filter((row) => counts.willBeDeleted(row, named)));
        await turn();
        if (this.isClosed) return;
      }
    } finally {
      named.end();
    }
  }

  /** Slices of the chosen assets. Each is read only when it is used. */
  private *slices(chosen: ChosenNow, limit: number): Generator<() => BinnedRow[]> {
    const { read } = this.deps.store;
    if ('ids' in chosen) {
      const { ids } = chosen;
      for (let from = 0; from < ids.length; from += limit) {
        const some = ids.slice(from, from + limit);
        yield () => chosenBinned(read, some);
      }
      return;
    }
    const { last, before } = chosen;
    for (let after = 0; after < last; ) {
      let rows: BinnedRow[] = [];
      yield () => {
        rows = binnedAfter(read, { after, last, limit, before });
        return rows;
      };
      after = rows.at(-1)?.seq ?? last;
    }
  }

  /** Also deletes the thumbnails of these assets. */
  private async deleteRows(rows: readonly BinnedRow[]): Promise<BinnedRow[]> {
    if (rows.length === 0) return [];
    const { store, clock } = this.deps;
    const all = store.transaction((db) => {
      const both = [...rows, ...thumbnailsOfAssets(db, rows)];
      emptyAssets(db, both, clock.now());
      writeFlag(db, FLAG, '1');
      return both;
    });
    for (const { id, state } of all) if (state !== 'local') await this.forgetDownload(id);
    return all.filter(({ sha256 }) => sha256 !== '');
  }

  /** The row is deleted even if the partial download cannot be removed now: a start removes that. */
  private async forgetDownload(id: string): Promise<void> {
    try {
      await this.deps.onDeleted(id);
    } catch (error) {
      this.deps.log.warn({ asset: id, error: String(error) }, 'a half download could not be removed');
    }
  }

  private async removeLeft(): Promise<void> {
    const { store } = this.deps;
    const found: BinnedRow[] = [];
    for (let after = 0; !this.isClosed; ) {
      const from = { after, limit: ROWS_OF_A_READ };
      const page = await store.readInThread((db) => filesToRemove(db, from));
      if (page.length === 0) break;
      found.push(...page);
      after = page.at(-1)?.seq ?? after;
    }
    await this.removeFiles(found);
  }

  /** Removes each file once. A file that is in use or cannot be removed is tried again by the next call or start. */
  private async removeFiles(rows: readonly BinnedRow[]): Promise<{ files: number; bytes: number }> {
    const freed = { files: 0, bytes: 0 };
    const left: BinnedRow[] = [];
    // Otherwise the files would count as removed, and remain when the disk is back or when the user continues without a backup.
    if (rows.length > 0 && ((await this.deps.location.look()) !== undefined || isRecovering(this.deps.store.read))) {
      this.left = [...rows];
      return freed;
    }
    for (let from = 0; from < rows.length && !this.isClosed; from += FILES_AT_ONCE) {
      try {
        left.push(...(await this.removeSome(rows.slice(from, from + FILES_AT_ONCE), freed)));
      } catch (error) {
        this.left = [...left, ...rows.slice(from)];
        throw error;
      }
      await turn();
    }
    if (this.isClosed) return freed;
    this.left = left;
    if (left.length === 0) this.deps.store.transaction((db) => deleteFlag(db, FLAG));
    return freed;
  }

  /** Removes a few files and returns the rows that are left. */
  private removeSome(rows: readonly BinnedRow[], freed: { files: number; bytes: number }): Promise<BinnedRow[]> {
    const { store, inUse } = this.deps;
    return inUse.inTurn(async () => {
      const arriving = await this.arriving();
      const [gone, left]: [BinnedRow[], BinnedRow[]] = [[], []];
      const folders = new Set<string>();
      for (const row of rows) {
        const isWanted = arriving.has(row.sha256) || inUse.has(row.sha256);
        (!isWanted && (await this.removeFile(row, freed, folders)) ? gone : left).push(row);
      }
      // Removals are on disk before a row says so.
      for (const folder of folders) await syncFolder(folder).catch(unlessGone);
      const seqs = gone.map(({ seq }) => seq);
      if (seqs.length > 0) store.transaction((db) => setFilesRemoved(db, seqs));
      return left;
    });
  }

  /** False if the system refuses. Adds the folder of the removed file. */
  private async removeFile(
    row: BinnedRow,
    freed: { files: number; bytes: number },
    folders: Set<string>,
  ): Promise<boolean> {
    try {
      const bytes = await sizeOf(this.deps.location.pathOf(row));
      if (this.isNamed(row)) return true;
      folders.add(path.dirname(await this.remove(row)));
      if (bytes !== undefined) {
        freed.files += 1;
        freed.bytes += bytes;
      }
      return true;
    } catch (error) {
      this.deps.log.warn({ asset: row.id, error: String(error) }, 'a deleted file could not be removed');
      return false;
    }
  }

  private async remove(row: Pick<BinnedRow, 'sha256' | 'mime'>): Promise<string> {
    const file = this.deps.location.pathOf(row);
    await (this.deps.remove?.(file) ?? rm(file, { force: true }));
    return file;
  }

  /** Whether an asset on this disk has this content, or may have it once a backup replaces an empty database. */
  isNamed(file: Pick<BinnedRow, 'sha256' | 'mime'>): boolean {
    const { read } = this.deps.store;
    return isRecovering(read) || isContentNamed(read, file);
  }

  /** Ends the hold of a file that an asset names by now. With the program, every hold ends. */
  releaseNamed(file: StoredFile): void {
    if (!this.isClosed && this.isNamed(file)) this.deps.inUse.release(file);
  }

  /**
   * Writes the row of a stored file and releases the file. If the row cannot be written, the file is removed, because nothing else would
   * ever remove it.
   */
  async recorded<T>(file: StoredFile, write: () => T): Promise<T> {
    try {
      return this.deps.inUse.recorded(file, write);
    } catch (error) {
      try {
        await this.removeUnnamed(file);
      } catch (fault) {
        this.deps.log.warn({ file: file.sha256, error: String(fault) }, 'a file without a row could not be removed');
      }
      throw error;
    }
  }

  /** Contents that a download has stored, whose row may still be unwritten. */
  private async arriving(): Promise<Set<string>> {
    const stored = await Promise.all(this.deps.location.homes().map(storedPartials));
    return new Set(stored.flat().map(({ file }) => file.sha256));
  }

  /** Removes a file that was stored for an asset that was deleted meanwhile, or never was there. */
  removeUnnamed(file: Pick<BinnedRow, 'sha256' | 'mime'>): Promise<void> {
    return this.deps.inUse.inTurn(async () => {
      const isArriving = (await this.arriving()).has(file.sha256);
      if (!isArriving && !this.deps.inUse.has(file.sha256) && !this.isNamed(file)) await this.remove(file);
    });
  }

  /** The effect that emptying would have now. */
  private async counted(chosen: ChosenNow): Promise<Emptied> {
    const counts = new BinCounts();
    const contents = new Map<string, { bytes: number; deleted: number; holders: number }>();
    await this.eachSlice(chosen, ROWS_OF_A_READ, counts, (rows) => this.addContents(contents, rows));
    const freed = [...contents.values()].filter(({ deleted, holders }) => deleted === holders);
    const bytes = freed.reduce((sum, one) => sum + one.bytes, 0);
    return { files: freed.length, bytes, items: counts.items, kept: counts.keptItems() };
  }

  private addContents(
    contents: Map<string, { bytes: number; deleted: number; holders: number }>,
    rows: readonly BinnedRow[],
  ): void {
    const { read } = this.deps.store;
    const local = [...rows, ...thumbnailsOfAssets(read, rows)].filter(({ state }) => state === 'local');
    const hashes = [...new Set(local.map(({ sha256 }) => sha256))].filter((sha256) => !contents.has(sha256));
    const holders = new Map(holdersOfContent(read, hashes).map(({ sha256, n }) => [sha256, n]));
    for (const { sha256, bytes } of local) {
      const known = contents.get(sha256) ?? { bytes, deleted: 0, holders: holders.get(sha256) ?? 0 };
      contents.set(sha256, { ...known, deleted: known.deleted + 1 });
    }
  }
}

function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
