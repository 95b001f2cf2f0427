import type { CallParsed } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { MEDIA_TASK_LIMIT_MS, type MediaTask } from '../../../shared/library/asset.ts';
import { ignoringDiskFull, type WriteDb, withoutChangeTracking } from '../store/index.ts';
import type { AssetRow } from './assetColumns.ts';
import { assetRow } from './assetTable.ts';
import type { LibraryDeps } from './content/diskSpace.ts';
import * as table from './mediaTasks.ts';
import { finishMeasuring, planMeasuring } from './mediaTasks.ts';

interface Deps extends Pick<LibraryDeps, 'store' | 'clock' | 'ids' | 'log' | 'location' | 'emit' | 'events'> {
  /** Whether an asset's file is stored, or may be, because its disk is not connected. */
  isHere(row: AssetRow): Promise<boolean>;
}

const PLAN_AGAIN_MS = 2_000;

type Outcome = Omit<CallParsed<'media.finish'>, 'taskId'>;

/** The work of media pages: each task goes to one page at a time, and ends with its report or because no page can do it. */
export class MediaWork {
  private readonly deps: Deps;
  private cancelWatch: () => void = () => {};
  private cancelAnnouncement: () => void = () => {};
  private cancelPlanning: () => void = () => {};
  /** Hashes of files to measure whose tasks could not be stored. */
  private readonly unplanned = new Set<string>();
  /** After a failure to store, no task is given out until this time. */
  private restsUntil = 0;

  constructor(deps: Deps) {
    this.deps = deps;
  }

  close(): void {
    this.cancelWatch();
    this.cancelAnnouncement();
    this.cancelPlanning();
  }

  plan(db: WriteDb, asset: table.Pictured): boolean {
    return table.planTasks(db, asset, () => this.deps.ids.id('mt'));
  }

  /** Plans the tasks of an asset in the caller's transaction and announces them afterwards. */
  planAndAnnounce(db: WriteDb, asset: table.Pictured): void {
    if (this.plan(db, asset)) this.announceSoon();
  }

  /** Plans missing measures; on a full disk, once there is space. */
  planMeasuring(sha256s: readonly string[]): void {
    let isPlanned: boolean | undefined;
    ignoringDiskFull(() => {
      isPlanned = this.deps.store.transaction((db) => planMeasuring(db, sha256s, () => this.deps.ids.id('mt')));
    });
    if (isPlanned) this.deps.emit({ type: 'media.work' });
    if (isPlanned !== undefined) return;
    for (const sha256 of sha256s) this.unplanned.add(sha256);
    this.cancelPlanning();
    this.cancelPlanning = this.deps.clock.after(PLAN_AGAIN_MS, () => {
      const left = [...this.unplanned];
      this.unplanned.clear();
      withoutChangeTracking(() => this.planMeasuring(left));
    });
  }

  /** A request needs a missing last frame: it is taken after the caller's transaction, even if it was deleted before. */
  wantLastFrame(db: WriteDb, frame: table.LastFrame): void {
    if (table.takeLastFrame(db, this.deps.ids.id('mt'), frame)) this.announceSoon();
  }

  private announceSoon(): void {
    this.cancelAnnouncement();
    this.cancelAnnouncement = this.deps.clock.after(0, () => this.announce());
  }

  /** Null also while nothing can be read or stored, so that no file is blamed for that. */
  claim(): MediaTask | null {
    if (!this.isPossible()) {
      this.watch();
      return null;
    }
    const { task, givenUp } = this.deps.store.transaction((db) => table.claimTask(db, this.deps.clock.now()));
    for (const row of givenUp) this.ended(row);
    // If a page crashes with its task, nobody is notified, and the other pages may believe that there is nothing to do.
    if (!task) return null;
    this.watch();
    const { name = '', mime = '' } = assetRow(this.deps.store.read, task.assetId) ?? {};
    return { ...task, name, mime };
  }

  async finish(taskId: string, outcome: Outcome): Promise<Result<null>> {
    const isReadable = outcome.later !== undefined && (await this.isReadable(taskId));
    const { known, isEnded } = this.deps.store.transaction((db) => {
      const known = table.taskById(db, taskId);
      return { known, isEnded: known?.state === 'claimed' && this.end(db, known, { ...outcome, isReadable }) };
    });
    if (!known) return fail('not_found', 'taskId: there is no such media task.');
    if (isEnded) this.ended(known);
    return ok(null);
  }

  /** Whether the file of a task exists, so that only this page could not read it. */
  private async isReadable(taskId: string): Promise<boolean> {
    await this.deps.location.look();
    const task = table.taskById(this.deps.store.read, taskId);
    const row = task && assetRow(this.deps.store.read, task.asset_id);
    return row !== undefined && (await this.deps.isHere(row));
  }

  /** False if the task is only postponed. */
  private end(
    db: WriteDb,
    task: table.TaskRow,
    { error, measures, later, isReadable }: Outcome & { isReadable: boolean },
  ): boolean {
    if (later && (later === 'unstored' || this.deps.location.fault() !== undefined)) {
      table.releaseTask(db, task.id, false);
      this.restsUntil = this.deps.clock.now() + MEDIA_TASK_LIMIT_MS;
      return false;
    }
    // The task stays claimed until its time limit, and is then given out again.
    if (task.tries < table.MAX_TRIES && isReadable) return false;
    const why = later ? table.UNREAD : error;
    if (task.kind === 'measure') finishMeasuring(db, task, { error: why, measures });
    else table.finishTask(db, task.id, why);
    return true;
  }

  /** Returns the task of a page that is leaving. */
  release(taskId: string, died: boolean): void {
    if (this.deps.store.transaction((db) => table.releaseTask(db, taskId, died)))
      this.deps.emit({ type: 'media.work' });
  }

  private ended({ asset_id, kind }: Pick<table.TaskRow, 'asset_id' | 'kind'>): void {
    this.deps.events.emit('mediaTask.ended', asset_id, kind);
    if (kind !== 'measure') return;
    const sha256 = assetRow(this.deps.store.read, asset_id)?.sha256;
    if (sha256) this.deps.emit({ type: 'media.measured', sha256 });
  }

  /** Reopens tasks that the last run left claimed, or could not read or store. No page is there yet. */
  reopen(): void {
    table.reopenTasks(this.deps);
  }

  /** Announces open work for a media page. */
  announce(): void {
    if (!table.hasOpenTasks(this.deps.store.read)) return;
    if (this.isPossible()) this.deps.emit({ type: 'media.work' });
    else this.watch();
  }

  private isPossible(): boolean {
    return this.deps.location.fault() === undefined && this.deps.clock.now() >= this.restsUntil;
  }

  private watch(): void {
    this.cancelWatch();
    this.cancelWatch = this.deps.clock.after(MEDIA_TASK_LIMIT_MS + 1, () => this.announce());
  }
}
