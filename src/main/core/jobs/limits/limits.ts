import type { ConnectionTest } from '../../../../shared/connection.ts';
import type { StudioEvent } from '../../../../shared/events.ts';
import { laneNamed } from '../../../../shared/kinds/index.ts';
import type { Profile } from '../../../../shared/profile.ts';
import type { OpenedClient } from '../../gateway/index.ts';
import type { Clock, Logger } from '../../ports.ts';
import { steadyTime } from '../../setBack.ts';
import { CircuitBreaker, type CircuitBreakerRules } from './circuitBreaker.ts';
import type { HealthSignal } from './healthSignals.ts';
import type { Hold } from './keptHolds.ts';
import { partsOfLane } from './lanes.ts';
import { RetryAfterHolds } from './retryAfterHolds.ts';
import { SlowStart } from './slowStart.ts';

/**
 * Decides whether a service may be called now. Three things are kept apart: a host that cannot be reached (everything to it waits), a lane
 * or the polls of a profile that keep failing (only they wait), and a waiting time that the service asked for. While something fails, one
 * attempt at a time is made, with growing pauses, until one succeeds. The user is notified once of each change.
 */

export interface LimitsDeps {
  clock: Clock;
  /** 0 ≤ x < 1. */
  random(): number;
  log: Pick<Logger, 'error'>;
  emit(event: StudioEvent): void;
  profiles: {
    get(id: string): Profile | undefined;
    openClient(id: string): Promise<OpenedClient<{ test(): Promise<ConnectionTest> }>>;
  };
}

export interface LimitsHooks {
  /** Something may be sent or polled again. */
  wake(): void;
  /** A host that could not be reached answers again. */
  hostReachable(isOnHost: (profileId: string) => boolean): void;
  /** A host cannot be reached any more. */
  hostUnreachable(): void;
  /** A service asked this lane to wait; undefined once it takes requests again. */
  held(lane: string, hold: Hold | undefined): void;
}

type Notice = Extract<StudioEvent, { type: 'notice' }>;

/** A submission or a poll whose outcome is reported. */
export interface SentRequest {
  profileId: string;
  jobId: string;
  /** By the clock. */
  sentAt: number;
}

/** One request that finds no host is enough: the others would not find it either. */
const OFFLINE: CircuitBreakerRules = { failures: 1, jobs: 1, firstPauseMs: 2_000, longestPauseMs: 60_000 };
const OUTAGE: CircuitBreakerRules = { failures: 5, jobs: 3, firstPauseMs: 2_000, longestPauseMs: 60_000 };
/** Each attempt that may be billed without an answer is another cost in doubt, so there must be few of them in a night. */
const MAX_BILLABLE_PAUSE_MS = 30 * 60_000;
/** After this number of attempts that may be billed, a free health check comes before the next one. */
const BILLABLE_ATTEMPTS = 4;
/** After this number of failed health checks a submission is attempted anyway. */
const MAX_HEALTH_CHECKS = 4;

interface LaneHealth {
  circuit: CircuitBreaker;
  /** The last failure may have been billed. */
  mayBeBilled: boolean;
  healthChecks: number;
  isChecking: boolean;
}

export class Limits {
  private readonly offline = new Map<string, CircuitBreaker>();
  private readonly lanes = new Map<string, LaneHealth>();
  private readonly slowStarts = new Map<string, SlowStart>();
  private readonly holds: RetryAfterHolds;
  /** Origins by base URL, cached because every poll needs one. */
  private readonly origins = new Map<string, string>();
  private readonly timers = new Map<string, () => void>();
  private readonly deps: LimitsDeps;
  /** What every waiting time is counted by; when requests were sent, and until when rows wait, is by the clock. */
  private readonly time: () => number;
  private readonly hooks: LimitsHooks;
  private closed = false;

  constructor(deps: LimitsDeps, hooks: LimitsHooks) {
    this.deps = deps;
    this.time = steadyTime(deps.clock);
    this.hooks = hooks;
    this.holds = new RetryAfterHolds(deps.random);
  }

  /** How long the lane has to wait before its next submission, and the maximum number of submissions then. */
  capacityOf(lane: string): { waitMs: number; max: number } {
    const now = this.time();
    const host = this.hostOf(partsOfLane(lane).profileId);
    const offline = this.offline.get(host);
    const outage = this.lanes.get(lane);
    const slowStarts = [this.slowStarts.get(host), this.slowStarts.get(lane)];
    const waitMs = Math.max(
      offline?.waitMs(now) ?? 0,
      outage?.circuit.waitMs(now) ?? 0,
      this.holds.waitMs(host, lane, now),
      ...slowStarts.map((start) => start?.waitMs(now) ?? 0),
    );
    const isOneByOne = offline?.isOpen || outage?.circuit.isOpen || slowStarts.some((start) => start?.isOn(now));
    if (waitMs === 0 && outage?.mayBeBilled && outage.circuit.failedAttempts >= BILLABLE_ATTEMPTS) {
      this.healthCheck(lane, outage);
      return { waitMs: Infinity, max: 0 };
    }
    return { waitMs, max: isOneByOne ? 1 : Infinity };
  }

