import type { Asset } from './asset.ts';
import type { Message } from './conversation.ts';
import type { Job } from './job.ts';
import type { PriceMismatch } from './ledger.ts';
import type { NightStatus } from './night.ts';

export interface QueueStatus {
  /** Grows with every look at the queue; the greater one is the newer. */
  revision: number;
  paused: boolean;
  /** True while the gateway of the active profile cannot be reached. */
  offline: boolean;
  running: number;
  waiting: number;
  /** What is in doubt on the side of the active profile. */
  doubt: Doubt;
  /** The same of the other side: play money and real money are never in one sum. */
  doubtElsewhere: Doubt;
}

/** The doubt inbox of one side: open cases, ended jobs whose cost stayed open included, and the most that is at stake, in nano-dollars. */
export interface Doubt {
  count: number;
  nano: number;
  /** Orders among them whose price nobody knows. */
  unpriced: number;
}

/** `held`: the machine does not fall asleep by itself; `free`: it may; `cannot`: this host has no hold on it. */
export type Awake = 'held' | 'free' | 'cannot';

/** The one stream of changes (DESIGN "The natural way of a request", 8). Pages patch their caches from it. */
export type StudioEvent =
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
  | { type: 'asset.changed'; asset: Asset }
  | { type: 'queue.changed'; status: QueueStatus }
  | { type: 'ledger.changed' }
  /** A stated cost does not agree with the price book, or the user has chosen what to do about it. */
  | { type: 'mismatch.changed'; mismatch: PriceMismatch }
  /** A night was planned, opened, stopped or is over, or its jobs changed. */
  | { type: 'night.changed'; status: NightStatus }
  | { type: 'profiles.changed' }
  | { type: 'projects.changed' }
  | { type: 'board.changed'; projectId: string; revision: number }
  | { type: 'settings.changed' }
  /** The machine is kept awake from now on, or may sleep again (`app.info`). */
  | { type: 'awake.changed'; awake: Awake }
  | { type: 'media.work' }
  | { type: 'store.checked'; ok: boolean; message: string }
  | {
      type: 'notice';
      level: 'info' | 'doubt' | 'error';
      text: string;
      jobId?: string;
      urgent?: true;
      /** What an `error` is about: it stands until an `info` about the same says that it is over, or the user dismisses it. */
      about?: string;
      /** A lane (`shared/kinds/lanes.ts`), or `poll` for all polls, that fails again and again: what waits there is tried now and then. */
      lane?: { kind: string; profileId: string };
    };
