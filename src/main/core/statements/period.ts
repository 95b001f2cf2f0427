import type { BillLine } from './readBill.ts';
import { DAY_MS, MINUTE_MS } from './times.ts';
import { addUnread, togetherOf, type UnreadTimes } from './unread.ts';

/** How far a text goes, whatever period of it is compared, and when rows of it are that could not be read. */
export interface Reach {
  first: number;
  last: number;
  unread?: UnreadTimes;
}

export function reachOf(lines: readonly BillLine[]): Pick<Reach, 'first' | 'last'> {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { at, spanMs } of lines) {
    first = Math.min(first, at);
    last = Math.max(last, at + spanMs);
  }
  return { first, last };
}

/** With when lines are that are not in a period and reach into it: they may be of what was sent then. */
export function withReaching(unread: UnreadTimes, lines: readonly BillLine[], { from }: { from: number }): UnreadTimes {
  const times: UnreadTimes = { nameless: [...unread.nameless], named: [...unread.named] };
  for (const { at, spanMs, remoteId, requestKey } of lines)
    if (at < from && at + spanMs > from) addUnread(times, remoteId + requestKey !== '', { at, spanMs });
  return togetherOf(times);
}

/** What was asked for; without it, whole days from the first line of the bill to its last, in the zone that its times state or else UTC. */
export function periodOf(
  lines: readonly BillLine[],
  {
    from,
    to,
    zoneMinutes = 0,
  }: { from?: number | undefined; to?: number | undefined; zoneMinutes?: number | undefined },
): { from: number; to: number } {
  const zone = zoneMinutes * MINUTE_MS;
  const startOfDay = (at: number): number => Math.floor((at + zone) / DAY_MS) * DAY_MS - zone;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { at, spanMs } of lines) {
    first = Math.min(first, at);
    // One that ran over midnight is of the day that it began on.
    last = Math.max(last, spanMs < DAY_MS ? at : at + spanMs - 1);
  }
  return { from: from ?? startOfDay(first), to: to ?? startOfDay(last) + DAY_MS };
}
