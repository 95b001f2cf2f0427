import type { WriteDb } from './connection.ts';

interface PendingWrite {
  work: (db: WriteDb) => unknown;
  done: (value: unknown) => void;
  failed: (error: unknown) => void;
}

/** One commit takes further writes until this much time has passed: a write may be one row, or a job with its files. */
const BUDGET_MS = 5;

export interface GroupCommitDeps {
  transaction<T>(work: (db: WriteDb) => T): T;
  /** Milliseconds of a clock that cannot be set. */
  now?(): number;
  later?(run: () => void): void;
}

/**
 * Writes requested in the same turn of the event loop share one commit, and so one fsync; each caller continues once it is on disk. If
 * there are too many for a short turn, the rest follows in the next one, in sequence. If one of them throws, the group is rolled back and
 * each is written separately, so that the error reaches only its own caller. `work` may therefore run twice: it must only read and write
 * through its handle. If no transaction can begin, all waiting writes get that error.
 */
export class GroupCommit {
  private waiting: PendingWrite[] = [];
  private readonly transaction: GroupCommitDeps['transaction'];
  private readonly now: () => number;
  private readonly later: (run: () => void) => void;

  constructor({
    transaction,
    now = () => performance.now(),
    later = (run) => void setImmediate(run),
  }: GroupCommitDeps) {
    this.transaction = transaction;
    this.now = now;
    this.later = later;
  }

  write<T>(work: (db: WriteDb) => T): Promise<T> {
    return new Promise<T>((done, failed) => {
      if (this.waiting.length === 0) this.later(() => this.flushSlice());
      this.waiting.push({ work, done: (value) => done(value as T), failed });
    });
  }

  /** Writes everything that is pending now. */
  flush(): void {
    while (this.waiting.length > 0) this.commitSlice();
  }

  private flushSlice(): void {
    this.commitSlice();
    if (this.waiting.length > 0) this.later(() => this.flushSlice());
  }

  private commitSlice(): void {
    const end = this.now() + BUDGET_MS;
    const values: unknown[] = [];
    let tried = 0;
    try {
      this.transaction((db) => {
        do values.push(this.waiting[tried++]?.work(db));
        while (tried < this.waiting.length && this.now() < end);
      });
    } catch (error) {
      // No write was tried, so none is at fault, and each would wait as long for the same error.
      if (tried === 0) return this.failAll(error);
      const group = this.waiting.splice(0, tried);
      return tried === 1 ? group[0]?.failed(error) : this.writeEach(group);
    }
    for (const [index, { done }] of this.waiting.splice(0, tried).entries()) done(values[index]);
  }

  private failAll(error: unknown): void {
    for (const { failed } of this.waiting.splice(0)) failed(error);
  }

  private writeEach(group: readonly PendingWrite[]): void {
    for (const entry of group) {
      try {
        entry.done(this.transaction(entry.work));
      } catch (error) {
        entry.failed(error);
      }
    }
  }
}
