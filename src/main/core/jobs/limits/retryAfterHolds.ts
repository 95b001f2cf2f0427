import { MAX_RETRY_AFTER_MS } from '../../gateway/index.ts';
import { askedWait, exponentialBackoff } from '../backoff.ts';
import { partsOfLane } from './lanes.ts';

/**
 * Waiting times that services asked for (HTTP 429 and similar). A request to wait applies to the whole lane of the job that received it.
 * If two lanes of a profile receive one at the same time, the service means all requests, so every profile of that host waits.
 */

interface Hold {
  since: number;
  until: number;
  /** Consecutive requests to wait, without an accepted request between them. */
  times: number;
}

export class RetryAfterHolds {
  private readonly holds = new Map<string, Map<string, Hold>>();
  private readonly random: () => number;

  /** `random` is 0 ≤ x < 1. */
  constructor(random: () => number) {
    this.random = random;
  }

  /**
   * The service asked to wait, with a time or without. `sentAt` distinguishes a request that was sent before the hold began from a new
   * attempt.
   */
  rateLimited(
    host: string,
    lane: string,
    answer: { now: number; sentAt: number; retryAfterMs?: number | undefined },
  ): void {
    const lanes = this.holds.get(host) ?? new Map<string, Hold>();
    this.holds.set(host, lanes);
    const { now, sentAt } = answer;
    const asked = askedWait(answer.retryAfterMs);
    const known = lanes.get(lane);
    const isSameBurst = known !== undefined && sentAt < known.since;
    if (isSameBurst && asked === undefined) return;
    const times = isSameBurst ? known.times : (known?.times ?? 0) + 1;
    const end = now + (asked ?? exponentialBackoff(times, this.random));
    // A newer answer replaces an older one. A job that was given a longer time keeps that time in its own row.
    const until = isSameBurst ? Math.max(known.until, end) : end;
    this.hold(lanes, lane, { since: isSameBurst ? known.since : now, until, times }, now);
  }

  private hold(lanes: Map<string, Hold>, lane: string, hold: Hold, now: number): void {
    lanes.set(lane, hold);
    const others = [...lanes].filter(
      ([other, { until }]) => other !== lane && isOfSameProfile(other, lane) && until > now,
    );
    if (others.length > 0)
      lanes.set(WHOLE_HOST, {
        since: now,
        times: 1,
        until: Math.max(hold.until, ...others.map(([, { until }]) => until)),
      });
  }

  /**
   * A request of this lane was accepted. If it was sent after the hold began, the service accepts requests again. Returns whether that ends
   * the lane's own hold.
   */
  accepted(host: string, lane: string, { now, sentAt }: { now: number; sentAt: number }): boolean {
    const lanes = this.holds.get(host);
    const ended = [lane, WHOLE_HOST].filter((name) => {
      const hold = lanes?.get(name);
      return hold !== undefined && (hold.until <= now || sentAt > hold.since);
    });
    for (const name of ended) lanes?.delete(name);
    return ended.includes(lane);
  }

  /** Restores a hold after a restart, so that nothing is sent before its time. */
  restore(host: string, lane: string, waitMs: number, now: number): void {
    const lanes = this.holds.get(host) ?? new Map<string, Hold>();
    this.holds.set(host, lanes);
    const until = Math.max(lanes.get(lane)?.until ?? 0, now + Math.min(MAX_RETRY_AFTER_MS, waitMs));
    // Each job that waits for the same answer restores it: together they are no more than one request to wait.
    this.hold(lanes, lane, { since: now, until, times: 1 }, now);
  }

  /** 0 if the lane may send. */
  waitMs(host: string, lane: string, now: number): number {
    const own = this.holds.get(host)?.get(lane);
    const all = this.holds.get(host)?.get(WHOLE_HOST);
    // If the lane's own hold is newer than the host's, only that one applies.
    const binding = own && all && own.since >= all.since ? [own] : [own, all];
    return Math.max(0, ...binding.map((hold) => (hold?.until ?? 0) - now));
  }
}

const WHOLE_HOST = '';
const isOfSameProfile = (one: string, other: string): boolean =>
  one !== WHOLE_HOST && partsOfLane(one).profileId === partsOfLane(other).profileId;
