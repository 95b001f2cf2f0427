import type { WriteDb } from './handles.ts';

interface Entry {
  work: (db: WriteDb) => unknown;
  done: (value: unknown) => void;
  failed: (error: unknown) => void;
}

/**
 * Answers that come in the same turn of the event loop share one commit, and so one fsync; each caller goes on when it is on disk.
 * Where one of them throws, nothing of the group is kept and each is written by itself, so that a fault is its own caller's alone.
 * A work may therefore run twice: it must do nothing but read and write through its handle.
 */
export class GroupCommit {
  private waiting: Entry[] = [];
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

  /** What still waits is written now. */
  flush(): void {
    const group = this.waiting;
    this.waiting = [];
    if (group.length > 1 && this.together(group)) return;
    for (const entry of group) {
      try {
        entry.done(this.transaction(entry.work));
      } catch (error) {
        entry.failed(error);
      }
    }
  }

  private together(group: Entry[]): boolean {
    try {
      const values = this.transaction((db) => group.map(({ work }) => work(db)));
      for (const [index, { done }] of group.entries()) done(values[index]);
      return true;
    } catch {
      return false;
    }
  }
}
