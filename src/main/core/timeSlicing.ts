import { setImmediate as aTurn } from 'node:timers/promises';
import type { Clock, Logger } from './ports.ts';

/** Work on the thousands of items of a bundle is divided into turns of the event loop. */
export const turns = { next: (): Promise<unknown> => aTurn() };

const READ_PER_TURN = 50;

/** The items with their indexes, a limited number per turn. */
export async function* inTurns<T>(items: Iterable<T>, perTurn = READ_PER_TURN): AsyncGenerator<[number, T]> {
  let at = 0;
  for (const item of items) {
    if (at > 0 && at % perTurn === 0) await turns.next();
    yield [at, item];
    at += 1;
  }
}

/** Slices of at most `size` items, each for one turn. */
export function* slicesOf<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

/** Runs work one after the other, whether or not earlier work failed. */
export class WorkQueue {
  private last: Promise<unknown> = Promise.resolve();

  add<T>(work: () => Promise<T> | T): Promise<T> {
    const run = this.last.then(work);
    this.last = run.catch(() => undefined);
    return run;
  }

  /** Resolves once all work added so far has ended. */
  ended(): Promise<unknown> {
    return this.last;
  }
}

interface Work {
  key: string;
  steps: () => Generator<void, void>;
}

/** The delay after an error of this machine, such as a full disk. */
const RETRY_MS = 2_000;

/**
 * Work on thousands of jobs, a few per turn of the event loop; the first step runs at once. A step is a transaction; work that is started
 * again begins anew, so its steps must be repeatable.
 */
export class SlicedWork {
  private readonly deps: { clock: Pick<Clock, 'after'>; log: Pick<Logger, 'error'> };
  private readonly due = new Map<string, Work>();
  private current: { work: Work; left: Generator<void, void> } | undefined;
  private closed = false;

  constructor(deps: { clock: Pick<Clock, 'after'>; log: Pick<Logger, 'error'> }) {
    this.deps = deps;
  }

  /** After an error the work starts over. */
  start(key: string, steps: () => Generator<void, void>): void {
    const isBusy = this.current !== undefined;
    if (this.current?.work.key === key) this.current.left = steps();
    else this.due.set(key, { key, steps });
    if (!isBusy) this.goOn();
  }

  /** The next start of the program does the remaining work. */
  close(): void {
    this.closed = true;
  }

  private goOn(): void {
    for (this.current ??= this.next(); this.current && !this.closed; this.current = this.next()) {
      const { work, left } = this.current;
      try {
        const isDone = left.next().done === true;
        // The step's announcement may have restarted the work.
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

/**
 * Processes several items at once, starting in their sequence. If one returns false or fails, no further one starts, and the running ones
 * are awaited.
 */
export async function severalAtOnce<T>(
  atOnce: number,
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const left = items.values();
  let goesOn = true;
  const worker = async (): Promise<void> => {
    for (const item of left) {
      if (!goesOn) return;
      const isDone = await work(item).catch((error) => {
        goesOn = false;
        throw error;
      });
      goesOn &&= isDone !== false;
    }
  };
  for (const end of await Promise.allSettled(Array.from({ length: atOnce }, worker)))
    if (end.status === 'rejected') throw end.reason;
}

/** Jobs per transaction: each is evaluated against the budgets. */
export const PER_SLICE = 15;

/** The same while other jobs are claimed and sent in the same turns. */
export const FOLLOWED_PER_TURN = 5;

/** A step for each slice. */
export function* inSlices<T>(items: readonly T[], step: (slice: T[]) => void): Generator<void, void> {
  for (let from = 0; from < items.length; from += PER_SLICE) {
    if (from > 0) yield;
    step(items.slice(from, from + PER_SLICE));
  }
}

/** Calls that come together share a turn for this long. */
const BUDGET_MS = 8;
/**
 * This many open calls share a turn however long it takes: requests of two windows at the same time see the same state, and a retry that
 * both send is one.
 */
export const CALLS_PER_TURN = 4;

interface TurnGateDeps {
  /** Milliseconds of a monotonic clock. */
  now?(): number;
  later?(run: () => void): void;
}

/**
 * Spreads calls that arrive in one turn of the event loop over several turns, in order: each is short, but a page or a tool may send many at
 * once.
 */
export class TurnGate {
  private readonly now: () => number;
  private readonly later: (run: () => void) => void;
  private readonly waiting: (() => void)[] = [];
  private since: number | undefined;
  /** Calls that entered and are not answered. */
  private open = 0;

  constructor({ now = () => performance.now(), later = (run) => void setImmediate(run) }: TurnGateDeps = {}) {
    this.now = now;
    this.later = later;
  }

  /** Resolves in the turn in which the call may go on; undefined: at once. After the answer the caller must call {@link leave}. */
  enter(): Promise<void> | undefined {
    const now = this.now();
    if (this.since === undefined) {
      this.since = now;
      this.later(() => this.nextTurn());
    }
    if (this.waiting.length === 0 && (this.open < CALLS_PER_TURN || now - this.since < BUDGET_MS)) {
      this.open += 1;
      return undefined;
    }
    return new Promise((goOn) => void this.waiting.push(goOn));
  }

  leave(): void {
    this.open -= 1;
  }

  /** Lets all waiting calls go on. */
  close(): void {
    this.open += this.waiting.length;
    for (const goOn of this.waiting.splice(0)) goOn();
  }

  private nextTurn(): void {
    const next = this.waiting.splice(0, CALLS_PER_TURN);
    this.since = next.length > 0 ? this.now() : undefined;
    this.open += next.length;
    if (next.length === 0) return;
    this.later(() => this.nextTurn());
    for (const goOn of next) goOn();
  }
}
