import Database from 'better-sqlite3';
import { onTestFinished, vi } from 'vitest';

/** After this many commits, every database of this process is out of room, until the mocks are restored or the test ends. */
export function fullAfter(commits: number): void {
  const begin = Database.prototype.transaction;
  let left = commits;
  onTestFinished(() => void vi.restoreAllMocks());
  vi.spyOn(Database.prototype, 'transaction').mockImplementation(function (this: Database.Database, work) {
    const real = begin.call(this, work);
    const immediate = () => {
      if (left-- <= 0) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
      return real.immediate();
    };
    return Object.assign(() => real(), { immediate, deferred: () => real.deferred() }) as never;
  });
}
