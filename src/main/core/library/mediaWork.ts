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
  /** Whether the file of an asset is where it belongs, or may be, on a disk that is not connected. */
  isHere(row: AssetRow): Promise<boolean>;
}

const PLAN_AGAIN_MS = 2_000;

type Outcome = Omit<CallParsed<'media.finish'>, 'taskId'>;

/** The work of media pages: given to one of them at a time, and ended by what it reports, or because no page can do it. */
export class MediaWork {
  private readonly deps: Deps;
  private cancelWatch: () => void = () => {};
  private cancelAnnouncement: () => void = () => {};
  private cancelPlanning: () => void = () => {};
  /** By their hash, what is to be measured and found no room for that plan. */
  private readonly unplanned = new Set<string>();
  /** Nothing could be stored: until then none is given out. */
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

  /** Plans what the caller's transaction records, and tells the pages of it afterwards. */
  planAndAnnounce(db: WriteDb, asset: table.Pictured): void {
    if (this.plan(db, asset)) this.announceSoon();
  }

  /** What was never measured is planned; where the disk is full, once there is room. */
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

  /** A request wants a last frame that is not there: it is taken, also where it was and was deleted, after the caller's transaction. */
  wantLastFrame(db: WriteDb, frame: table.LastFrame): void {
    if (table.takeLastFrame(db, this.deps.ids.id('mt'), frame)) this.announceSoon();
  }

  private announceSoon(): void {
    this.cancelAnnouncement();
    this.cancelAnnouncement = this.deps.clock.after(0, () => this.announce());
  }

  /** Null also while nothing can be read or stored: that is no fault of a file. */
  claim(): MediaTask | null {
    if (!this.isPossible()) {
      this.watch();
      return null;
    }
    const { task, givenUp } = this.deps.store.transaction((db) => table.claimTask(db, this.deps.clock.now()));
    for (const row of givenUp) this.ended(row);
    // If a page dies with its task, no page is notified, and the others may believe that there is nothing to do.
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

  /** Whether the file of a task is there, and only this page could not read it. */
  private async isReadable(taskId: string): Promise<boolean> {
    await this.deps.location.look();
    const task = table.taskById(this.deps.store.read, taskId);
    const row = task && assetRow(this.deps.store.read, task.asset_id);
    return row !== undefined && (await this.deps.isHere(row));
  }

  /** False where it is only put off. */
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
    // It stays claimed until its time has passed, and is then given out once more.
    if (task.tries < table.MAX_TRIES && isReadable) return false;
    const why = later ? table.UNREAD : error;
    if (task.kind === 'measure') finishMeasuring(db, task, { error: why, measures });
    else table.finishTask(db, task.id, why);
    return true;
  }

  /** Gives back a task whose page goes. */
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

  /** At start no page is there yet: what one of the last run had begun, or could not read or store, is open again. */
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
