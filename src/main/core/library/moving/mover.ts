import type { CallParsed } from '../../../../shared/contract/contract.ts';
import type { StudioEvent } from '../../../../shared/contract/events.ts';
import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import type { LibraryMove } from '../../../../shared/library/libraryFolder.ts';
import { en, t } from '../../../../shared/text/texts.ts';
import type { Clock, Ids, Logger } from '../../ports.ts';
import type { Store } from '../../store/index.ts';
import { libraryDir } from '../content/contentStore.ts';
import { atPlace, inTime } from '../content/fileBytes.ts';
import { orCanceled } from '../content/hashFile.ts';
import { type LibraryPlace, markerAt, writeMarker } from '../content/place.ts';
import { MIN_FREE_BYTES } from '../downloads/download.ts';
import { carry, compareAll, copyAll, endOf, leftOld, MoveFault, TARGET_GONE } from './copying.ts';
import type { ListedFile } from './fileProgram.ts';
import type { FileThread } from './fileThread.ts';
import * as table from './moveTable.ts';
import * as targets from './moveTarget.ts';
import { bringPartials, hasLeft, letDownloadsGoOn, removeOldFiles } from './oldFolder.ts';
import {
  canPause,
  countFile,
  enterPhase,
  leftOf,
  MovePause,
  newRun,
  type Running,
  raiseTo,
  setPaused,
} from './running.ts';

export interface MoverDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  log: Pick<Logger, 'warn' | 'error'>;
  place: LibraryPlace;
  emit(event: StudioEvent): void;
  freeBytes(folder: string): number | Promise<number>;
  /** In bytes, to stay free on the library's disk. */
  floorBytes(): number;
  isPending(id: string): boolean;
  isNamed(sha256: string): boolean;
  newThread(): FileThread;
  /** Half downloads have been brought. */
  wakeDownloads(): void;
  /** Something that began before this moment may still read files in the old place. */
  isReadSince(at: number): boolean;
  /** Whatever names files by their path names those of the new place; answers when nothing reads the old ones, which may take long. */
  leaveOld(from: string, to: string): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;
const CLOSED = 'closed';
const noSuchMove = fail('not_found', 'There is no such move of the library.');

/** Moves the library: one at a time, durable, in the phases of {@link MOVE_PHASES}. */
export class Mover {
  private readonly deps: MoverDeps;
  private readonly held: MovePause;
  private running: Running | undefined;
  private isStarting = false;
  private isClosed = false;

  constructor(deps: MoverDeps) {
    this.deps = deps;
    this.held = new MovePause(deps.store);
  }

  /** After a restart: goes on from where it was. To be called before downloads begin. */
  recover(): void {
    const { place, store } = this.deps;
    for (const row of table.runningMoves(store.read)) {
      const isSwitched = this.isSwitched(row);
      if (isSwitched) place.isBringing = true;
      if (isSwitched || (place.home === row.from_home && !this.running)) this.begin(row);
      else this.save({ ...row, state: 'failed', error: t`The library is elsewhere by now.`, finished_at: this.now() });
    }
  }

  async start({ folder, keepOld = false }: CallParsed<'library.move'>): Promise<Result<LibraryMove>> {
    const { place, store } = this.deps;
    await place.look();
    const busy = this.busy();
    if (busy) return busy;
    return this.alone(async () => {
      const left = table.moveWithOld(store.read);
      const target = await atPlace(
        'folder',
        async () => (left && (await targets.hindranceOf(place, left))) ?? targets.targetOf(place, folder),
      );
      return target.ok ? this.startTo(target.data, keepOld) : target;
    });
  }

  private async alone<Answer>(touch: () => Promise<Result<Answer>>): Promise<Result<Answer>> {
    this.isStarting = true;
    return touch().finally(() => {
      this.isStarting = false;
    });
  }

  isBusy(): boolean {
    return this.running !== undefined || this.isStarting;
  }