  submitStarted(lane: string): void {
    const now = this.time();
    const host = this.hostOf(partsOfLane(lane).profileId);
    this.offline.get(host)?.attemptStarted(now);
    this.lanes.get(lane)?.circuit.attemptStarted(now);
    for (const name of [host, lane]) this.slowStarts.get(name)?.sent(now);
  }

  /** The first poll of a newly accepted task does not wait for polls that fail: it shows whether the service is healthy again. */
  pollWaitMs(profileId: string, isFirst = false): number {
    const now = this.time();
    const host = this.hostOf(profileId);
    return Math.max(
      this.offline.get(host)?.waitMs(now) ?? 0,
      isFirst ? 0 : (this.lanes.get(pollLaneOf(profileId))?.circuit.waitMs(now) ?? 0),
      this.holds.waitMs(host, pollLaneOf(profileId), now),
    );
  }

  pollStarted(profileId: string): void {
    const now = this.time();
    this.offline.get(this.hostOf(profileId))?.attemptStarted(now);
    this.lanes.get(pollLaneOf(profileId))?.circuit.attemptStarted(now);
  }

  pollEnded(request: SentRequest, signal: HealthSignal | undefined): void {
    this.submitEnded(pollLaneOf(request.profileId), request, signal);
  }

  /** Whether the lane's service is failing; meanwhile no job is given up because of its failures. */
  isFailing(lane: string): boolean {
    return this.lanes.get(lane)?.circuit.isOpen ?? false;
  }

  isOffline(profileId: string): boolean {
    return this.offline.get(this.hostOf(profileId))?.isOpen ?? false;
  }

  /** At start, restores the waiting time of a lane, unless another host than its own asked for it. */
  restoreHold(lane: string, { until, host: asking }: Pick<Hold, 'until'> & Partial<Hold>): void {
    const waitMs = until - this.deps.clock.now();
    const host = this.hostOf(partsOfLane(lane).profileId);
    if (waitMs > 0 && (asking ?? host) === host) this.holds.restore(host, lane, waitMs, this.time());
  }

  /** The user has changed the profile, which may have fixed it: it is tried at once. */
  profileChanged(profileId: string): void {
    for (const [name, lane] of this.lanes) if (partsOfLane(name).profileId === profileId) lane.circuit.recordSuccess();
    const host = this.hostOf(profileId);
    if (this.offline.get(host)?.recordSuccess() === 'closed')
      this.hooks.hostReachable((id) => this.hostOf(id) === host);
  }

  close(): void {
    this.closed = true;
    for (const cancel of this.timers.values()) cancel();
  }

  submitEnded(lane: string, request: SentRequest, signal: HealthSignal | undefined): void {
    if (!signal || this.closed) return;
    const { profileId } = request;
    const host = this.hostOf(profileId);
    if (signal.type === 'unreachable') return this.recordUnreachable(host, request);
    this.recordReachable(host, profileId);
    if (signal.type === 'failing') return this.recordFailure(lane, request, signal);
    const now = this.time();
    const sentAt = now - Math.max(0, this.deps.clock.now() - request.sentAt);
    if (signal.type !== 'rateLimited') {
      if (this.holds.accepted(host, lane, { now, sentAt })) this.hooks.held(lane, undefined);
      return this.recordSuccess(lane, profileId);
    }
    this.holds.rateLimited(host, lane, { now, sentAt, ...signal });
    const waitMs = this.holds.waitMs(host, lane, now);
    this.hooks.held(lane, { host, until: this.deps.clock.now() + waitMs });
    this.recordSuccess(lane, profileId);
    this.beginSlowStart(lane, waitMs);
  }

  private recordUnreachable(host: string, { profileId, jobId }: SentRequest): void {
    const circuit = this.offline.get(host) ?? new CircuitBreaker(OFFLINE);
    this.offline.set(host, circuit);
    if (circuit.recordFailure(this.time(), { jobId, failure: 'unreachable' }) === 'opened') {
      const text = 'cannot be reached. What waits goes on by itself when it is back.';
      this.notify('error', profileId, text, { about: `host ${host}` });
      this.hooks.hostUnreachable();
    }
    this.wakeAfterPause(host, circuit, () => this.probe(host, profileId));
  }

  private recordReachable(host: string, profileId: string): void {
    if (this.offline.get(host)?.recordSuccess() !== 'closed') return;
    this.beginSlowStart(host, 0);
    this.notify('info', profileId, 'answers again. What waited goes on.', { about: `host ${host}` });
    this.hooks.hostReachable((id) => this.hostOf(id) === host);
    this.hooks.wake();
  }

  private recordFailure(
    lane: string,
    { profileId, jobId }: SentRequest,
    { failure, mayBeBilled }: { failure: string; mayBeBilled: boolean },
  ): void {
    const health = this.lanes.get(lane) ?? {
      circuit: new CircuitBreaker(OUTAGE),
      mayBeBilled,
      healthChecks: 0,
      isChecking: false,
    };
    this.lanes.set(lane, health);
    health.mayBeBilled = mayBeBilled;
    health.healthChecks = 0;
    const longestPauseMs = mayBeBilled ? MAX_BILLABLE_PAUSE_MS : undefined;
    if (health.circuit.recordFailure(this.time(), { jobId, failure }, longestPauseMs) === 'opened') {
      const text = `fails again and again (${laneText(lane)}). It is tried now and then until it works.`;
      this.notify('error', profileId, text, { about: `lane ${lane}`, lane: partsOfLane(lane) });
    }
    if (health.circuit.isOpen) this.wakeAfterPause(lane, health.circuit, () => undefined);
  }

