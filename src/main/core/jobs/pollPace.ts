/**
 * How many looks all tasks together may take: a few at once after a pause, and so many a second over time. With many tasks each is
 * asked less often than its age alone would have it; those that wait longest go first.
 */
export class PollPace {
  private tokens = BURST;
  private filledAt: number | undefined;

  /** How long until the next look may begin. */
  waitMs(now: number): number {
    this.fill(now);
    return this.tokens >= 1 ? 0 : Math.ceil(((1 - this.tokens) * 1_000) / PER_SECOND);
  }

  /** A look took so many requests. */
  spend(requests: number): void {
    this.tokens -= requests;
  }

  private fill(now: number): void {
    const since = Math.max(0, now - (this.filledAt ?? now));
    this.filledAt = now;
    this.tokens = Math.min(BURST, this.tokens + (since * PER_SECOND) / 1_000);
  }
}

/** Together no more than 70 requests in any one second. */
const PER_SECOND = 60;
const BURST = 8;
