import { partsOfLane } from './lanes.ts';

/**
 * Who has to wait because the service asked for it (a 429 and its relatives). What is told about one order holds for its whole lane;
 * where two lanes of a profile are told at once, the host as a whole means it, and all profiles there wait.
 */

interface Hold {
  since: number;
  until: number;
  /** Told so many times in a row, without anything taken in between. */
  times: number;
}

/** No service is believed for longer (WIRE "Time"). */
const LONGEST_MS = 300_000;
const FIRST_MS = 1_000;

export class Holds {
  private readonly held = new Map<string, Map<string, Hold>>();
  private readonly random: () => number;

  /** `random` is 0 ≤ x < 1. */
  constructor(random: () => number) {
    this.random = random;
  }

  /** The service asked to wait, with a time or without. `sentAt` tells an order that was under way before the hold from a new try. */
  limited(host: string, lane: string, told: { now: number; sentAt: number; retryAfterMs?: number | undefined }): void {
    const lanes = this.held.get(host) ?? new Map<string, Hold>();
    this.held.set(host, lanes);
    const { now, sentAt, retryAfterMs } = told;
    const known = lanes.get(lane);
    const sameBurst = known !== undefined && sentAt < known.since;
    if (sameBurst && retryAfterMs === undefined) return;
    const times = sameBurst ? known.times : (known?.times ?? 0) + 1;
    const asked = now + Math.min(LONGEST_MS, retryAfterMs ?? this.backoff(times));
    // What a newer try is told replaces what was told before; whoever was told to wait longer has that time on itself.
    const until = sameBurst ? Math.max(known.until, asked) : asked;
    lanes.set(lane, { since: sameBurst ? known.since : now, until, times });
    const others = [...lanes].filter(
      ([other, hold]) => other !== lane && isOfSameProfile(other, lane) && hold.until > now,
    );
    if (others.length > 0)
      lanes.set(ALL, { since: now, times: 1, until: Math.max(until, ...others.map(([, hold]) => hold.until)) });
  }

  /** An order of this lane was taken. One that was sent since the service asked to wait shows that it takes orders again. */
  worked(host: string, lane: string, { now, sentAt }: { now: number; sentAt: number }): void {
    const lanes = this.held.get(host);
    for (const name of [lane, ALL]) {
      const hold = lanes?.get(name);
      if (hold && (hold.until <= now || sentAt > hold.since)) lanes?.delete(name);
    }
  }

  /** Found again after a restart: nothing goes before its time. */
  restore(host: string, lane: string, until: number, now: number): void {
    const known = this.held.get(host)?.get(lane)?.until ?? 0;
    this.limited(host, lane, { now, sentAt: now, retryAfterMs: Math.max(known, until) - now });
  }

  /** 0 when it may go. */
  waitMs(host: string, lane: string, now: number): number {
    const own = this.held.get(host)?.get(lane);
    const all = this.held.get(host)?.get(ALL);
    // A lane that was told something of its own since waits for that alone.
    const binding = own && all && own.since >= all.since ? [own] : [own, all];
    return Math.max(0, ...binding.map((hold) => (hold?.until ?? 0) - now));
  }

  /** 1, 2, 4, 8 … s with jitter. */
  private backoff(times: number): number {
    return Math.round(FIRST_MS * 2 ** Math.min(times - 1, 12) * (1 + 0.25 * this.random()));
  }
}

const ALL = '';
const isOfSameProfile = (one: string, other: string): boolean =>
  one !== ALL && partsOfLane(one).profileId === partsOfLane(other).profileId;
