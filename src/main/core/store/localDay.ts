import type Database from 'better-sqlite3';

/** `local_day(time)`: when the local day of a time begins, both in ms since 1970. SQLite's own is slower, and in seconds. */
export function addLocalDay(connection: Database.Database): void {
  // Times that come one after the other are mostly of one day.
  let start = 0;
  let end = 0;
  connection.function('local_day', (time: unknown) => {
    const at = Number(time);
    if (at < start || at >= end) {
      const day = new Date(at);
      start = day.setHours(0, 0, 0, 0);
      end = day.setDate(day.getDate() + 1);
    }
    return start;
  });
}
