import type { CallParsed } from '../../../../shared/contract/contract.ts';
import type { StudioEvent } from '../../../../shared/contract/events.ts';
import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import type { LibraryMove } from '../../../../shared/library/libraryFolder.ts';
import { en, t } from '../../../../shared/text/texts.ts';
import type { Ids, Logger } from '../../ports.ts';
import { libraryDir } from '../content/contentStore.ts';
import { writeMarker } from '../content/location.ts';
import { withFolderTimeout, withTimeout } from '../content/timedReads.ts';
import { MIN_FREE_BYTES } from '../downloads/download.ts';
import { endOf, Move, type MoveDeps, MoveFault } from './move.ts';
import * as table from './moveTable.ts';
import * as targets from './moveTarget.ts';

export interface MoverDeps extends MoveDeps {
  ids: Ids;
  log: Pick<Logger, 'warn' | 'error'>;
  emit(event: StudioEvent): void;
  freeBytes(folder: string): number | Promise<number>;
  /** In bytes, to stay free on the library's disk. */
  floorBytes(): number;
}

const noSuchMove = fail('not_found', 'There is no such move of the library.');

/** Moves the library, one move at a time. The row of a move shows its state after a kill. */
export class Mover {
  private readonly deps: MoverDeps;
  private running: Move | undefined;
  private ended = Promise.resolve();
  private isStarting = false;
  private isClosed = false;

  constructor(deps: MoverDeps) {
    this.deps = deps;
  }

  /** Continues a move after a restart. Must be called before downloads begin. */
  recover(): void {
    const { location, store } = this.deps;
    for (const row of table.runningMoves(store.read)) {
      const isSwitched = targets.isSwitchedTo(row, location);
      if (isSwitched) location.isBringing = true;
      if (isSwitched || (location.home === row.from_home && !this.running)) this.begin(row);
      else this.save({ ...row, ...this.failedBy(t`The library was moved meanwhile.`) });
    }
  }

