import { setImmediate as aTurn } from 'node:timers/promises';
import type { Clock, Logger } from './ports.ts';

/** What a bundle has thousands of is read and written a few in each turn of the event loop. */
export const turns = { next: (): Promise<unknown> => aTurn() };

/** Read or judged in one turn. */
const READ_PER_TURN = 50;

/** The items with their numbers, so many in a turn. */
export async function* inTurns<T>(items: Iterable<T>, perTurn = READ_PER_TURN): AsyncGenerator<[number, T]> {
  let at = 0;
  for (const item of items) {
    if (at > 0 && at % perTurn === 0) await turns.next();
    yield [at, item];
    at += 1;
  }
}

/** A list in slices of at most `size`, each for a turn of its own. */
export function* slicesOf<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

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

/**
 * Lets callers pass one in each turn of the event loop, in the order in which they came. One that comes alone does not wait: many that
 * arrive in one turn, as from eight programs at once, would be one long turn.
 */
export class OneATurn {
  private last: Promise<unknown> = Promise.resolve();
  private readonly nextTurn: () => Promise<unknown>;

  constructor(nextTurn: () => Promise<unknown> = () => aTurn()) {
    this.nextTurn = nextTurn;
  }

  async pass(): Promise<void> {
    const mine = this.last;
    this.last = mine.then(() => this.nextTurn());
    await mine;
  }
}

/** Calls that come together share a turn for this long. */
const BUDGET_MS = 8;
/**
 * So many that are open at the same time share one however long it has been going on: what two windows ask for at the same time sees the same state, and a retry that both
 * press is one.
 */
export const TOGETHER = 4;

interface TurnGateDeps {
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
