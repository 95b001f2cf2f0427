/** Calls that come together share a turn for this long; who comes later goes on in a turn of its own. */
const BUDGET_MS = 8;

export interface TurnGateDeps {
  /** Milliseconds of a clock that nobody sets. */
  now?(): number;
  later?(run: () => void): void;
}

/**
 * Keeps calls that arrive in one turn of the event loop from making it a long one: each is short, and a page or a tool may send many at once.
 * They go on in the order in which they came.
 */
export class TurnGate {
  private readonly now: () => number;
  private readonly later: (run: () => void) => void;
  private readonly waiting: (() => void)[] = [];
  /** When the first call of this turn came. */
  private since: number | undefined;

  constructor({ now = () => performance.now(), later = (run) => void setImmediate(run) }: TurnGateDeps = {}) {
    this.now = now;
    this.later = later;
  }

  /** Resolves in the turn in which the call may go on; undefined: that is this one. */
  enter(): Promise<void> | undefined {
    const now = this.now();
    if (this.since === undefined) {
      this.since = now;
      this.later(() => this.nextTurn());
    }
    if (this.waiting.length === 0 && now - this.since < BUDGET_MS) return undefined;
    return new Promise((goOn) => void this.waiting.push(goOn));
  }

  /** Calls that wait go on now. */
  close(): void {
    for (const goOn of this.waiting.splice(0)) goOn();
  }

  private nextTurn(): void {
    const goOn = this.waiting.shift();
    this.since = goOn ? this.now() : undefined;
    if (!goOn) return;
    this.later(() => this.nextTurn());
    goOn();
  }
}
