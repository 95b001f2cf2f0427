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