  private recordSuccess(lane: string, profileId: string): void {
    if (this.lanes.get(lane)?.circuit.recordSuccess() !== 'closed') return;
    this.beginSlowStart(lane, 0);
    this.notify('info', profileId, `works again (${laneText(lane)}).`, { about: `lane ${lane}` });
    this.hooks.wake();
  }

  /** Tests the service without cost, before a submission that may be billed without an answer. */
  private healthCheck(name: string, lane: LaneHealth): void {
    if (lane.isChecking) return;
    lane.isChecking = true;
    const { profileId } = partsOfLane(name);
    lane.circuit.attemptStarted(this.time());
    void this.passesTest(profileId, (step) => step !== 'model').then((isHealthy) => {
      lane.isChecking = false;
      if (this.closed || !lane.circuit.isOpen) return;
      lane.healthChecks += 1;
      if (isHealthy || lane.healthChecks > MAX_HEALTH_CHECKS) {
        lane.mayBeBilled = false;
        lane.healthChecks = 0;
        lane.circuit.endPause();
      } else lane.circuit.recordFailedProbe(this.time(), MAX_BILLABLE_PAUSE_MS);
      this.wakeAfterPause(name, lane.circuit, () => undefined);
    });
  }

  /** Tests the connection of a host for which nothing waits, since no job would find out that it is reachable again. */
  private probe(host: string, profileId: string): void {
    const circuit = this.offline.get(host);
    if (!circuit?.isOpen) return;
    if (circuit.waitMs(this.time()) > 0) return this.wakeAfterPause(host, circuit, () => this.probe(host, profileId));
    circuit.attemptStarted(this.time());
    void this.passesTest(profileId, (step) => CONNECTION_STEPS.has(step)).then((isReachable) => {
      if (this.closed || !circuit.isOpen) return;
      if (isReachable) this.recordReachable(host, profileId);
      else this.recordUnreachable(host, { profileId, jobId: 'probe', sentAt: this.deps.clock.now() });
    });
  }

  private async passesTest(profileId: string, counts: (step: string) => boolean): Promise<boolean> {
    try {
      const opened = await this.deps.profiles.openClient(profileId);
      if (opened.status !== 'ready') return false;
      return (await opened.client.test()).steps.every(({ name, ok }) => ok || !counts(name));
    } catch (error) {
      this.deps.log.error({ profile: profileId, error: String(error) }, 'a service could not be tested');
      return false;
    }
  }

  /** Wakes the scheduler and the poller at the end of a pause, and calls `otherwise` if neither has used the attempt shortly after. */
  private wakeAfterPause(name: string, circuit: CircuitBreaker, otherwise: () => void): void {
    this.timers.get(name)?.();
    const { clock } = this.deps;
    const check = (): void => {
      const waitMs = circuit.waitMs(this.time());
      if (!circuit.isOpen) return void this.timers.delete(name);
      if (waitMs > 0) return void this.timers.set(name, clock.after(waitMs, check));
      this.hooks.wake();
      this.timers.set(name, clock.after(PROBE_DELAY_MS, otherwise));
    };
    check();
  }

  private beginSlowStart(hostOrLane: string, inMs: number): void {
    const start = this.slowStarts.get(hostOrLane) ?? new SlowStart();
    this.slowStarts.set(hostOrLane, start);
    start.begin(this.time() + inMs);
  }

  private notify(
    level: 'info' | 'error',
    profileId: string,
    predicate: string,
    about: Pick<Notice, 'about' | 'lane'>,
  ): void {
    const name = this.deps.profiles.get(profileId)?.name ?? 'The gateway';
    this.deps.emit({ type: 'notice', level, text: `${name} ${predicate}`, ...about });
  }

  /** The origin that a profile calls. Profiles of one service share what is known about it. */
  private hostOf(profileId: string): string {
    const baseUrl = this.deps.profiles.get(profileId)?.baseUrl;
    if (baseUrl === undefined) return profileId;
    const known = this.origins.get(baseUrl) ?? URL.parse(baseUrl)?.origin ?? profileId;
    this.origins.set(baseUrl, known);
    return known;
  }
}

const PROBE_DELAY_MS = 500;
const CONNECTION_STEPS: ReadonlySet<string> = new Set(['dns', 'connect', 'tls']);
/** The polls of each profile have a lane of their own. */
const POLL_LANE = 'poll';
const pollLaneOf = (profileId: string): string => `${POLL_LANE}:${profileId}`;

function laneText(lane: string): string {
  const { kind } = partsOfLane(lane);
  return kind === POLL_LANE ? 'polling tasks' : (laneNamed(kind)?.words ?? 'orders');
}
