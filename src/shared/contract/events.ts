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
   * Set while the queue is held because the database was restored: the time of the backup, in milliseconds since 1970. Queued jobs may have
   * been sent since; `queue.resume` releases them.
   */
  restoredFrom?: number;
  /** Set while the disk is too full to start: commands are refused until there is room. */
  waitsForRoom?: true;
  /** True while the gateway of the active profile cannot be reached. */
  offline: boolean;
  running: number;
  waiting: number;
  /** The lanes of the active profile, and others with open or paused jobs. */
  lanes: LaneStatus[];
  /** Unconfirmed costs on the side of the active profile. */
  doubt: Doubt;
  /** The same for the other side: test money and real money are never summed. */
  doubtElsewhere: Doubt;
}

/** A lane of one profile: sent jobs and their limit, queued jobs, whether the user paused it. */
export interface LaneStatus {
  /** The name of the lane (`shared/kinds/lanes.ts`). */
  kind: string;
  profileId: string;
  running: number;
  atOnce: number;
  waiting: number;
  /** For queued jobs; and the number of them with no price set. */
  reservedNano: number;
  unpriced: number;
  paused: boolean;
}

/** Unconfirmed costs of one side: open cases, ended jobs included, and the highest open amount in nano-dollars. */
export interface Doubt {
  count: number;
  nano: number;
  /** The number of cases with no price set. */
  unpriced: number;
}

/** `held`: the machine stays awake; `free`: it may sleep; `cannot`: this host cannot prevent sleep. */
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
  /** The drafts of this conversation changed (`director.drafts`). */
  | { type: 'drafts.changed'; conversationId: string }
  /** A quote was added or changed (`quotes.list`). */
  | { type: 'quotes.changed' }
  | { type: 'asset.changed'; asset: Asset }
  | { type: 'queue.changed'; status: QueueStatus }
  | { type: 'ledger.changed' }
  /** A stated cost contradicts the price book, or the user decided about it. */
  | { type: 'mismatch.changed'; mismatch: PriceMismatch }
  /** A run was planned, opened, stopped or ended, or its jobs changed. */
  | { type: 'night.changed'; status: NightStatus }
  /** The saved plans changed (`night.plans`). */
  | { type: 'plans.changed' }
  | { type: 'profiles.changed' }
  | { type: 'projects.changed' }
  | { type: 'board.changed'; projectId: string; revision: number }
  | { type: 'settings.changed' }
  | { type: 'export.changed'; export: Export }
  | { type: 'export.removed'; exportId: string }
  | { type: 'awake.changed'; awake: Awake }
  /** The state of updates changed (`updates.get`). */
  | { type: 'updates.changed' }
  | { type: 'media.work' }
  /** New measures of this file (`media.measures`). */
  | { type: 'media.measured'; sha256: string }
  /** The studio was reopened under its pages, perhaps with another database: pages read everything again. */
  | { type: 'studio.reopened' }
  | { type: 'store.checked'; ok: boolean; message: string }
  /** The library check progressed or ended (`library.folder`). */
  | { type: 'library.checked'; check: LibraryCheck }
  /** The list of backups changed (`backups.list`). */
  | { type: 'backups.changed' }
  | {
      type: 'notice';
      level: 'info' | 'doubt' | 'error';
      text: string;
      jobId?: string;
      urgent?: true;
      /** The subject of an `error`: shown until an `info` with the same subject, or until dismissed. */
      about?: string;
      /** A lane (`shared/kinds/lanes.ts`), or `poll` for all polls, that fails repeatedly and is retried now and then. */
      lane?: { kind: string; profileId: string };
    };
