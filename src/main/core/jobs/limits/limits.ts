import type { StudioEvent } from '../../../../shared/contract/events.ts';
import type { ConnectionTest } from '../../../../shared/gateway/connection.ts';
import type { Profile } from '../../../../shared/gateway/profile.ts';
import { laneNamed } from '../../../../shared/kinds/index.ts';
import { t } from '../../../../shared/text/texts.ts';
import { monotonicTime } from '../../clockWatch.ts';
import type { OpenedClient } from '../../gateway/index.ts';
import type { Clock, Logger } from '../../ports.ts';
import { deleteFlag, flagsWithPrefix, type Store, writeFlag } from '../../store/index.ts';
import * as statements from '../queries/jobSql.ts';
import { isResendLater } from '../sending/backoff.ts';
import { limitsOfLane, partsOfLane } from './lanes.ts';
import { type Failure, type GateRules, type HealthSignal, Throttle } from './throttle.ts';

/**
 * The gates of all hosts and lanes: whether a service may be called now. A request passes two gates. That of its host closes if the host
 * cannot be reached, or asks several lanes to wait. The other is that of its lane, or of the polls of its profile. The user is notified
 * once of each change.
 */

export interface LimitsDeps {
  store: Pick<Store, 'read' | 'transaction'>;
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
}

/** When the next request of a lane may start, why not now, and how many may start then. */
export interface Next {
  waitMs: number;
  why?: Why;
  max: number;
}
type Why = 'perMinute' | 'unreachable' | 'failing' | 'asked' | 'spread' | 'checked';

/** A request or a poll whose outcome is reported. */
export interface SentRequest {
  jobId: string;
  /** By the clock. */
  sentAt: number;
}

interface Gates {
  own: Throttle;
  host: Throttle;
}

/** One request that cannot reach the host is enough, because the others could not either. */
const OF_HOST: GateRules = { failures: 1, jobs: 1 };
const OF_LANE: GateRules = { failures: 5, jobs: 3 };
/** After a pause, a host without any call for this long is tested: otherwise nothing would notice that it is reachable again. */
const PROBE_DELAY_MS = 500;
const MINUTE_MS = 60_000;
const CONNECTION_STEPS: ReadonlySet<string> = new Set(['dns', 'connect', 'tls']);
/**
 * Prefix of the stored waits that services asked for. They are stored apart from jobs, because the refused job may be canceled or retried.
 */
const WAIT = 'hold:';

/** The polls of each profile have a lane of their own. */
const POLL_LANE = 'poll';
export const pollLaneOf = (profileId: string): string => `${POLL_LANE}:${profileId}`;

export class Limits {
  private readonly hosts = new Map<string, Throttle>();
  private readonly lanes = new Map<string, Gates>();
  /** Origins by base URL, cached because every poll needs one. */
  private readonly origins = new Map<string, string>();
  private readonly timers = new Map<Throttle, () => void>();
  private readonly deps: LimitsDeps;
  /** The clock for waits; it never goes back. Times in rows use the normal clock. */
  private readonly time: () => number;
  private readonly hooks: LimitsHooks;
  private closed = false;

  constructor(deps: LimitsDeps, hooks: LimitsHooks) {
    this.deps = deps;
    this.time = monotonicTime(deps.clock);
    this.hooks = hooks;
  }

  next(lane: string): Next {
    const now = this.time();
    const { own, host } = this.gatesOf(lane);
    const perMinute = this.perMinuteOf(lane);
    const minuteMs = perMinute === undefined ? 0 : own.minuteMs(now, perMinute);
    if (minuteMs > 0) return { waitMs: minuteMs, why: 'perMinute', max: 0 };
    const waits: [number, Why][] = [
      [host.failingMs(now), 'unreachable'],
      [own.failingMs(now), 'failing'],
      [askedMs({ own, host }, now), 'asked'],
      [own.spreadMs(now), 'spread'],
    ];
    const [waitMs, why] = waits.reduce((longest, each) => (each[0] > longest[0] ? each : longest));
    if (waitMs === 0 && own.needsCheck) {
      this.check(lane, own);
      return { waitMs: Infinity, why: 'checked', max: 0 };
    }
    const isOneByOne = perMinute !== undefined || host.isFailing || own.isFailing || own.isSpread(now);
    return { waitMs, ...(waitMs > 0 ? { why } : {}), max: isOneByOne ? 1 : Infinity };
  }

  /** The first poll of a newly accepted task does not wait for polls that fail: it shows whether the service is healthy again. */
  pollWaitMs(profileId: string, isFirst = false): number {
    const now = this.time();
    const { own, host } = this.gatesOf(pollLaneOf(profileId));
    return Math.max(host.failingMs(now), isFirst ? 0 : own.failingMs(now), askedMs({ own, host }, now));
  }

  started(lane: string): void {
    const { own, host } = this.gatesOf(lane);
    own.started(this.time());
    host.attempted(this.time());
  }

