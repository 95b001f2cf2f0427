/** Between two samples. The speed is taken from the last two, since it changes over time. */
const WINDOW_MS = 15_000;
/** No estimate before this much time has passed. */
const LEAST_MS = 2_000;

/** Estimates how long a phase of a move takes, by the bytes of the last 15 to 30 seconds. */
export class Pace {
  private from: { at: number; bytes: number };
  private last: { at: number; bytes: number };

  /** `bytes`: done so far. */
  constructor(at: number, bytes: number) {
    this.from = { at, bytes };
    this.last = this.from;
  }

  /** `bytes`: done so far. */
  passed(at: number, bytes: number): void {
    if (at - this.last.at < WINDOW_MS) return;
    this.from = this.last;
    this.last = { at, bytes };
  }

  /** Milliseconds for `left` more bytes; undefined without an estimate. */
  leftMs(now: number, through: number, left: number): number | undefined {
    const { at, bytes } = this.from;
    if (now - at < LEAST_MS || through <= bytes) return undefined;
    return Math.round((left * (now - at)) / (through - bytes));
  }
}
