import type { WriteDb } from './handles.ts';

interface PendingWrite {
  work: (db: WriteDb) => unknown;
  done: (value: unknown) => void;
  failed: (error: unknown) => void;
}

/**
 * Writes requested in the same turn of the event loop share one commit, and so one fsync; each caller continues once it is on disk. If
 * one of them throws, the group is rolled back and each is written separately, so that the error reaches only its own caller. `work` may
 * therefore run twice: it must only read and write through its handle.
 */
export class GroupCommit {
  private waiting: PendingWrite[] = [];
  private readonly transaction: <T>(work: (db: WriteDb) => T) => T;

  constructor(transaction: <T>(work: (db: WriteDb) => T) => T) {
    this.transaction = transaction;
  }

  write<T>(work: (db: WriteDb) => T): Promise<T> {
    return new Promise<T>((done, failed) => {
      if (this.waiting.length === 0) setImmediate(() => this.flush());
      this.waiting.push({ work, done: (value) => done(value as T), failed });
    });
  }

  /** Writes everything that is pending now. */
  flush(): void {
    const group = this.waiting;
    this.waiting = [];
    if (group.length > 1 && this.commitTogether(group)) return;
    for (const entry of group) {
      try {
        entry.done(this.transaction(entry.work));
      } catch (error) {
        entry.failed(error);
      }
    }
  }

  private commitTogether(group: PendingWrite[]): boolean {
    try {
      const values = this.transaction((db) => group.map(({ work }) => work(db)));
      for (const [index, { done }] of group.entries()) done(values[index]);
      return true;
    } catch {
      return false;
    }
  }
}