  ended(lane: string, request: SentRequest, signal: HealthSignal | undefined): void {
    if (!signal || this.closed) return;
    const { own, host } = this.gatesOf(lane);
    if (signal.type === 'unreachable') return this.unreachable(lane, host, request);
    this.reachable(lane, host);
    if (signal.type === 'failing') return this.failed(lane, own, { ...request, ...signal });
    this.worksAgain(lane, own);
    const now = this.time();
    const sentAt = now - Math.max(0, this.deps.clock.now() - request.sentAt);
    if (signal.type === 'rateLimited') {
      own.asked(now, { sentAt, ...signal }, this.deps.random);
      this.pauseHost(lane, now);
      this.saveWait(lane, this.deps.clock.now() + askedMs({ own, host }, now));
    } else {
      host.accepted(now, sentAt);
      if (own.accepted(now, sentAt)) this.saveWait(lane, undefined);
    }
  }

  /** Whether the lane's service is failing; meanwhile no job is given up because of its failures. */
  isFailing(lane: string): boolean {
    return this.lanes.get(lane)?.own.isFailing ?? false;
  }

  isOffline(profileId: string): boolean {
    return this.hosts.get(this.hostOf(profileId))?.isFailing ?? false;
  }

  /** Restores the waits that services asked for, unless the clock was set back or the profile has a new host. */
  restore(): void {
    const now = this.deps.clock.now();
    for (const { name, value } of flagsWithPrefix(this.deps.store.read, WAIT)) {
      const lane = name.slice(WAIT.length);
      const { host, until } = JSON.parse(value) as { host: string; until: number };
      if (!isResendLater(until, now)) this.saveWait(lane, undefined);
      else if (host === this.hostOf(partsOfLane(lane).profileId)) {
        this.gatesOf(lane).own.waitUntil(this.time() + until - now, this.time());
        this.pauseHost(lane, this.time());
      }
    }
  }

  /** The user has changed the profile, which may have fixed it: it is tried at once. */
  profileChanged(profileId: string): void {
    for (const [lane, { own }] of this.lanes) if (partsOfLane(lane).profileId === profileId) own.succeeded(this.time());
    const host = this.hosts.get(this.hostOf(profileId));
    if (host?.succeeded(this.time())) this.hooks.hostReachable((id) => this.hosts.get(this.hostOf(id)) === host);
  }

  close(): void {
    this.closed = true;
    for (const cancel of this.timers.values()) cancel();
  }

  /** Two lanes of a profile that are asked to wait at the same time show that all requests to the host are meant. */
  private pauseHost(lane: string, now: number): void {
    const { host } = this.gatesOf(lane);
    const { profileId } = partsOfLane(lane);
    const waits = [...this.lanes].flatMap(([name, gates]) => {
      const until =
        gates.host === host && partsOfLane(name).profileId === profileId ? gates.own.wait?.until : undefined;
      return until !== undefined && until > now ? [until] : [];
    });
    if (waits.length > 1) host.waitUntil(Math.max(...waits), now);
  }

  private unreachable(lane: string, gate: Throttle, { jobId }: Pick<SentRequest, 'jobId'>): void {
    if (gate.failed(this.time(), { jobId, failure: 'unreachable' })) {
      this.notify('error', lane, (name) => t`${name} cannot be reached. Waiting jobs continue when it is back.`, gate);
      this.hooks.hostUnreachable();
    }
    this.wakeAfterPause(gate, () => this.probe(lane, gate));
  }

  private reachable(lane: string, gate: Throttle): void {
    if (!gate.succeeded(this.time())) return;
    for (const { own, host } of this.lanes.values()) if (host === gate) own.spread(this.time());
    this.notify('info', lane, (name) => t`${name} answers again. Waiting jobs continue.`, gate);
    this.hooks.hostReachable((profileId) => this.hosts.get(this.hostOf(profileId)) === gate);
    this.hooks.wake();
  }

  private failed(lane: string, gate: Throttle, failure: Failure): void {
    if (gate.failed(this.time(), failure)) {
      this.notify(
        'error',
        lane,
        (name) => t`${name} keeps failing (${laneText(lane)}). Dailies tries again until it works.`,
      );
    }
    if (gate.isFailing) this.wakeAfterPause(gate);
  }

  private worksAgain(lane: string, gate: Throttle): void {
    if (!gate.succeeded(this.time())) return;
    this.notify('info', lane, (name) => t`${name} works again (${laneText(lane)}).`);
    this.hooks.wake();
  }

  /** Before a request that may be billed without an answer. */
  private check(lane: string, gate: Throttle): void {
    const counts = (step: string): boolean => step !== 'model';
    this.test(lane, gate, counts, (isWell) => {
      gate.checked(this.time(), isWell);
      this.wakeAfterPause(gate);
    });
  }

