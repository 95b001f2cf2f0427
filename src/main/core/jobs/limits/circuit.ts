/**
 * A circuit breaker: after failures of one sort in a row nothing more is sent but one try at a time, further and further apart, until
 * one works. Failures of different sorts are the orders' own matter. It keeps no time of its own; all times are milliseconds.
 */

export interface CircuitRules {
  /** So many in a row open it … */
  failures: number;
  /** … when they are of so many different orders: one that fails again and again says nothing about the others. */
  orders: number;
  firstPauseMs: number;
  /** The pause doubles up to this. */
  longestPauseMs: number;
}

export class Circuit {
  /** Of what sort the last failure was. */
  private sort: string | undefined;
  private inARow = 0;
  private failedOrders = new Set<string>();
  private open: { until: number; pauses: number; tryingSince?: number } | undefined;
  private readonly rules: CircuitRules;

  constructor(rules: CircuitRules) {
    this.rules = rules;
  }

  get isOpen(): boolean {
    return this.open !== undefined;
  }

  /** How long until a try is allowed: 0 while closed; while open, one try at a time. */
  waitMs(now: number): number {
    if (!this.open) return 0;
    const { until, tryingSince } = this.open;
    const tried = tryingSince === undefined ? 0 : tryingSince + LONGEST_TRY_MS;
    return Math.max(0, until - now, tried - now);
  }

  /** A try begins. */
  trying(now: number): void {
    if (this.open) this.open.tryingSince = now;
  }

  /** How often in a row a try has failed. */
  get failedTries(): number {
    return this.open?.pauses ?? 0;
  }

  /** The pause is over before its time. */
  due(): void {
    if (this.open) this.open = { pauses: this.open.pauses, until: 0 };
  }

  /** Says so when this opens it. `longestPauseMs` where pauses may grow longer than by the rules. */
  failed(
    now: number,
    { order, sort }: { order: string; sort: string },
    longestPauseMs = this.rules.longestPauseMs,
  ): 'opened' | undefined {
    const another = sort !== this.sort;
    this.sort = sort;
    if (this.open) {
      // What was under way when it opened is no news.
      if (this.open.tryingSince !== undefined) this.pause(now, another ? 0 : this.open.pauses + 1, longestPauseMs);
      return undefined;
    }
    if (another) this.forget();
    this.inARow += 1;
    this.failedOrders.add(order);
    if (this.inARow < this.rules.failures || this.failedOrders.size < this.rules.orders) return undefined;
    this.pause(now, 0, longestPauseMs);
    return 'opened';
  }

  /** The try has failed, in whatever way. */
  failedAgain(now: number, longestPauseMs: number): void {
    if (this.open) this.pause(now, this.open.pauses + 1, longestPauseMs);
  }

  /** Says so when this closes it. */
  worked(): 'closed' | undefined {
    const turn = this.open ? 'closed' : undefined;
    this.open = undefined;
    this.forget();
    return turn;
  }

  private forget(): void {
    this.inARow = 0;
    this.failedOrders.clear();
  }

  private pause(now: number, pauses: number, longestMs: number): void {
    this.open = { pauses, until: now + Math.min(longestMs, this.rules.firstPauseMs * 2 ** Math.min(pauses, 20)) };
  }
}

/** A try that takes longer than this has at least found the service there: another may begin. */
const LONGEST_TRY_MS = 30_000;
