/** What went through longer ago says nothing of the disk now: files that were there already are passed at once. */
const WINDOW_MS = 30_000;
/** Less time than this says nothing yet. */
const LEAST_MS = 2_000;
/** Samples are at least so far apart, so that there are few however many files there are. */
const APART_MS = 500;

interface Sample {
  at: number;
  bytes: number;
}

/** How fast a phase of a move goes on, by what went through of late. */
export class Pace {
  private samples: Sample[];

  /** `bytes`: what is through at this moment. */
  constructor(at: number, bytes: number) {
    this.samples = [{ at, bytes }];
  }

  /** `bytes`: all that is through by now. */
  passed(at: number, bytes: number): void {
    const last = this.samples.at(-1);
    if (last && at - last.at < APART_MS) return;
    this.samples.push({ at, bytes });
    while (this.samples.length > 2 && at - (this.samples[1]?.at ?? at) >= WINDOW_MS) this.samples.shift();
  }

  /** Milliseconds until so many more bytes are through; undefined while nobody can tell. */
  leftMs(now: number, through: number, left: number): number | undefined {
    const first = this.samples[0];
    if (!first || now - first.at < LEAST_MS || through <= first.bytes) return undefined;
    return Math.round((left * (now - first.at)) / (through - first.bytes));
  }
}
