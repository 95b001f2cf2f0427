import type { Clock, Logger } from '../ports.ts';
import { readFlag, type Store, unwatched, type WriteDb, writeFlag } from '../store/index.ts';
import * as table from './quoteTable.ts';

/** How long a quote of a program outside holds. */
export const HOLDS_MS = 24 * 3_600_000;
/** How often the time is written while one is open, so that a clock that is set back while Dailies is closed is found. */
const WRITE_MS = 10 * 60_000;
/** A time server makes steps as large as this. */
const STEP_MS = 5_000;
const SEEN = 'quotes:clockSeen';

interface HoldsDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  /** Some are void now. After the commit. */
  ended(): void;
}

/**
 * Ends quotes when their day is over. A clock that is set back makes none live longer: from then on nobody knows how long it has held, so
 * that each of them is void. Set back while Dailies is closed, by less than it was closed, it is not noticed.
 */
export class Holds {
  private readonly deps: HoldsDeps;
  /** The latest time that was read. */
  private seen = 0;
  private cancelTimer: (() => void) | undefined;
  private closed = false;

  constructor(deps: HoldsDeps) {
    this.deps = deps;
  }

  start(): void {
    const { read } = this.deps.store;
    this.seen = Math.max(Number(readFlag(read, SEEN)) || 0, table.holding(read).newest);
    this.tick();
  }

  /** Whether one that holds until then is over. */
  isOver(expiresAt: number): boolean {
    const now = this.deps.clock.now();
    return expiresAt <= now || this.isSetBack(now);
  }

  /** Ends what is over. Throws where that cannot be written. */
  check(): void {
    const { store, clock, log, ended } = this.deps;
    const now = clock.now();
    const isSetBack = this.isSetBack(now);
    const until = isSetBack ? Number.MAX_SAFE_INTEGER : now;
    if (table.hasExpired(store.read, until)) {
      const end = (db: WriteDb) => {
        table.expireQuotes(db, until);
        this.write(db, now);
      };
      // No call is for this.
      unwatched(() => store.transaction(end));
      if (isSetBack)
        log.warn({ byMs: this.seen - now }, 'the clock was set back: what was asked for from outside is void');
      ended();
    }
    this.seen = isSetBack ? now : Math.max(this.seen, now);
  }

  /** From now on one more is open. */
  watch(): void {
    const { read } = this.deps.store;
    const { soonest } = table.holding(read);
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    if (this.closed || soonest === null) return;
    const from = this.deps.clock.now();
    const ms = Math.max(0, Math.min(WRITE_MS, soonest - from));
    this.cancelTimer = this.deps.clock.after(ms, () => {
      // The wait was no shorter, whatever the clock says.
      this.seen = Math.max(this.seen, from + ms);
      this.tick();
    });
  }

  close(): void {
    this.closed = true;
    this.cancelTimer?.();
  }

  private isSetBack = (now: number): boolean => now < this.seen - STEP_MS;

  private tick(): void {
    const { store, log } = this.deps;
    try {
      this.check();
      if (table.holding(store.read).soonest !== null) store.transaction((db) => this.write(db, this.seen));
    } catch (error) {
      log.error({ error: String(error) }, 'how long quotes have held could not be written');
    }
    this.watch();
  }

  private write = (db: WriteDb, now: number): number => writeFlag(db, SEEN, `${now}`);
}
