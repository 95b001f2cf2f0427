/** Samples are so far apart: what went through before the last two says nothing of the disk now. */
const WINDOW_MS = 15_000;
/** Less time than this says nothing yet. */
const LEAST_MS = 2_000;

/** How fast a phase of a move goes on, by what went through in the last 15 to 30 seconds. */
export class Pace {
  private from: { at: number; bytes: number };
  private last: { at: number; bytes: number };

  /** `bytes`: what is through at this moment. */
  constructor(at: number, bytes: number) {
    this.from = { at, bytes };
    this.last = this.from;
  }

  /** `bytes`: all that is through by now. */
  passed(at: number, bytes: number): void {
    if (at - this.last.at < WINDOW_MS) return;
    this.from = this.last;
    this.last = { at, bytes };
  }

  /** Milliseconds until so many more bytes are through; undefined while nobody can tell. */
  leftMs(now: number, through: number, left: number): number | undefined {
    const { at, bytes } = this.from;
    if (now - at < LEAST_MS || through <= bytes) return undefined;
    return Math.round((left * (now - at)) / (through - bytes));
  }
}
