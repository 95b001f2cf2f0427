import { ClockWatch } from '../clockWatch.ts';
import type { Clock, Logger } from '../ports.ts';
import { type Store, withoutChangeTracking } from '../store/index.ts';
import * as table from './quoteTable.ts';

/** How long a program's quote holds. */
export const VALID_MS = 24 * 3_600_000;

interface QuoteExpiryDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  /** Some quotes are void now. Called after the commit. */
  ended(): void;
}

/** Expires quotes of programs after a day. If the clock is set back, their age is unknown and all of them become void. */
export class QuoteExpiry {
  private readonly deps: QuoteExpiryDeps;
  private readonly clockWatch: ClockWatch;
  private cancelTimer: (() => void) | undefined;
  private closed = false;

  constructor(deps: QuoteExpiryDeps) {
    this.deps = deps;
    this.clockWatch = new ClockWatch(deps, {
      flag: 'quotes:clockSeen',
      isWatched: () => table.openTimes(deps.store.read).soonest !== null,
      setBack: (db) => {
        table.expireQuotes(db, Number.MAX_SAFE_INTEGER);
        return deps.ended;
      },
    });
  }

  start(): void {
    this.clockWatch.start(table.openTimes(this.deps.store.read).newest);
    this.tick();
  }

  /** Whether a quote that holds until then is over. */
  isOver(expiresAt: number): boolean {
    return expiresAt <= this.deps.clock.now() || this.clockWatch.isSetBack();
  }

  /** Ends expired quotes. Throws if that cannot be written. */
  check(): void {
    const { store, clock, ended } = this.deps;
    this.clockWatch.check();
    const now = clock.now();
    if (!table.hasExpired(store.read, now)) return;
    // Not part of any call.
    withoutChangeTracking(() => store.transaction((db) => table.expireQuotes(db, now)));
    ended();
  }

  /** Called after a quote is opened: watches the clock and waits for the first expiry. */
  watch(): void {
    this.clockWatch.watch();
    this.waitForSoonest();
  }

  close(): void {
    this.closed = true;
    this.cancelTimer?.();
    this.clockWatch.close();
  }

  private waitForSoonest(): void {
    const { soonest } = table.openTimes(this.deps.store.read);
    this.cancelTimer?.();
    if (this.closed || soonest === null) return;
    this.cancelTimer = this.deps.clock.after(Math.max(0, soonest - this.deps.clock.now()), () => this.tick());
  }

  private tick(): void {
    try {
      this.check();
    } catch (error) {
      this.deps.log.error({ error: String(error) }, 'that quotes are over could not be written');
    }
    this.waitForSoonest();
  }
}
