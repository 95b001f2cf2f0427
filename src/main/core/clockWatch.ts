import type { Clock, Logger } from './ports.ts';
import { readFlag, type Store, type WriteDb, withoutChangeTracking, writeFlag } from './store/index.ts';

/** Handles a clock that is set back: waits in memory go on, but ages on disk become unknown. */

/** A time for waits in memory: it goes on when the clock is set back, so that no wait becomes longer. */
export function monotonicTime({ now }: Pick<Clock, 'now'>): () => number {
  let last = now();
  let ahead = 0;
  return () => {
    ahead = Math.max(ahead, last - now());
    last = now() + ahead;
    return last;
  };
}

const CHECK_MS = 60_000;
/** How often the time is written, so that a clock set back while Dailies is closed is noticed. */
const WRITE_MS = 10 * 60_000;
/** Time servers make steps of up to this size. */
const STEP_MS = 5_000;

export interface Ages {
  /** The flag with the latest time. */
  flag: string;
  /** Whether ages matter now. */
  isWatched(): boolean;
  /** Records that no age is known any more. Returns what to do after the commit. */
  setBack(db: WriteDb): () => void;
}

/**
 * Notices that the clock was set back: from then on ages on disk are unknown. Not noticed if it was set back during sleep, or while Dailies
 * was closed, by less than that lasted.
 */
export class ClockWatch {
  private readonly deps: { store: Store; clock: Clock; log: Pick<Logger, 'warn' | 'error'> };
  private readonly ages: Ages;
  private seen = 0;
  private written = 0;
  private cancelTimer: (() => void) | undefined;
  private closed = false;

  constructor(deps: ClockWatch['deps'], ages: Ages) {
    this.deps = deps;
    this.ages = ages;
  }

  /** `newest`: the time of the newest thing on disk, if known. */
  start(newest = 0): void {
    this.seen = Math.max(Number(readFlag(this.deps.store.read, this.ages.flag)) || 0, newest);
    this.look();
  }

  /** Something new is on disk. */
  watch(): void {
    if (this.closed || this.cancelTimer) return;
    // Before this, nothing on disk had an age that matters.
    this.seen = this.deps.clock.now();
    this.lookLater();
  }

  isSetBack(now = this.deps.clock.now()): boolean {
    return now < this.seen - STEP_MS;
  }

  /** Reads the clock. Throws if the consequences cannot be written: no age may be relied on then. */
  check(): void {
    const { store, clock, log } = this.deps;
    const now = clock.now();
    if (!this.isSetBack(now)) {
      this.seen = Math.max(this.seen, now);
      return;
    }
    log.warn({ byMs: this.seen - now, flag: this.ages.flag }, 'the clock was set back');
    const write = (db: WriteDb): (() => void) => {
      writeFlag(db, this.ages.flag, `${now}`);
      return this.ages.setBack(db);
    };
    const follow = withoutChangeTracking(() => store.transaction(write));
    this.seen = now;
    this.written = now;
    follow();
  }

  close(): void {
    this.closed = true;
    this.cancelTimer?.();
    // If the start could not be written, the clock was never read.
    if (this.seen > 0) this.tried(() => this.write(0));
  }

  private look(): void {
    this.tried(() => {
      this.check();
      this.write(WRITE_MS);
    });
    if (this.tried(() => this.ages.isWatched()) ?? true) this.lookLater();
  }

  private lookLater(): void {
    if (this.closed) return;
    this.cancelTimer?.();
    this.cancelTimer = this.deps.clock.after(CHECK_MS, () => {
      this.cancelTimer = undefined;
      this.look();
    });
  }

  private write(afterMs: number): void {
    if (this.seen - this.written < afterMs || !this.ages.isWatched()) return;
    withoutChangeTracking(() => this.deps.store.transaction((db) => writeFlag(db, this.ages.flag, `${this.seen}`)));
    this.written = this.seen;
  }

  private tried<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.deps.log.error({ error: String(error), flag: this.ages.flag }, 'the time could not be read or written');
      return undefined;
    }
  }
}
