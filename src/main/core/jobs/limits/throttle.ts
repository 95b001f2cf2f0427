import type { ChatOutcome, GatewayError, PollOutcome, SubmitOutcome } from '../../gateway/index.ts';
import { askedWait, exponentialBackoff } from '../sending/backoff.ts';

/**
 * When the next request to a host, in a lane, or for the tasks of a profile may start. It waits while the service fails, for as long as
 * the service asked, and for its turn after either. All times are in milliseconds, given by the caller, and never go back.
 */

export interface GateRules {
  /** It counts as failing after this number of consecutive failures of one type … */
  failures: number;
  /** … if they come from at least this many jobs: one job that keeps failing says nothing about the others. */
  jobs: number;
}

export interface Failure {
  jobId: string;
  /** Failures of different types say something about the requests, not about the service. */
  failure: string;
  /** The service may have taken the request, so another attempt puts money at risk. */
  mayBeBilled?: boolean;
}

/** While it fails one attempt at a time is made, with growing pauses, until one succeeds. */
interface Failing {
  until: number;
  failedAttempts: number;
  attemptAt?: number;
  mayBeBilled: boolean;
  /** Free checks since the last attempt. */
  checks: number;
}

/** A waiting time that the service asked for (HTTP 429 and similar). */
interface AskedWait {
  since: number;
  until: number;
  /** Consecutive requests to wait, without an accepted request between them. */
  times: number;
}

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
/** Each attempt that may be billed without an answer adds an unconfirmed cost, so there must be few of them in one night. */
const LONGEST_BILLABLE_PAUSE_MS = 30 * 60_000;
/** An attempt that takes longer than this has at least reached the service: another one may begin. */
const MAX_ATTEMPT_MS = 30_000;
/** After this number of attempts that may be billed, a free check comes before the next one. */
const BILLABLE_ATTEMPTS = 4;
/** After this number of failed checks a request is attempted anyway. */
const MAX_CHECKS = 5;
const FIRST_GAP_MS = 100;
const MIN_GAP_MS = 2;
const MINUTE_MS = 60_000;

export class Throttle {
  wait: AskedWait | undefined;
  private failing: Failing | undefined;
  private streak = { failure: '', times: 0, jobs: new Set<string>() };
  private spreadFrom = -Infinity;
  private readonly rules: GateRules;
  /** When the requests of the last minute were sent. */
  private readonly sent: number[];

  constructor(rules: GateRules, sent: number[] = []) {
    this.rules = rules;
    this.sent = sent;
  }

  get isFailing(): boolean {
    return this.failing !== undefined;
  }

  /** The time until the next trial request to a failing service. */
  failingMs(now: number): number {
    if (!this.failing) return 0;
    const { until, attemptAt = -Infinity } = this.failing;
    return Math.max(0, until - now, attemptAt + MAX_ATTEMPT_MS - now);
  }

  /** A sliding window over the last minute, so that the limit holds however unevenly requests are spread. */
  minuteMs(now: number, perMinute: number): number {
    this.forget(now);
    const oldest = this.sent[this.sent.length - perMinute];
    return oldest === undefined ? 0 : oldest + MINUTE_MS - now;
  }

  /** After a pause requests are sent one by one, twice as fast every second, so that a backlog does not overload the service at once. */
  isSpread(now: number): boolean {
    return this.gapMs(now) >= MIN_GAP_MS;
  }

  spreadMs(now: number): number {
    const last = this.sent.at(-1) ?? -Infinity;
    return this.isSpread(now) && last >= this.spreadFrom ? Math.max(0, last + Math.ceil(this.gapMs(now)) - now) : 0;
  }

  /** Records a trial that shows whether the service works again: a request, a poll or a free check. */
  attempted(now: number): void {
    if (this.failing) this.failing.attemptAt = now;
  }

  started(now: number): void {
    this.attempted(now);
    this.forget(now);
    this.sent.push(now);
  }

  /** Returns whether the service starts to count as failing now. */
  failed(now: number, { jobId, failure, mayBeBilled = false }: Failure): boolean {
    const isOtherType = failure !== this.streak.failure;
    if (isOtherType) this.streak = { failure, times: 0, jobs: new Set() };
    if (this.failing) {
      // A request that was sent before the trial says nothing new.
      const failedAttempts = isOtherType ? 0 : this.failing.failedAttempts + 1;
      if (this.failing.attemptAt !== undefined) this.pause(now, { failedAttempts, mayBeBilled, checks: 0 });
      else Object.assign(this.failing, { mayBeBilled, checks: 0 });
      return false;
    }
    this.streak.times += 1;
    this.streak.jobs.add(jobId);
    if (this.streak.times < this.rules.failures || this.streak.jobs.size < this.rules.jobs) return false;
    this.pause(now, { failedAttempts: 0, mayBeBilled, checks: 0 });
    return true;
  }

  /** Returns whether the service was failing until now. */
  succeeded(now: number): boolean {
    const { isFailing } = this;
    this.failing = undefined;
    this.streak.times = 0;
    this.streak.jobs.clear();
    if (isFailing) this.spread(now);
    return isFailing;
  }

  /** Whether a free check of the service comes before the next attempt. */
  get needsCheck(): boolean {
    const { mayBeBilled, failedAttempts, checks } = this.failing ?? NOT_FAILING;
    return mayBeBilled && failedAttempts >= BILLABLE_ATTEMPTS && checks < MAX_CHECKS;
  }