  private busy(): Result<never> | undefined {
    const away = this.deps.place.fault();
    if (away !== undefined) return fail('store_unavailable', en`${away} It cannot be moved before.`);
    return this.isBusy() ? fail('wrong_state', en`The library is being moved already.`) : undefined;
  }

  /** Whether the library is the one that this has moved, by whatever name its disk goes now: also by that of the one it has left. */
  private isSwitched(row: table.MoveRow): boolean {
    return this.deps.place.name === row.library;
  }

  /** The disk of the library has another name by now, also while the old folder is still being emptied. */
  async locate(folder: string): Promise<Result<null>> {
    const { running, deps } = this;
    if (this.isStarting || (running && !this.isSwitched(running.row)))
      return fail('wrong_state', en`The library is being moved; wait for its end.`);
    const located = await this.alone(() => atPlace('folder', () => deps.place.locate(folder)));
    if (!located.ok) return located;
    const { home, name } = deps.place;
    if (name !== undefined) deps.store.transaction((db) => table.relocated(db, name, home));
    if (running) running.row = { ...running.row, to_home: home };
    return located;
  }

  private async startTo({ home, begun }: targets.Target, keepOld: boolean): Promise<Result<LibraryMove>> {
    const { place, store, ids } = this.deps;
    if (begun !== undefined && !table.isOurs(store.read, begun))
      return fail('invalid_input', en`folder: another Dailies moves its library there.`, { field: 'folder' });
    const files = await targets.filesOf(place.home, this.deps.newThread);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const there = begun === undefined ? [] : await targets.filesOf(home, this.deps.newThread);
    const needed = bytes - there.reduce((sum, file) => sum + file.bytes, 0);
    const free = await atPlace('folder', async () => ok(await this.deps.freeBytes(home)));
    if (!free.ok) return free;
    const short = targets.roomFault(needed, free.data, Math.max(MIN_FREE_BYTES, this.deps.floorBytes()));
    if (short) {
      await targets.removeUnused({ home, begun });
      return short;
    }
    // Of its own also where an earlier one is gone on with: by it the library is known to have moved.
    const [id, library] = [ids.id('mv'), ids.id('lib')];
    const move = { id, library, from: place.home, to: home, keepsOld: keepOld, files: files.length, bytes };
    store.transaction((db) => table.insertMove(db, { ...move, createdAt: this.now() }));
    const row = table.moveById(store.read, id);
    if (!row) return noSuchMove;
    // Only once a row names it: a mark that none names is another Dailies' for ever.
    const fault = await inTime(0, undefined, () => targets.faultOfMarking({ home, begun }, library)).catch(String);
    if (fault === undefined) this.begin(row);
    else {
      this.deps.log.error({ move: id, error: String(fault) }, 'the new folder could not be marked');
      this.save({ ...row, state: 'failed', error: endOf(fault), finished_at: this.now() });
      return fail('invalid_input', endOf(fault), { field: 'folder' });
    }
    return this.get(id);
  }

  private begin(row: table.MoveRow): void {
    const run = newRun(row, this.deps.newThread(), this.held.isOn(row.id), this.now());
    this.running = run;
    // The answer comes first.
    run.ended = Promise.resolve().then(() => this.run(run));
  }

  private async run(run: Running): Promise<void> {
    const { place } = this.deps;
    try {
      if (!this.isSwitched(run.row)) await this.copyAndSwitch(run);
      await this.leave(run);
    } catch (error) {
      // Where that cannot be written either, the row says that it runs, and the next start goes on.
      await this.stopped(run, error).catch((fault) =>
        this.deps.log.error({ move: run.row.id, error: String(fault) }, 'the end of a move could not be written'),
      );
    } finally {
      place.unwatch();
      letDownloadsGoOn(this.deps);
      await run.thread.close();
      if (this.running === run) this.running = undefined;
    }
    // After `running` is none: the end is the last that is told.
    this.tell(run.row.id);
  }

