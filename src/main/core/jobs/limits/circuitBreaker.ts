/**
 * A circuit breaker: after consecutive failures of one type only one attempt at a time is allowed, with growing pauses between them,
 * until one succeeds. Failures of different types say something about the requests, not about the service. All times are in milliseconds,
 * given by the caller.
 */

export interface CircuitBreakerRules {
  /** The number of consecutive failures that opens it … */
  failures: number;
  /** … if they come from at least this many jobs: one job that keeps failing says nothing about the others. */
  jobs: number;
  firstPauseMs: number;
  /** The pause doubles up to this. */
  longestPauseMs: number;
}

export class CircuitBreaker {
  private lastFailureType: string | undefined;
  private consecutiveFailures = 0;
  private failedJobs = new Set<string>();
  private open: { until: number; failedAttempts: number; attemptStartedAt?: number } | undefined;
  private readonly rules: CircuitBreakerRules;

  constructor(rules: CircuitBreakerRules) {
    this.rules = rules;
  }

  get isOpen(): boolean {
    return this.open !== undefined;
  }

  /** The time until an attempt is allowed: 0 while closed; while open, one attempt at a time. */
  waitMs(now: number): number {
    if (!this.open) return 0;
    const { until, attemptStartedAt } = this.open;
    const attemptEnds = attemptStartedAt === undefined ? 0 : attemptStartedAt + MAX_ATTEMPT_MS;
    return Math.max(0, until - now, attemptEnds - now);
  }

  attemptStarted(now: number): void {
    if (this.open) this.open.attemptStartedAt = now;
  }

  /** The number of consecutive attempts that failed while it was open. */
  get failedAttempts(): number {
    return this.open?.failedAttempts ?? 0;
  }

  /** Ends the pause before its time. */
  endPause(): void {
    if (this.open) this.open = { failedAttempts: this.open.failedAttempts, until: 0 };
  }

  /** Returns `opened` if this failure opens it. `longestPauseMs` replaces the one of the rules. */
  recordFailure(
    now: number,
    { jobId, failure }: { jobId: string; failure: string },
    longestPauseMs = this.rules.longestPauseMs,
  ): 'opened' | undefined {
    const isOtherType = failure !== this.lastFailureType;
    this.lastFailureType = failure;
    if (this.open) {
      // The failure of a request that was sent before it opened is no news.
      if (this.open.attemptStartedAt !== undefined)
        this.pause(now, isOtherType ? 0 : this.open.failedAttempts + 1, longestPauseMs);
      return undefined;
    }
    if (isOtherType) this.resetFailures();
    this.consecutiveFailures += 1;
    this.failedJobs.add(jobId);
    if (this.consecutiveFailures < this.rules.failures || this.failedJobs.size < this.rules.jobs) return undefined;
    this.pause(now, 0, longestPauseMs);
    return 'opened';
  }

  /** The allowed attempt has failed, whatever the type of failure. */
  recordFailedProbe(now: number, longestPauseMs: number): void {
    if (this.open) this.pause(now, this.open.failedAttempts + 1, longestPauseMs);
  }

  /** Returns `closed` if this success closes it. */
  recordSuccess(): 'closed' | undefined {
    const change = this.open ? 'closed' : undefined;
    this.open = undefined;
    this.resetFailures();
    return change;
  }

  private resetFailures(): void {
    this.consecutiveFailures = 0;
    this.failedJobs.clear();
  }

  private pause(now: number, failedAttempts: number, longestMs: number): void {
    const pauseMs = Math.min(longestMs, this.rules.firstPauseMs * 2 ** Math.min(failedAttempts, 20));
    this.open = { failedAttempts, until: now + pauseMs };
  }
}

/** An attempt that takes longer than this has at least reached the service: another one may begin. */
const MAX_ATTEMPT_MS = 30_000;