  checked(now: number, isWell: boolean): void {
    if (!this.failing) return;
    const { failedAttempts, mayBeBilled } = this.failing;
    const checks = isWell ? MAX_CHECKS : this.failing.checks + 1;
    if (checks < MAX_CHECKS) this.pause(now, { failedAttempts: failedAttempts + 1, mayBeBilled, checks });
    else this.failing = { until: now, failedAttempts, mayBeBilled, checks };
  }

  /** The service asked to wait, with a time or without. */
  asked(now: number, { sentAt, retryAfterMs }: { sentAt: number; retryAfterMs?: number }, random: () => number): void {
    const asked = askedWait(retryAfterMs);
    // A request that was sent before this wait began belongs to the same burst; a trial was sent after it.
    const burst = this.wait && sentAt < this.wait.since ? this.wait : undefined;
    if (burst && asked === undefined) return;
    const times = burst?.times ?? (this.wait?.times ?? 0) + 1;
    const until = now + (asked ?? exponentialBackoff(times, random));
    // The newest answer counts. A job with a longer delay of its own keeps it in its row.
    this.wait = burst ? { ...burst, until: Math.max(burst.until, until) } : { since: now, until, times };
    this.spread(this.wait.until);
  }

  waitUntil(until: number, now: number): void {
    this.wait = { since: now, until, times: 1 };
  }

  /** Returns whether an accepted request ends the wait: it was sent after the wait began, so the service accepts requests again. */
  accepted(now: number, sentAt: number): boolean {
    const isOver = this.wait !== undefined && (this.wait.until <= now || sentAt > this.wait.since);
    if (!isOver) return false;
    this.wait = undefined;
    this.spreadFrom = Math.min(this.spreadFrom, now);
    return true;
  }

  spread(from: number): void {
    this.spreadFrom = from;
  }

  private pause(now: number, { failedAttempts, mayBeBilled, checks }: Omit<Failing, 'until' | 'attemptAt'>): void {
    const longestMs = mayBeBilled ? LONGEST_BILLABLE_PAUSE_MS : LONGEST_PAUSE_MS;
    const pauseMs = Math.min(longestMs, FIRST_PAUSE_MS * 2 ** Math.min(failedAttempts, 20));
    this.failing = { until: now + pauseMs, failedAttempts, mayBeBilled, checks };
  }

  private gapMs(now: number): number {
    return FIRST_GAP_MS / 2 ** (Math.max(0, now - this.spreadFrom) / 1_000);
  }

  private forget(now: number): void {
    while (this.sent[0] !== undefined && this.sent[0] <= now - MINUTE_MS) this.sent.shift();
  }
}

const NOT_FAILING = { mayBeBilled: false, failedAttempts: 0, checks: 0 };

/** The meaning of an outcome for the service as a whole. An outcome that concerns only its own job gives no signal. */
export type HealthSignal =
  /** The service answers normally; a definite refusal and a broken stream are answers too. */
  | { type: 'healthy' }
  /** No connection was established, so no request was accepted. */
  | { type: 'unreachable' }
  /**
   * 5xx, a timeout or a lost connection; `failure` names which. `mayBeBilled`: the service may have accepted the request, so another
   * attempt puts money at risk.
   */
  | { type: 'failing'; failure: string; mayBeBilled: boolean }
  /** The service asks to slow down. */
  | { type: 'rateLimited'; retryAfterMs?: number };

export function signalOf(outcome: SubmitOutcome | ChatOutcome | PollOutcome): HealthSignal | undefined {
  if (outcome.type !== 'refused' && outcome.type !== 'unknown' && outcome.type !== 'unreachable')
    return { type: 'healthy' };
  const { error } = outcome;
  const isPoll = outcome.type === 'unreachable';
  if (asksToWait(error) && (isPoll || error.accepted === 'no')) {
    const { retryAfterMs } = error;
    return { type: 'rateLimited', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
  const signal = signalOfError(error);
  return isPoll && signal?.type === 'failing' ? { ...signal, mayBeBilled: false } : signal;
}

function signalOfError(error: GatewayError): HealthSignal | undefined {
  const { kind, status, accepted } = error;
  const isConnectionError = kind === 'network' || kind === 'timeout';
  if (status === undefined) {
    if (!isConnectionError) return undefined;
    return accepted === 'no' ? { type: 'unreachable' } : { type: 'failing', failure: kind, mayBeBilled: true };
  }
  // A captive portal or a proxy that answers every request would answer the next one too.
  if (error.wrongAddress && accepted === 'unknown') return { type: 'failing', failure: `${status}`, mayBeBilled: true };
  const isServiceError = isConnectionError || kind === 'server';
  // An unreadable 2xx of a broken gateway is no better than a 5xx, nor is a 404 that means that it has no capacity now.
  if (isServiceError && (status >= 500 || accepted === 'unknown' || (accepted === 'no' && error.retryable)))
    return { type: 'failing', failure: `${status}`, mayBeBilled: accepted !== 'no' };
  return { type: 'healthy' };
}

export const asksToWait = (error: GatewayError): boolean =>
  error.kind === 'rate_limit' || error.retryAfterMs !== undefined;
