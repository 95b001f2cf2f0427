import type { StudioEvent } from '../../../../shared/contract/events.ts';
import { type LibrarySpace, SPACE_PARTS, type SpacePart } from '../../../../shared/library/libraryFolder.ts';
import { formatBytes } from '../../../../shared/text/bytes.ts';
import { t } from '../../../../shared/text/texts.ts';
import type { CoreEvents } from '../../coreEvents.ts';
import { freeBytesOf } from '../../durableFiles.ts';
import type { Gateway } from '../../gateway/index.ts';
import type { Clock, Ids, Logger } from '../../ports.ts';
import { type ReadDb, type Store, sql } from '../../store/index.ts';
import type { NamingModule } from '../bin/binTable.ts';
import type { AskTask } from '../downloads/downloadDecision.ts';
import type { LibraryLocation } from './location.ts';

interface RoomDeps {
  location: LibraryLocation;
  emit(event: StudioEvent): void;
  /** Free bytes on the disk of a folder; the file system is asked if not given. */
  freeBytes?(folder: string): number;
  /**
   * In bytes. Below the floor, no new work that makes files is sent and nothing is downloaded; below the other limit the user is warned. 0
   * disables a limit.
   */
  limits?(): { floorBytes: number; warnBytes: number };
}

const NO_LIMITS = { floorBytes: 0, warnBytes: 0 };
/** The shortest time between two checks of a disk, because waiting work asks again and again. */
const ASKED_FOR_MS = 1_000;

/** The room on the library's disk, and whether there is a library to store in. */
export class LibraryDiskSpace {
  private readonly deps: RoomDeps;
  private told: string | undefined;
  private warned = false;
  private looked: { at: number; over: Promise<unknown> } | undefined;

  constructor(deps: RoomDeps) {
    this.deps = deps;
  }

  /** Free bytes on the library's disk, or on that of the data folder while the library is not there. */
  freeBytes(): number {
    const { location } = this.deps;
    const isThere = location.fault() === undefined;
    if (this.deps.freeBytes) return this.deps.freeBytes(isThere ? location.home : location.usual);
    return isThere ? location.freeBytes : freeBytesOf(location.usual);
  }

  /**
   * Why nothing can be stored now, as a sentence: new work that makes files waits, and so do downloads. The user is notified once for each
   * reason, and once when work resumes.
   */
  async storageProblem(now: number): Promise<string | undefined> {
    const { location } = this.deps;
    if (!isFresh(this.looked, now)) this.looked = { at: now, over: location.look(true) };
    await this.looked?.over;
    const why = location.fault() ?? this.cannotBeWritten() ?? this.belowFloor();
    if (why !== this.told) {
      if (why === undefined) this.tell('info', t`The library is writable again. Work and downloads continue.`);
      else this.tell('error', why);
    }
    this.told = why;
    return why;
  }

  /** A disk that became read-only, or is failing, may still read well: only a write shows it. */
  private cannotBeWritten(): string | undefined {
    const { folder, unwritable: code } = this.deps.location;
    if (code === undefined) return undefined;
    return t`The library folder ${folder} cannot be written (${code}). New jobs are not sent, and results wait at the gateway. Make it writable before their links expire.`;
  }

  private belowFloor(): string | undefined {
    const { floorBytes, warnBytes } = this.deps.limits?.() ?? NO_LIMITS;
    if (floorBytes === 0 && warnBytes === 0) return undefined;
    const free = this.freeBytes();
    this.warn(free < warnBytes, free);
    if (free >= floorBytes) return undefined;
    return t`${formatBytes(free)} free on the library’s disk, less than the minimum of ${formatBytes(floorBytes)}. New jobs are not sent, and results wait at the gateway. Free some space, or lower the minimum in Settings, Library folder.`;
  }

  private warn(isLow: boolean, free: number): void {
    if (isLow && !this.warned) {
      const text = t`${formatBytes(free)} left on the library’s disk. Settings, Library folder, shows what uses it.`;
      this.deps.emit({ type: 'notice', level: 'info', text });
    }
    this.warned = isLow;
  }

  private tell(level: 'info' | 'error', text: string): void {
    this.deps.emit({ type: 'notice', level, text, about: 'library folder' });
  }
}

const isFresh = (asked: { at: number } | undefined, now: number): boolean =>
  asked !== undefined && now >= asked.at && now < asked.at + ASKED_FOR_MS;

/** The sizes of the library's parts. */

/** A file that several assets share counts once, with the first part that has it. */
const byPart = sql(
  'assets.space',
  `SELECT rank, count(*) AS files, sum(bytes) AS bytes FROM (
     SELECT min(CASE
       WHEN binned_at IS NOT NULL THEN 7
       WHEN role = 'thumbnail' THEN 6
       WHEN role IN ('frame', 'mask') THEN 5
       WHEN mime LIKE 'audio/%' THEN 4
       WHEN mime NOT LIKE 'video/%' THEN 3
       WHEN verdict = 'keep' THEN 0
       WHEN verdict = 'no' THEN 2
       ELSE 1 END) AS rank, max(bytes) AS bytes
     FROM assets WHERE state = 'local' GROUP BY sha256, mime)
   GROUP BY rank ORDER BY rank`,
);

/** Counts every row: to be read away from the main thread. */
export function spaceOf(db: ReadDb): LibrarySpace['parts'] {
  const rows = db.all<{ rank: number; files: number; bytes: number }>(byPart);
  return SPACE_PARTS.map((part: SpacePart, rank) => {
    const { files = 0, bytes = 0 } = rows.find((row) => row.rank === rank) ?? {};
    return { part, files, bytes };
  });
}

const byState = sql(
  'assets.countsByState',
  'SELECT state, count(*) AS n, coalesce(sum(bytes), 0) AS bytes FROM assets GROUP BY state ORDER BY state',
);

/** The number and size of assets by the location of their files, read likewise. */
export const assetCounts = (db: ReadDb): { state: string; n: number; bytes: number }[] => db.all(byState);

export interface LibraryDeps extends RoomDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  log: Logger;
  /** The client of the profile that made a result; `null` when that profile was removed. */
  gatewayFor(profileId: string): Promise<Gateway | null>;
  /** Whether the profile has no key now, or one that cannot be read. */
  lacksKey?(profileId: string): Promise<boolean>;
  /** Asks the task of a result that would be given up for another link. */
  askTask?: AskTask;
  downloadsAtOnce(): number;
  /** Modules that refer to assets; the bin deletes none of those. */
  namedBy: readonly NamingModule[];
  /** Emits `output.settled` and `mediaTask.ended`. */
  events: Pick<CoreEvents, 'emit'>;
}