  /** If neither a job nor a poll used the trial, a test finds out whether the host is reachable. */
  private probe(lane: string, gate: Throttle): void {
    if (!gate.isFailing) return;
    if (gate.failingMs(this.time()) > 0) return this.wakeAfterPause(gate, () => this.probe(lane, gate));
    const counts = (step: string): boolean => CONNECTION_STEPS.has(step);
    this.test(lane, gate, counts, (isReachable) => {
      if (isReachable) this.reachable(lane, gate);
      else this.unreachable(lane, gate, { jobId: 'probe' });
    });
  }

  /** Tests the service without cost. */
  private test(
    lane: string,
    gate: Throttle,
    counts: (step: string) => boolean,
    tested: (isFine: boolean) => void,
  ): void {
    gate.attempted(this.time());
    void this.passesTest(partsOfLane(lane).profileId, counts).then((isFine) => {
      if (!this.closed && gate.isFailing) tested(isFine);
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
  private wakeAfterPause(gate: Throttle, otherwise?: () => void): void {
    this.timers.get(gate)?.();
    const { clock } = this.deps;
    const check = (): void => {
      const waitMs = gate.failingMs(this.time());
      if (!gate.isFailing) return void this.timers.delete(gate);
      if (waitMs > 0) return void this.timers.set(gate, clock.after(waitMs, check));
      this.hooks.wake();
      if (otherwise) this.timers.set(gate, clock.after(PROBE_DELAY_MS, otherwise));
    };
    check();
  }

  /** Notifies about the lane, or about `host` by its origin, because the profile may have a new host since. */
  private notify(level: 'info' | 'error', lane: string, text: (name: string) => string, host?: Throttle): void {
    const name = this.deps.profiles.get(partsOfLane(lane).profileId)?.name ?? t`The gateway`;
    const [origin] = [...this.hosts].find(([, gate]) => gate === host) ?? [];
    const about = origin === undefined ? `lane ${lane}` : `host ${origin}`;
    const failing = origin === undefined && level === 'error' ? { lane: partsOfLane(lane) } : {};
    this.deps.emit({ type: 'notice', level, text: text(name), about, ...failing });
  }

  /** If the wait cannot be stored, it still applies until the program ends. */
  private saveWait(lane: string, until: number | undefined): void {
    const host = this.hostOf(partsOfLane(lane).profileId);
    try {
      this.deps.store.transaction((db) =>
        until === undefined ? deleteFlag(db, WAIT + lane) : writeFlag(db, WAIT + lane, JSON.stringify({ host, until })),
      );
    } catch (error) {
      this.deps.log.error({ lane, error: String(error) }, 'until when a lane waits could not be written down');
    }
  }

  /** The gates of a lane. If its profile has a new address, the lane starts fresh and ignores waits of the old host. */
  private gatesOf(lane: string): Gates {
    const origin = this.hostOf(partsOfLane(lane).profileId);
    const host = this.hosts.get(origin) ?? new Throttle(OF_HOST);
    this.hosts.set(origin, host);
    const known = this.lanes.get(lane);
    const gates = known?.host === host ? known : { own: new Throttle(OF_LANE, this.sentBefore(lane)), host };
    this.lanes.set(lane, gates);
    return gates;
  }

  /** Times of requests before this start: the limit applies across restarts, but not after the clock was set back. */
  private sentBefore(lane: string): number[] {
    const now = this.deps.clock.now();
    const ages = this.deps.store.read
      .all<{ at: number }>(statements.sentSince, { lane, since: now - MINUTE_MS })
      .map(({ at }) => now - at);
    return ages.filter((age) => age >= 0).map((age) => this.time() - age);
  }

  private perMinuteOf(lane: string): number | undefined {
    const { kind, profileId } = partsOfLane(lane);
    const profile = this.deps.profiles.get(profileId);
    return profile && limitsOfLane(profile, kind).perMinute;
  }

  /** The origin that a profile calls. Profiles of one service share its state. */
  private hostOf(profileId: string): string {
    const baseUrl = this.deps.profiles.get(profileId)?.baseUrl;
    if (baseUrl === undefined) return profileId;
    const known = this.origins.get(baseUrl) ?? URL.parse(baseUrl)?.origin ?? profileId;
    this.origins.set(baseUrl, known);
    return known;
  }
}

/** If the lane's own hold is newer than the host's, only that one applies. */
function askedMs(gates: Gates, now: number): number {
  const { own, host } = { own: gates.own.wait, host: gates.host.wait };
  const binding = own && host && own.since >= host.since ? [own] : [own, host];
  return Math.max(0, ...binding.map((wait) => (wait?.until ?? 0) - now));
}

function laneText(lane: string): string {
  const { kind } = partsOfLane(lane);
  return kind === POLL_LANE ? t`Status requests` : (laneNamed(kind)?.words ?? t`Requests`);
}
