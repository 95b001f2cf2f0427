import type { LaneKind } from './lanes.ts';

/**
 * Who has to wait because the service asked for it (a 429 and its relatives). What is told about one order holds for all of its kind
 * at that host, whatever profile they belong to; where two kinds are told at once, the host as a whole means it.
 */

export type HoldKind = LaneKind | 'poll';

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
  private readonly held = new Map<string, Map<HoldKind | 'all', Hold>>();
  private readonly random: () => number;

  /** `random` is 0 ≤ x < 1. */
  constructor(random: () => number) {
    this.random = random;
  }

  /** The service asked to wait, with a time or without. `sentAt` tells an order that was under way before the hold from a new try. */
  limited(
    host: string,
    kind: HoldKind,
    told: { now: number; sentAt: number; retryAfterMs?: number | undefined },
  ): void {
    const kinds = this.held.get(host) ?? new Map<HoldKind | 'all', Hold>();
    this.held.set(host, kinds);
    const { now, sentAt, retryAfterMs } = told;
    const known = kinds.get(kind);
    const sameBurst = known !== undefined && sentAt < known.since;
    if (sameBurst && retryAfterMs === undefined) return;
    const times = sameBurst ? known.times : (known?.times ?? 0) + 1;
    const until = Math.max(known?.until ?? 0, now + Math.min(LONGEST_MS, retryAfterMs ?? this.backoff(times)));
    kinds.set(kind, { since: sameBurst ? known.since : now, until, times });
    const others = [...kinds].filter(([other, hold]) => other !== kind && other !== 'all' && hold.until > now);
    if (others.length > 0)
      kinds.set('all', { since: now, times: 1, until: Math.max(until, ...others.map(([, hold]) => hold.until)) });
  }

  /** An order of this kind was taken. */
  worked(host: string, kind: HoldKind, now: number): void {
    const kinds = this.held.get(host);
    if (kinds && (kinds.get(kind)?.until ?? 0) <= now) kinds.delete(kind);
  }

  /** Found again after a restart: nothing goes before its time. */
  restore(host: string, kind: HoldKind, until: number, now: number): void {
    this.limited(host, kind, { now, sentAt: now, retryAfterMs: until - now });
  }

  /** 0 when it may go. */
  waitMs(host: string, kind: HoldKind, now: number): number {
    const kinds = this.held.get(host);
    return Math.max(0, (kinds?.get(kind)?.until ?? 0) - now, (kinds?.get('all')?.until ?? 0) - now);
  }

  /** 1, 2, 4, 8 … s with jitter. */
  private backoff(times: number): number {
    return Math.round(FIRST_MS * 2 ** Math.min(times - 1, 12) * (1 + 0.25 * this.random()));
  }
}
