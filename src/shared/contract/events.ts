import type { Message } from '../chat/conversation.ts';
import type { Export } from '../film/filmExport.ts';
import type { Job } from '../jobs/job.ts';
import type { NightStatus } from '../jobs/night.ts';
import type { Asset } from '../library/asset.ts';
import type { LibraryCheck } from '../library/libraryFolder.ts';
import type { PriceMismatch } from '../money/ledger.ts';
import type { HostEvent } from './hostEvents.ts';

export interface QueueStatus {
  /** Increases with every query of the queue; the greater one is newer. */
  revision: number;
  paused: boolean;
  /**
   * Set while the queue is held because the database is a backup: when that was made, milliseconds since 1970. What waits may have been
   * sent since. `queue.resume` lets it go on.
   */
  restoredFrom?: number;
  /** Set while the disk has had no room for the start: nothing goes on, and commands are refused, until there is some. */
  waitsForRoom?: true;
  /** True while the gateway of the active profile cannot be reached. */
  offline: boolean;
  running: number;
  waiting: number;
  /** The lanes of the active profile, and all others in which something is open or held back. */
  lanes: LaneStatus[];
  /** The cases in doubt on the side of the active profile. */
  doubt: Doubt;
  /** The same for the other side: play money and real money are never summed together. */
  doubtElsewhere: Doubt;
}

/** A lane of one profile: what is at the service of what may be at once, what waits, and whether the user holds it back. */
export interface LaneStatus {
  /** The name of the lane (`shared/kinds/lanes.ts`). */
  kind: string;
  profileId: string;
  running: number;
  atOnce: number;
  waiting: number;
  /** For what waits, and how many of them have no known price. */
  reservedNano: number;
  unpriced: number;
  paused: boolean;
}

/** The doubt inbox of one side: open cases, including ended jobs with an open cost, and the highest amount at stake in nano-dollars. */
export interface Doubt {
  count: number;
  nano: number;
  /** The number of cases without a known price. */
  unpriced: number;
}

/** `held`: the machine does not go to sleep by itself; `free`: it may; `cannot`: this host cannot prevent it. */
export type Awake = 'held' | 'free' | 'cannot';

/** The stream of changes (ARCHITECTURE "The way of one video request", 9). Pages patch their caches with it. */
export type StudioEvent =
  | HostEvent
  | { type: 'job.changed'; job: Job }
  | {
      type: 'chat.delta';
      conversationId: string;
      messageId: string;
      jobId: string;
      text: string;
      channel?: 'reasoning';
    }
  | { type: 'message.changed'; message: Message }
  | { type: 'conversation.changed'; conversationId: string }
  /** There are other drafts in this conversation, or they have changed (`director.drafts`). */
  | { type: 'drafts.changed'; conversationId: string }
  /** An order that is asked for was added, or is another by now (`quotes.list`). */
  | { type: 'quotes.changed' }
  | { type: 'asset.changed'; asset: Asset }
  | { type: 'queue.changed'; status: QueueStatus }
  | { type: 'ledger.changed' }
  /** A stated cost does not match the price book, or the user has decided what to do about it. */
  | { type: 'mismatch.changed'; mismatch: PriceMismatch }
  /** A night was planned, opened, stopped or has ended, or its jobs changed. */
  | { type: 'night.changed'; status: NightStatus }
  /** The plans kept under a name (`night.plans`). */
  | { type: 'plans.changed' }
  | { type: 'profiles.changed' }
  | { type: 'projects.changed' }
  | { type: 'board.changed'; projectId: string; revision: number }
  | { type: 'settings.changed' }
  | { type: 'export.changed'; export: Export }
  | { type: 'export.removed'; exportId: string }
  /** The machine is kept awake from now on, or may sleep again (`app.info`). */
  | { type: 'awake.changed'; awake: Awake }
  /** There is another state of updates (`updates.get`). */
  | { type: 'updates.changed' }
  | { type: 'media.work' }
  /** There is something new under `media.measures` for this file. */
  | { type: 'media.measured'; sha256: string }
  /** The studio was closed and opened again under its pages, perhaps on another database: everything is to be read again. */
  | { type: 'studio.reopened' }
  | { type: 'store.checked'; ok: boolean; message: string }
  /** The check of every file of the library has come further, or has ended (`library.folder`). */
  | { type: 'library.checked'; check: LibraryCheck }
  /** There is another backup, or fewer (`backups.list`). */
  | { type: 'backups.changed' }
  | {
      type: 'notice';
      level: 'info' | 'doubt' | 'error';
      text: string;
      jobId?: string;
      urgent?: true;
      /** The subject of an `error`: it stays until an `info` with the same subject reports its end, or the user dismisses it. */
      about?: string;
      /** A lane (`shared/kinds/lanes.ts`), or `poll` for all polls, that fails repeatedly: its waiting requests are tried now and then. */
      lane?: { kind: string; profileId: string };
    };
