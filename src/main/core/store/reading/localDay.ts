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
      end = new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime();
      start = day.setHours(0, 0, 0, 0);
    }
    return start;
  });
}

const DAY_MS = 86_400_000;
/** Years before this one in which days are computed by SQLite itself. */
const YEARS = 5;

/** By zone: in one zone they stay the same for as long as the program runs. */
const known = new Map<string, string>();

/**
 * `local_day(time)` as an expression that needs the function for the oldest times alone: to call it for each of a hundred thousand rows takes
 * longer than all else that a count by days does.
 */
export function localDayOf(time: string): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const computed = known.get(timeZone) ?? computedDays();
  known.set(timeZone, computed);
  return computed.replaceAll('$time', time);
}

/** Days are of equal length but where the clocks are changed; the newest are asked for first, as there are most of them. */
function computedDays(): string {
  const year = new Date().getFullYear();
  const first = new Date(year - YEARS, 0, 1).getTime();
  const end = new Date(year + 2, 0, 1).getTime();
  const runs: { from: number; isEqual: boolean }[] = [];
  let from = first;
  for (let day = 2; from < end; day++) {
    const next = new Date(year - YEARS, 0, day).getTime();
    const isEqual = next - from === DAY_MS;
    if (!isEqual || runs.at(-1)?.isEqual !== true) runs.push({ from, isEqual });
    from = next;
  }
  const branches = runs.reverse().map(({ from: start, isEqual }) => {
    const day = isEqual ? `$time - ($time - ${start}) % ${DAY_MS}` : `${start}`;
    return `WHEN $time >= ${start} THEN ${day}`;
  });
  return `CASE WHEN $time >= ${end} THEN local_day($time) ${branches.join(' ')} ELSE local_day($time) END`;
}
