/** Infinity if there is none. */
export function earliestOf(...all: readonly ReadonlyMap<string, number>[]): number {
  let earliest = Infinity;
  for (const times of all) for (const at of times.values()) earliest = Math.min(earliest, at);
  return earliest;
}

/** A host that cannot be reached is tried once a minute; only a pause that the service asked for is longer, and it counts for less. */
const LONGEST_GAP_MS = 120_000;

/**
 * Measures the time spent polling, in ms: it grows only while it is read regularly. Time during which the machine was suspended, or that a
 * clock change skipped, does not count. `time` never goes back.
 */
export function activePollingTime(time: () => number): () => number {
  let last = time();
  let asked = 0;
  return () => {
    const now = time();
    asked += Math.min(now - last, LONGEST_GAP_MS);
    last = now;
    return asked;
  };
}

/**
 * Limits the polls of all tasks together (a token bucket). With many tasks each one is polled less often than its age alone would require;
 * those that wait longest go first. When polls have to wait, they go in groups, since a timer for each costs more than the poll itself.
 */
export class PollRateLimiter {
  private tokens = GROUP;
  private filledAt: number | undefined;
  /** True until the tokens of a whole group are available. */
  private isRefilling = false;

  /** How long until the next poll may begin. */
  waitMs(now: number): number {
    this.refill(now);
    this.isRefilling = this.tokens < 1 || (this.isRefilling && this.tokens < GROUP);
    return this.isRefilling ? Math.ceil(((GROUP - this.tokens) * 1_000) / PER_SECOND) : 0;
  }

  /** A poll took this number of requests. */
  spend(requests: number): void {
    this.tokens -= requests;
  }

  private refill(now: number): void {
    const since = Math.max(0, now - (this.filledAt ?? now));
    this.filledAt = now;
    this.tokens = Math.min(GROUP, this.tokens + (since * PER_SECOND) / 1_000);
  }
}

/** Stays well below 70 requests in any one second, and below 2 % of a core: each of a thousand tasks is polled every 31 s. */
const PER_SECOND = 32;
const GROUP = 16;
