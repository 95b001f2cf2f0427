import fs from 'node:fs';
import path from 'node:path';
import type { Project } from '../../../shared/board/board.ts';
import type {
  Backup,
  BackupReason,
  backupCalls,
  RestorePreview,
  SavedBackup,
} from '../../../shared/contract/backupCalls.ts';
import type { CallParsed, Handlers } from '../../../shared/contract/contract.ts';
import type { StudioEvent } from '../../../shared/contract/events.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { type BackupSettings, DEFAULT_BACKUPS, type Settings } from '../../../shared/contract/settings.ts';
import { formatBytes } from '../../../shared/text/bytes.ts';
import { en } from '../../../shared/text/texts.ts';
import { isDiskFull, messageOf } from '../faults.ts';
import type { FileThread } from '../library/index.ts';
import type { Clock, Logger } from '../ports.ts';
import {
  backupDir,
  databaseFile,
  isMadeHere,
  isRecovering,
  listBackups,
  monthlyBackups,
  removeDatabase,
  removeOldBackups,
  type Store,
  type Backup as StoredBackup,
  unpackedFile,
  type WriteDb,
} from '../store/index.ts';
import { WorkQueue } from '../timeSlicing.ts';
import { previewOf, type RestoreDeps, restoreFrom, whyBusy, withUnpacked } from './restore.ts';
import { saveCopy } from './saveCopy.ts';

interface BackupsDeps extends RestoreDeps {
  dataDir: string;
  store: RestoreDeps['store'] & Pick<Store, 'backUp'>;
  clock: Clock;
  log: Pick<Logger, 'warn'>;
  settings(): Pick<Settings, 'backups'>;
  emit(event: StudioEvent): void;
  /** Adds a project of the attached backup as a new one; undefined if the backup has no such project. */
  copyProject(db: WriteDb, id: string, name?: string): Project | undefined;
  announceProjects(): void;
  newThread(): FileThread;
}

type Label = 'now' | 'daily' | 'update' | 'restore';

/** The hour is checked repeatedly, not awaited once: the clock may be set, and the machine may sleep. */
const LOOK_EVERY_MS = 10 * 60_000;

export class Backups {
  private readonly deps: BackupsDeps;
  private cancelLook: () => void = () => undefined;
  private readonly queue = new WorkQueue();
  private isAtDaily = false;
  private isClosed = false;

  constructor(deps: BackupsDeps) {
    this.deps = deps;
    // Left by a crash.
    removeDatabase(unpackedFile(deps.dataDir));
  }

  handlers(): Pick<Handlers, keyof typeof backupCalls> {
    return {
      'backups.list': () => ok({ backups: this.list() }),
      'backups.make': () => this.make('now'),
      'backups.preview': ({ id }) => this.preview(id),
      'backups.restore': ({ id }) => this.restore(id),
      'backups.copyProject': (input) => this.copyProject(input),
      'backups.saveCopy': (input) => this.saveCopy(input),
    };
  }

  preview(id: string): Promise<Result<RestorePreview>> {
    return this.unpacked(id, (past) => ok(previewOf(this.deps, past)));
  }

  /** Sets documents back to the backup; `restore.ts` says what stays. */
  restore(id: string): Promise<Result<{ backup: string }>> {
    return this.unpacked(id, async (past) => {
      const busy = whyBusy(this.deps.store.read, this.deps.parts);
      if (busy) return busy;
      const made = await this.make('restore', new Set([`${id}.db`]));
      if (!made.ok) return made;
      const restored = restoreFrom(this.deps, past);
      if (!restored.ok) return restored;
      return ok({ backup: made.data.id });
    });
  }

  /** All or nothing; existing projects stay. */
  private copyProject({ id, projectId, name }: CallParsed<'backups.copyProject'>): Promise<Result<Project>> {
    const { store, copyProject, announceProjects } = this.deps;
    return this.unpacked(id, (past) => {
      const made = store.transactionWithBackup(past, (db) => copyProject(db, projectId, name));
      if (!made) return noSuchProject;
      announceProjects();
      return ok(made);
    });
  }

  /** Unpacked and verified first: a damaged backup is not copied. */
  private saveCopy({ id, folder }: CallParsed<'backups.saveCopy'>): Promise<Result<SavedBackup>> {
    const thread = this.deps.newThread();
    const file = path.join(backupDir(this.deps.dataDir), `${id}.db`);
    return this.unpacked(id, () => saveCopy(file, folder, thread)).finally(() => thread.close());
  }

  /** One after the other: there is one place to unpack to. */
  private unpacked<T>(id: string, work: (past: string) => Promise<Result<T>> | Result<T>): Promise<Result<T>> {
    return this.queue.add(() => {
      const name = `${id}.db`;
      const known = listBackups(this.deps.dataDir).some((backup) => backup.name === name);
      return known ? withUnpacked(this.deps, name, work) : noSuchBackup;
    });
  }