  async start({ folder, keepOld = false }: CallParsed<'library.move'>): Promise<Result<LibraryMove>> {
    const { location, store } = this.deps;
    await location.look();
    const away = location.fault();
    if (away !== undefined) return fail('store_unavailable', en`${away} It cannot be moved before.`);
    if (this.isBusy()) return fail('wrong_state', en`The library is being moved already.`);
    return this.alone(async () => {
      const left = table.moveWithOld(store.read);
      const target = await withFolderTimeout(
        'folder',
        async () => (left && (await targets.hindranceOf(location, left))) ?? targets.targetOf(location, folder),
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

  private async startTo(target: targets.Target, keepOld: boolean): Promise<Result<LibraryMove>> {
    const { location, store, ids, thread, log } = this.deps;
    const { home, begun } = target;
    if (begun !== undefined && !table.moveOfLibrary(store.read, { id: begun }))
      return fail('invalid_input', en`folder: another Dailies moves its library there.`, { field: 'folder' });
    const files = await targets.listOf(thread, location.folder).catch(() => undefined);
    if (!files) {
      await targets.removeUnused(target);
      return fail(
        'store_unavailable',
        en`A folder in ${location.folder} cannot be read. The library stays where it is.`,
      );
    }
    const bytes = sizeOfAll(files);
    const there = begun === undefined ? 0 : sizeOfAll(await targets.listOf(thread, libraryDir(home)));
    const free = await withFolderTimeout('folder', async () => ok(await this.deps.freeBytes(home)));
    if (!free.ok) return free;
    const short = targets.roomFault(bytes - there, free.data, Math.max(MIN_FREE_BYTES, this.deps.floorBytes()));
    if (short) {
      await targets.removeUnused(target);
      return short;
    }
    const row = store.transaction((db) =>
      table.insertMove(db, {
        id: ids.id('mv'),
        // A new id for each move: the id in the marker shows which move has switched the library.
        library: ids.id('lib'),
        from_home: location.home,
        to_home: home,
        keeps_old: keepOld ? 1 : 0,
        ...{ files: files.length, bytes, created_at: this.deps.clock.now() },
      }),
    );
    try {
      // After the row: a marker without a row would look like that of another Dailies.
      await withTimeout(0, undefined, () => writeMarker(home, { id: row.library, arriving: true }));
    } catch (error) {
      await withTimeout(0, undefined, () => targets.removeUnused(target)).catch(() => undefined);
      log.error({ move: row.id, error: String(error) }, 'the new folder could not be marked');
      this.save({ ...row, ...this.failedBy(endOf(error)) });
      return fail('invalid_input', endOf(error), { field: 'folder' });
    }
    this.begin(row);
    return this.get(row.id);
  }

  private begin(row: table.MoveRow): void {
    const run = new Move(this.deps, row, () => this.tell(row.id));
    this.running = run;
    // Starts after the answer was sent.
    this.ended = Promise.resolve().then(() => this.follow(run));
  }

  private async follow(run: Move): Promise<void> {
    const { log } = this.deps;
    try {
      const ending = await run.run().then(
        () => ({ ...this.endedAs('done'), progress: 100 }),
        (error) => this.endingAfter(run, error),
      );
      // If the end cannot be written, the row says that the move runs, and the next start continues it.
      if (ending) run.save(ending);
    } catch (fault) {
      log.error({ move: run.row.id, error: String(fault) }, 'the end of a move could not be written');
    } finally {
      run.letDownloadsGoOn();
      if (this.running === run) this.running = undefined;
    }
    // Sent after `running` is cleared, so that the end is the last notice.
    this.tell(run.row.id);
  }

  private async endingAfter(run: Move, error: unknown): Promise<Partial<table.MoveRow> | undefined> {
    const { location, thread, log } = this.deps;
    if (this.isClosed) return undefined;
    const { row, signal } = run;
    if (!signal.aborted && !(error instanceof MoveFault))
      log.error({ move: row.id, error: String(error) }, 'the library could not be moved');
    if (run.isSwitched())
      return (await targets.hasLeft(location, row))
        ? this.failedBy(OLD_LEFT)
        : { ...this.failedBy(OLD_UNKNOWN), has_old: 0 };
    await targets
      .removeCopies(thread, location, row)
      .catch((fault) =>
        log.warn({ move: row.id, error: String(fault) }, 'copies in the new folder could not be removed'),
      );
    return signal.aborted ? this.endedAs('canceled') : this.failedBy(endOf(error));
  }

  private endedAs(state: table.MoveRow['state'], error: string | null = null) {
    return { state, error, paused: 0, finished_at: this.deps.clock.now() } as const;
  }

  private failedBy(error: string) {
    return this.endedAs('failed', error);
  }

  /** The user allows the removal of the old folder. */
  async removeOld(): Promise<Result<LibraryMove>> {
    const { location, store } = this.deps;
    await location.look();
    if (this.isBusy()) return fail('wrong_state', en`The library is being moved; wait for its end.`);
    const row = table.moveWithOld(store.read);
    if (!row) return fail('wrong_state', en`There is no old folder to remove.`);
    const away = location.fault();
    if (away !== undefined) return fail('store_unavailable', en`${away} The old folder stays.`);
    if (!targets.isSwitchedTo(row, location))
      return fail('wrong_state', en`The library is somewhere else by now; the old folder stays.`);
    this.begin(this.save({ ...row, state: 'running', phase: 'remove', keeps_old: 0, finished_at: null }));
    return this.get(row.id);
  }

  /** The disk of the library has another path now, possibly while the old folder is still being emptied. */
  async locate(folder: string): Promise<Result<null>> {
    const { running, deps } = this;
    if (this.isStarting || (running && !running.isSwitched()))
      return fail('wrong_state', en`The library is being moved; wait for its end.`);
    const located = await this.alone(() => withFolderTimeout('folder', () => deps.location.locate(folder)));
    if (!located.ok) return located;
    const { home, name = '' } = deps.location;
    const row = table.moveOfLibrary(deps.store.read, { id: name });
    if (running?.row.id === row?.id) running?.save({ to_home: home });
    else if (row) this.save({ ...row, to_home: home });
    return located;
  }

  /** Resolves once no copy is left at the new location. A completed switch is not undone. */
  async cancel(id: string): Promise<Result<LibraryMove>> {
    const { running } = this;
    if (running?.row.id !== id) {
      const known = this.get(id);
      return known.ok ? fail('wrong_state', en`It has ended; there is nothing to stop.`) : known;
    }
    if (running.isSwitched())
      return fail('wrong_state', en`The library has moved; only the old folder is still being emptied.`);
    await running.abort();
    await this.ended;
    return this.get(id);
  }

  /** While paused, no further file is started, even after a restart; files in progress are finished. */
  pause(isPaused: boolean): Result<LibraryMove> {
    const { running } = this;
    if (!running) return fail('wrong_state', en`The library is not being moved; there is nothing to pause.`);
    if (!running.canPause()) return fail('wrong_state', en`The library has moved; what is left cannot be paused.`);
    running.pause(isPaused);
    return ok(running.view());
  }

  get(id: string): Result<LibraryMove> {
    const row = table.moveById(this.deps.store.read, { id });
    return row ? ok(this.viewOf(row)) : noSuchMove;
  }

  newest(): LibraryMove | undefined {
    const row = table.newestMove(this.deps.store.read);
    return row && this.viewOf(row);
  }

  private viewOf(row: table.MoveRow): LibraryMove {
    return this.running?.row.id === row.id ? this.running.view() : table.moveOf(row);
  }

  private save(row: table.MoveRow): table.MoveRow {
    return this.deps.store.transaction((db) => table.saveMove(db, row));
  }

  private tell(id: string): void {
    const move = this.get(id);
    if (move.ok && !this.isClosed) this.deps.emit({ type: 'export.changed', export: move.data });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.running?.abort();
    await this.ended;
    await this.deps.thread.close();
  }
}

const sizeOfAll = (files: readonly { bytes: number }[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Notices for an old folder that could not be emptied, or whose path now leads to another folder and is forgotten. */
const OLD_LEFT = t`The library was moved. The old folder could not be emptied: remove it again later.`;
const OLD_UNKNOWN = t`The library is complete. The old folder was renamed: remove it yourself.`;
