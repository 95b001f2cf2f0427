import type { Clock, Logger } from './ports.ts';
import { readFlag, type Store, unwatched, type WriteDb, writeFlag } from './store/index.ts';

/** What a clock that is set back changes: nothing of the waits in memory, and everything of ages that are counted from a time on disk. */

/** The time for waits that stand in memory: where the clock is set back it goes on from where it was, and none of them becomes longer. */
export function steadyTime({ now }: Pick<Clock, 'now'>): () => number {
  let last = now();
  let ahead = 0;
  return () => {
    ahead = Math.max(ahead, last - now());
    last = now() + ahead;
    return last;
  };
}

/** How often the clock is read while an age matters. */
const CHECK_MS = 60_000;
/** How often the time is written, so that a clock that is set back while Dailies is closed is found. */
const WRITE_MS = 10 * 60_000;
/** A time server makes steps as large as this. */
const STEP_MS = 5_000;

export interface Ages {
  /** The flag that holds the latest time. */
  flag: string;
  /** Whether an age matters now. */
  isWatched(): boolean;
  /** Writes that no age is known any more. Returns what follows after the commit. */
  setBack(db: WriteDb): () => void;
}

/**
 * Notices that the clock of this machine was set back. From then on nobody knows how old something on disk is. Set back in a sleep, or while
 * Dailies was closed, by less than that lasted, it is not noticed.
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

  /** `newest`: from when the youngest is that is on disk, where that is known. */
  start(newest = 0): void {
    this.seen = Math.max(Number(readFlag(this.deps.store.read, this.ages.flag)) || 0, newest);
    this.look();
  }

  /** Something new is on disk. */
  watch(): void {
    if (this.closed || this.cancelTimer) return;
    // Nothing was there before whose age would matter.
    this.seen = this.deps.clock.now();
    this.lookLater();
  }

  isSetBack(now = this.deps.clock.now()): boolean {
    return now < this.seen - STEP_MS;
  }

  /** Reads the clock. Throws where what follows from it cannot be written: then no age may be relied on. */
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
    const follow = unwatched(() => store.transaction(write));
    this.seen = now;
    this.written = now;
    follow();
  }

  close(): void {
    this.closed = true;
    this.cancelTimer?.();
    // Where the start could not be written, the clock was never read.
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
    unwatched(() => this.deps.store.transaction((db) => writeFlag(db, this.ages.flag, `${this.seen}`)));
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