  /** From now on a backup is made each day, if the settings say so. */
  start(): void {
    if (this.isClosed) return;
    this.cancelLook();
    this.cancelLook = this.deps.clock.after(LOOK_EVERY_MS, () => {
      this.start();
      void this.makeDaily();
    });
  }

  list(): Backup[] {
    const backups = listBackups(this.deps.dataDir);
    const monthly = monthlyBackups(backups, this.retention(), this.deps.clock.now());
    return backups.map((backup) => viewOf(backup, monthly.has(backup.name)));
  }

  /** Makes the daily backup if it is due. Errors are logged; the next check tries again. */
  async makeDaily(): Promise<void> {
    // No backup is made during recovery: a backup of the empty database restores nothing, and would push out good ones.
    if (this.isAtDaily || isRecovering(this.deps.store.read)) return;
    this.isAtDaily = true;
    try {
      const made = listBackups(this.deps.dataDir).filter(isMadeHere);
      if (!isDailyDue(this.settings(), made, this.deps.clock.now())) return;
      const daily = await this.make('daily');
      if (!daily.ok) this.warn('no backup was made', daily.error.message);
    } catch (error) {
      // For example, the folder cannot be read now.
      this.warn('no backup was made', error);
    } finally {
      this.isAtDaily = false;
    }
  }

  private warn(what: string, error: unknown): void {
    if (!this.isClosed) this.deps.log.warn({ error: String(error) }, what);
  }

  /** Makes a backup; answers when it is on disk and verified. `needed`: backups to keep, however many there are. */
  async make(label: Label, needed: ReadonlySet<string> = new Set()): Promise<Result<Backup>> {
    const { dataDir, clock, store, emit } = this.deps;
    let file: string;
    try {
      file = await store.backUp(label);
    } catch (error) {
      return this.notMade(error);
    }
    const name = path.basename(file);
    try {
      if (!isRecovering(store.read))
        removeOldBackups(dataDir, this.retention(), { now: clock.now(), needed: new Set([...needed, name]) });
    } catch (error) {
      // The new backup is complete; the next one tries again to remove old ones.
      this.warn('old backups could not be removed', error);
    }
    emit({ type: 'backups.changed' });
    const made = listBackups(dataDir).find((backup) => backup.name === name);
    return made ? ok(viewOf(made, false)) : fail('not_found', en`The backup was removed while it was made.`);
  }

  private notMade(error: unknown): Result<never> {
    if (!isDiskFull(error))
      return fail('internal', en`No backup was made: ${messageOf(error)} Nothing else was changed.`);
    const needed = formatBytes(bytesOf(databaseFile(this.deps.dataDir)));
    return fail(
      'disk_full',
      en`The disk is full: no backup was made, and nothing of it is left there. It needs up to ${needed}; make room and try again.`,
    );
  }

  private retention() {
    const { keep, monthly } = this.settings();
    return { newest: keep, months: monthly };
  }

  private settings(): Required<BackupSettings> {
    return { ...DEFAULT_BACKUPS, ...this.deps.settings().backups };
  }

  close(): void {
    this.isClosed = true;
    this.cancelLook();
  }
}

const noSuchBackup = fail('not_found', 'id: there is no such backup.', { field: 'id' });

const noSuchProject = fail('not_found', en`projectId: the backup has no such project.`, { field: 'projectId' });

const MADE: readonly BackupReason[] = ['now', 'daily', 'update', 'restore'] satisfies Label[];

function viewOf({ name, at, bytes, label }: StoredBackup, isMonthly: boolean): Backup {
  const made = MADE.find((one) => one === label);
  return {
    id: name.replace(/[.]db$/, ''),
    at,
    bytes,
    reason: made ?? (/^v\d+$/.test(label) ? 'update' : 'other'),
    // Backups made here are verified, those of migrations are not.
    ...(made ? { readBack: true as const } : {}),
    ...(isMonthly ? { monthly: true as const } : {}),
  };
}

function bytesOf(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** When the daily backup is due, by the local clock. */

/** The latest moment, now included, at which the local clock showed `at` (`06:00`). */
export function lastTime(at: string, now: number): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  const moment = new Date(now);
  moment.setHours(hours, minutes, 0, 0);
  if (moment.getTime() > now) moment.setDate(moment.getDate() - 1);
  return moment.getTime();
}

/** Whether no backup was made since the daily hour. Backups with a date in the future, from a wrong clock, do not count. */
export function isDailyDue({ daily, at }: BackupSettings, backups: readonly { at: number }[], now: number): boolean {
  const since = lastTime(at, now);
  return daily && !backups.some((backup) => backup.at >= since && backup.at <= now);
}
