/** Calls that come together share a turn for this long. */
const BUDGET_MS = 8;
/**
 * So many that are open at the same time share one however long it has been going on: what two windows ask for at the same time sees the same state, and a retry that both
 * press is one.
 */
export const TOGETHER = 4;

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
  /** Calls that have gone on and are not answered. */
  private open = 0;

  constructor({ now = () => performance.now(), later = (run) => void setImmediate(run) }: TurnGateDeps = {}) {
    this.now = now;
    this.later = later;
  }

  /** Resolves in the turn in which the call may go on; undefined: that is this one. What has gone on leaves once it is answered. */
  enter(): Promise<void> | undefined {
    const now = this.now();
    if (this.since === undefined) {
      this.since = now;
      this.later(() => this.nextTurn());
    }
    if (this.waiting.length === 0 && (this.open < TOGETHER || now - this.since < BUDGET_MS)) {
      this.open += 1;
      return undefined;
    }
    return new Promise((goOn) => void this.waiting.push(goOn));
  }

  /** A call that has gone on is answered. */
  leave(): void {
    this.open -= 1;
  }

  /** Calls that wait go on now. */
  close(): void {
    this.open += this.waiting.length;
    for (const goOn of this.waiting.splice(0)) goOn();
  }

  private nextTurn(): void {
    const next = this.waiting.splice(0, TOGETHER);
    this.since = next.length > 0 ? this.now() : undefined;
    this.open += next.length;
    if (next.length === 0) return;
    this.later(() => this.nextTurn());
    for (const goOn of next) goOn();
  }
}
