import type { Clock, Logger } from '../ports.ts';

interface Work {
  key: string;
  steps: () => Generator<void, void>;
}

/** After an error of this machine, such as a full disk. */
const RETRY_MS = 2_000;

/**
 * Work on thousands of jobs, a few in each turn of the event loop: the first step is done at once, each other one in a turn of its own.
 * A step is a transaction; work that is asked for again while it goes on begins anew, so its steps must be repeatable.
 */
export class SlicedWork {
  private readonly deps: { clock: Pick<Clock, 'after'>; log: Pick<Logger, 'error'> };
  private readonly due = new Map<string, Work>();
  private current: { work: Work; left: Generator<void, void> } | undefined;
  private closed = false;

  constructor(deps: { clock: Pick<Clock, 'after'>; log: Pick<Logger, 'error'> }) {
    this.deps = deps;
  }

  /** After an error the work is begun anew. */
  start(key: string, steps: () => Generator<void, void>): void {
    const isBusy = this.current !== undefined;
    if (this.current?.work.key === key) this.current.left = steps();
    else this.due.set(key, { key, steps });
    if (!isBusy) this.goOn();
  }

  /** What is left is done by the next start of the program. */
  close(): void {
    this.closed = true;
  }

  private goOn(): void {
    for (this.current ??= this.next(); this.current && !this.closed; this.current = this.next()) {
      const { work, left } = this.current;
      try {
        const isDone = left.next().done === true;
        // It may have been asked for anew by what the step announced.
        if (!isDone || this.current.left !== left) return void setImmediate(() => this.goOn());
      } catch (error) {
        this.deps.log.error({ error: String(error) }, 'many jobs could not be changed; it is tried again');
        this.deps.clock.after(RETRY_MS, () => this.start(work.key, work.steps));
      }
    }
  }

  private next(): typeof this.current {
    for (const [key, work] of this.due) {
      this.due.delete(key);
      return { work, left: work.steps() };
    }
    return undefined;
  }
}

/** Jobs in one transaction: each is evaluated against the caps. */
export const PER_SLICE = 15;

/** The same while others are claimed and sent in the same turns: a queue that goes on. */
export const FOLLOWED_PER_TURN = 5;

/** A step for every few of them. */
export function* inSlices<T>(items: readonly T[], step: (slice: T[]) => void): Generator<void, void> {
  for (let from = 0; from < items.length; from += PER_SLICE) {
    if (from > 0) yield;
    step(items.slice(from, from + PER_SLICE));
  }
}