  private async copyAndSwitch(run: Running): Promise<void> {
    const { row, thread, cancel } = run;
    const { place } = this.deps;
    if ((await markerAt(row.to_home))?.id !== row.library) throw new MoveFault(TARGET_GONE);
    place.watch();
    const files = await targets.listOf(thread, place.folder);
    run.row = { ...row, files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), damaged: 0 };
    const copying = {
      thread,
      from: row.from_home,
      to: row.to_home,
      library: row.library,
      signal: cancel.signal,
      goOn: () => this.held.over(row.id, cancel.signal),
      passed: (file: ListedFile) => this.raise(run, countFile(run, file, this.now())),
    };
    this.enter(run, 'copy');
    await copyAll(copying, files);
    this.enter(run, 'compare');
    const damaged = await compareAll(copying, files);
    run.row = { ...run.row, damaged };
    await copying.goOn();
    this.enter(run, 'switch');
    await writeMarker(row.to_home, { id: row.library });
    do {
      const { stored, removed } = place.takeChanges();
      await carry(copying, [...stored]);
      await thread.remove(libraryDir(row.to_home), [...removed]);
      cancel.signal.throwIfAborted();
    } while (place.hasChanges());
    // In the turn in which nothing more had come: no file can be missed between the two.
    place.isBringing = true;
    place.switchTo(row.to_home, row.library);
    place.unwatch();
  }

  /** The library is in the new place: brings what is half done, then empties the old one, unless the user wants to say when. */
  private async leave(run: Running): Promise<void> {
    const { place } = this.deps;
    run.row = { ...run.row, has_old: 1 };
    this.enter(run, 'remove');
    const old = { ...this.deps, thread: run.thread, from: run.row.from_home };
    place.isBringing = true;
    await this.whileThere(run, () => bringPartials(old));
    letDownloadsGoOn(this.deps);
    if (run.row.keeps_old === 0) await this.removeOldOf(run);
    this.end(run, { state: 'done', error: null });
  }

  private async removeOldOf(run: Running): Promise<void> {
    const { place } = this.deps;
    const { from_home: from, to_home: to } = run.row;
    const since = this.now();
    await orCanceled(this.deps.leaveOld(from, to), run.cancel.signal);
    while (place.isWritten(from) || this.deps.isReadSince(since))
      await this.later(run, 'what is being sent or downloaded');
    const old = { ...this.deps, thread: run.thread, from };
    while (!(await removeOldFiles(old, (share) => this.raise(run, share)))) await this.later(run, place.fault());
    run.row = { ...run.row, has_old: 0 };
  }

  /** The user says that the old folder can go. */
  async removeOld(): Promise<Result<LibraryMove>> {
    await this.deps.place.look();
    if (this.isBusy()) return fail('wrong_state', en`The library is being moved; wait for its end.`);
    const row = table.moveWithOld(this.deps.store.read);
    if (!row) return fail('wrong_state', en`There is no old folder to remove.`);
    const away = this.deps.place.fault();
    if (away !== undefined) return fail('store_unavailable', en`${away} The old folder stays.`);
    if (!this.isSwitched(row))
      return fail('wrong_state', en`The library is somewhere else by now; the old folder stays.`);
    const again: table.MoveRow = { ...row, state: 'running', phase: 'remove', keeps_old: 0, finished_at: null };
    this.save(again);
    this.deps.store.transaction((db) => table.removesOld(db, row.id));
    this.begin(table.moveById(this.deps.store.read, row.id) ?? again);
    return this.get(row.id);
  }

  /** Repeats work that a disk that is not there has ended, once it is back. */
  private async whileThere(run: Running, work: () => Promise<void>): Promise<void> {
    const { place } = this.deps;
    for (;;) {
      try {
        if ((await place.look()) === undefined) return await work();
      } catch (error) {
        if ((await place.look()) === undefined) throw error;
      }
      await this.later(run, place.fault());
    }
  }

  private async later(run: Running, waits: string | undefined): Promise<void> {
    if (run.waits !== waits) {
      run.waits = waits;
      this.tick(run);
    }
    await new Promise<void>((done) => {
      const wake = (): void => {
        cancelTimer();
        run.cancel.signal.removeEventListener('abort', wake);
        done();
      };
      const cancelTimer = this.deps.clock.after(LOOK_EVERY_MS, wake);
      run.cancel.signal.addEventListener('abort', wake);
    });
    run.cancel.signal.throwIfAborted();
    run.waits = undefined;
  }

  private async stopped(run: Running, error: unknown): Promise<void> {
    // The row says that it runs: the next start goes on with it.
    if (run.cancel.signal.reason === CLOSED || this.isClosed) return;
    const isCanceled = run.cancel.signal.aborted;
    if (!isCanceled && !(error instanceof MoveFault))
      this.deps.log.error({ move: run.row.id, error: String(error) }, 'the library could not be moved');
    if (this.isSwitched(run.row)) return this.end(run, leftOld(await hasLeft(this.deps.place, run.row)));
    await targets.removeCopies(this.deps, run.row);
    if (isCanceled) this.end(run, { state: 'canceled', error: null });
    else this.end(run, { state: 'failed', error: endOf(error) });
  }

  isMove(id: string): boolean {
    return table.moveById(this.deps.store.read, id) !== undefined;
  }

  get(id: string): Result<LibraryMove> {
    const row = table.moveById(this.deps.store.read, id);
    return row ? ok(this.viewOf(row)) : noSuchMove;
  }

  newest(): LibraryMove | undefined {
    const row = table.newestMove(this.deps.store.read);
    return row && this.viewOf(row);
  }

  /** Answers when nothing of it is left in the new place. What has switched is not undone. */
  async cancel(id: string): Promise<Result<LibraryMove>> {
    const { running } = this;
    if (running?.row.id !== id) {
      const known = this.get(id);
      return known.ok ? fail('wrong_state', en`It has ended; there is nothing to stop.`) : known;
    }
    if (this.isSwitched(running.row))
      return fail('wrong_state', en`The library has moved; only the old folder is still being emptied.`);
    running.cancel.abort();
    await running.thread.close();
    await running.ended;
    return this.get(id);
  }

  /** Paused, nothing more is begun, also after a restart; the files that are under way are ended. */
  pause(isPaused: boolean): Result<LibraryMove> {
    const { running: run, held } = this;
    if (!run) return fail('wrong_state', en`The library is not being moved; there is nothing to pause.`);
    if (!canPause(run)) return fail('wrong_state', en`The library has moved; what is left cannot be paused.`);
    if (isPaused) held.hold(run.row.id);
    else held.release(run.row.id);
    setPaused(run, isPaused, this.now());
    this.tick(run);
    return this.get(run.row.id);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const { running } = this;
    running?.cancel.abort(CLOSED);
    await running?.thread.close();
    await running?.ended;
  }

  private now(): number {
    return this.deps.clock.now();
  }

  private enter(run: Running, phase: LibraryMove['phase']): void {
    enterPhase(run, phase, this.now());
    this.save(run.row);
    this.tick(run);
  }

  private raise(run: Running, share: number): void {
    if (raiseTo(run, share)) this.tick(run);
  }

  private tick(run: Running): void {
    run.ticks += 1;
    this.tell(run.row.id);
  }

  private end(run: Running, end: Pick<table.MoveRow, 'state' | 'error'> & { has_old?: 0 }): void {
    run.row = { ...run.row, ...end, finished_at: this.now() };
    this.save(run.row);
    this.held.release(run.row.id);
  }

  private save(row: table.MoveRow): void {
    this.deps.store.transaction((db) => table.saveMove(db, row));
  }

  private tell(id: string): void {
    const move = this.get(id);
    if (move.ok && !this.isClosed) this.deps.emit({ type: 'export.changed', export: move.data });
  }

  private viewOf(row: table.MoveRow): LibraryMove {
    const { running } = this;
    if (running?.row.id !== row.id) return table.moveOf(row, undefined);
    return table.moveOf(row, { ...running, leftMs: leftOf(running, this.now()) });
  }
}
