/**
 * How many looks all tasks together may take: a few at once, and so many a second over time. With many tasks each is asked less often
 * than its age alone would have it; those that wait longest go first. When there are more than may go, they go in groups: waking up
 * for each of them costs more than asking does.
 */
export class PollPace {
  private tokens = GROUP;
  private filledAt: number | undefined;
  /** Until the next group is complete. */
  private resting = false;

  /** How long until the next look may begin. */
  waitMs(now: number): number {
    this.fill(now);
    this.resting = this.tokens < 1 || (this.resting && this.tokens < GROUP);
    return this.resting ? Math.ceil(((GROUP - this.tokens) * 1_000) / PER_SECOND) : 0;
  }

  /** A look took so many requests. */
  spend(requests: number): void {
    this.tokens -= requests;
  }

  private fill(now: number): void {
    const since = Math.max(0, now - (this.filledAt ?? now));
    this.filledAt = now;
    this.tokens = Math.min(GROUP, this.tokens + (since * PER_SECOND) / 1_000);
  }
}

/** Well below 70 requests in any one second, and below 2 % of a core: a thousand tasks are each looked at every 31 s. */
const PER_SECOND = 32;
const GROUP = 16;
