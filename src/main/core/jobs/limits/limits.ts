import type { StudioEvent } from '../../../../shared/events.ts';
import { laneNamed } from '../../../../shared/kinds/index.ts';
import type { Profile } from '../../../../shared/profile.ts';
import type { ConnectionReport, OpenedClient } from '../../gateway/index.ts';
import type { Clock, Logger } from '../../ports.ts';
import { Circuit, type CircuitRules } from './circuit.ts';
import { Holds } from './holds.ts';
import { partsOfLane } from './lanes.ts';
import type { Report } from './reports.ts';
import { SlowStart } from './slowStart.ts';

/**
 * Whether a service may be asked now. Three things are kept apart: a host that cannot be reached (everything to it waits), a lane or
 * the polls of a host that fail again and again (only they wait), and what the service itself asked for (a 429 and its time). While
 * something fails one try at a time is made, further and further apart; it mends by itself, and the user is told at each turn once.
 */

export interface LimitsDeps {
  clock: Clock;
  /** 0 ≤ x < 1. */
  random(): number;
  log: Pick<Logger, 'error'>;
  emit(event: StudioEvent): void;
  profiles: {
    get(id: string): Profile | undefined;
    openClient(id: string): Promise<OpenedClient<{ test(): Promise<ConnectionReport> }>>;
  };
}

export interface LimitsHooks {
  /** Something may go again. */
  wake(): void;
  /** A host that could not be reached answers again. */
  back(isThere: (profileId: string) => boolean): void;
  /** A host cannot be reached any more. */
  away(): void;
}

type Notice = Extract<StudioEvent, { type: 'notice' }>;

/** How an order or a poll is told about. */
export interface Asked {
  profileId: string;
  /** Of the job. */
  order: string;
  /** When it was sent. */
  at: number;
}

/** The first order that finds nobody is enough: those behind it would find nobody either. */
const OFFLINE: CircuitRules = { failures: 1, orders: 1, firstPauseMs: 2_000, longestPauseMs: 60_000 };
const OUTAGE: CircuitRules = { failures: 5, orders: 3, firstPauseMs: 2_000, longestPauseMs: 60_000 };
/** Every try that may be billed without an answer is one more case of doubt, so a night of them must be few. */
const LONGEST_COSTLY_PAUSE_MS = 30 * 60_000;
/** After so many tries something free is asked first; so often it may fail before an order is tried all the same. */
const COSTLY_TRIES = 4;
const FREE_TRIES = 4;

interface Lane {
  circuit: Circuit;
  /** The last failure may have been billed: something free is asked before the next order. */
  costly: boolean;
  freeTries: number;
  asking: boolean;
}

export class Limits {
  private readonly offline = new Map<string, Circuit>();
  private readonly lanes = new Map<string, Lane>();
  private readonly starts = new Map<string, SlowStart>();
  private readonly holds: Holds;
  /** Of base URLs: every look asks for one. */
  private readonly origins = new Map<string, string>();
  private readonly timers = new Map<string, () => void>();
  private readonly deps: LimitsDeps;
  private readonly hooks: LimitsHooks;
  private closed = false;

  constructor(deps: LimitsDeps, hooks: LimitsHooks) {
    this.deps = deps;
    this.hooks = hooks;
    this.holds = new Holds(deps.random);
  }

  /** How long the lane has to wait before its next order, and how many may go then. */
  roomFor(lane: string): { waitMs: number; most: number } {
    const now = this.deps.clock.now();
    const host = this.hostOf(partsOfLane(lane).profileId);
    const offline = this.offline.get(host);
    const outage = this.lanes.get(lane);
    const starts = [this.starts.get(host), this.starts.get(lane)];
    const waitMs = Math.max(
      offline?.waitMs(now) ?? 0,
      outage?.circuit.waitMs(now) ?? 0,
      this.holds.waitMs(host, lane, now),
      ...starts.map((start) => start?.waitMs(now) ?? 0),
    );
    const oneByOne = offline?.isOpen || outage?.circuit.isOpen || starts.some((start) => start?.isOn(now));
    if (waitMs === 0 && outage?.costly && outage.circuit.failedTries >= COSTLY_TRIES) {
      this.askForNothing(lane, outage);
      return { waitMs: Infinity, most: 0 };
    }
    return { waitMs, most: oneByOne ? 1 : Infinity };
  }

  /** An order of this lane goes out now. */
  sent(lane: string): void {
    const now = this.deps.clock.now();
    const host = this.hostOf(partsOfLane(lane).profileId);
    this.offline.get(host)?.trying(now);
    this.lanes.get(lane)?.circuit.trying(now);
    for (const name of [host, lane]) this.starts.get(name)?.sent(now);
  }

  heardOfOrder(lane: string, asked: Asked, report: Report | undefined): void {
    this.heard(lane, asked, report);
  }

  /** The first look at a task just accepted is not held up by those that fail: it shows whether the service is well again. */
  pollWaitMs(profileId: string, first = false): number {
    const now = this.deps.clock.now();
    const host = this.hostOf(profileId);
    return Math.max(
      this.offline.get(host)?.waitMs(now) ?? 0,
      first ? 0 : (this.lanes.get(pollLane(profileId))?.circuit.waitMs(now) ?? 0),
      this.holds.waitMs(host, pollLane(profileId), now),
    );
  }

  polling(profileId: string): void {
    const now = this.deps.clock.now();
    this.offline.get(this.hostOf(profileId))?.trying(now);
    this.lanes.get(pollLane(profileId))?.circuit.trying(now);
  }

  heardOfPoll(asked: Asked, report: Report | undefined): void {
    this.heard(pollLane(asked.profileId), asked, report);
  }

  /** While a lane's service is out of order, no order is given up for it. */
  isOut(lane: string): boolean {
    return this.lanes.get(lane)?.circuit.isOpen ?? false;
  }

  isOffline(profileId: string): boolean {
    return this.offline.get(this.hostOf(profileId))?.isOpen ?? false;
  }

  /** Found at a start: a lane that was asked to wait still does. */
  restoreHold(lane: string, until: number): void {
    const now = this.deps.clock.now();
    if (until > now) this.holds.restore(this.hostOf(partsOfLane(lane).profileId), lane, until, now);
  }

  /** The user has changed the profile: it is tried at once. */
  mended(profileId: string): void {
    for (const [name, lane] of this.lanes) if (partsOfLane(name).profileId === profileId) lane.circuit.worked();
    const host = this.hostOf(profileId);
    if (this.offline.get(host)?.worked() === 'closed') this.hooks.back((id) => this.hostOf(id) === host);
  }

  close(): void {
    this.closed = true;
    for (const cancel of this.timers.values()) cancel();
  }

  private heard(lane: string, asked: Asked, report: Report | undefined): void {
    if (!report || this.closed) return;
    const host = this.hostOf(asked.profileId);
    if (report.type === 'unreached') return this.unreached(host, asked);
    this.offlineEnds(host, asked.profileId);
    if (report.type === 'faulty') return this.faulty(lane, asked, report);
    const now = this.deps.clock.now();
    if (report.type === 'limited') this.holds.limited(host, lane, { now, sentAt: asked.at, ...report });
    else this.holds.worked(host, lane, { now, sentAt: asked.at });
    this.works(lane, asked.profileId);
    if (report.type === 'limited') this.startSlowly(lane, this.holds.waitMs(host, lane, now));
  }

  private unreached(host: string, { profileId, order }: Asked): void {
    const circuit = this.offline.get(host) ?? new Circuit(OFFLINE);
    this.offline.set(host, circuit);
    if (circuit.failed(this.deps.clock.now(), { order, sort: 'unreached' }) === 'opened') {
      const text = 'cannot be reached. What waits goes on by itself when it is back.';
      this.tell('error', profileId, text, { about: `host ${host}` });
      this.hooks.away();
    }
    this.wakeWhenDue(host, circuit, () => this.knock(host, profileId));
  }

  private offlineEnds(host: string, profileId: string): void {
    if (this.offline.get(host)?.worked() !== 'closed') return;
    this.startSlowly(host, 0);
    this.tell('info', profileId, 'answers again. What waited goes on.', { about: `host ${host}` });
    this.hooks.back((id) => this.hostOf(id) === host);
    this.hooks.wake();
  }

  private faulty(lane: string, { profileId, order }: Asked, { sort, costly }: { sort: string; costly: boolean }): void {
    const known = this.lanes.get(lane) ?? { circuit: new Circuit(OUTAGE), costly, freeTries: 0, asking: false };
    this.lanes.set(lane, known);
    known.costly = costly;
    known.freeTries = 0;
    const longest = costly ? LONGEST_COSTLY_PAUSE_MS : undefined;
    if (known.circuit.failed(this.deps.clock.now(), { order, sort }, longest) === 'opened') {
      const text = `fails again and again (${wordsFor(lane)}). It is tried now and then until it works.`;
      this.tell('error', profileId, text, { about: `lane ${lane}`, lane: partsOfLane(lane) });
    }
    if (known.circuit.isOpen) this.wakeWhenDue(lane, known.circuit, () => undefined);
  }

  private works(lane: string, profileId: string): void {
    if (this.lanes.get(lane)?.circuit.worked() !== 'closed') return;
    this.startSlowly(lane, 0);
    this.tell('info', profileId, `works again (${wordsFor(lane)}).`, { about: `lane ${lane}` });
    this.hooks.wake();
  }

  /** Before an order that may be billed without an answer: whether the service is well is found out for nothing. */
  private askForNothing(name: string, lane: Lane): void {
    if (lane.asking) return;
    lane.asking = true;
    const { profileId } = partsOfLane(name);
    lane.circuit.trying(this.deps.clock.now());
    void this.isWell(profileId, (step) => step !== 'model').then((well) => {
      lane.asking = false;
      if (this.closed || !lane.circuit.isOpen) return;
      lane.freeTries += 1;
      if (well || lane.freeTries > FREE_TRIES) {
        lane.costly = false;
        lane.freeTries = 0;
        lane.circuit.due();
      } else lane.circuit.failedAgain(this.deps.clock.now(), LONGEST_COSTLY_PAUSE_MS);
      this.wakeWhenDue(name, lane.circuit, () => undefined);
    });
  }

  /** Nothing waits for the host, so nobody else would find out that it is back. */
  private knock(host: string, profileId: string): void {
    const circuit = this.offline.get(host);
    if (!circuit?.isOpen) return;
    if (circuit.waitMs(this.deps.clock.now()) > 0)
      return this.wakeWhenDue(host, circuit, () => this.knock(host, profileId));
    circuit.trying(this.deps.clock.now());
    void this.isWell(profileId, (step) => WIRE_STEPS.has(step)).then((well) => {
      if (this.closed || !circuit.isOpen) return;
      if (well) this.offlineEnds(host, profileId);
      else this.unreached(host, { profileId, order: 'knock', at: this.deps.clock.now() });
    });
  }

  private async isWell(profileId: string, counts: (step: string) => boolean): Promise<boolean> {
    try {
      const opened = await this.deps.profiles.openClient(profileId);
      if (opened.status !== 'ready') return false;
      return (await opened.client.test()).steps.every(({ name, ok }) => ok || !counts(name));
    } catch (error) {
      this.deps.log.error({ profile: profileId, error: String(error) }, 'a service could not be tested');
      return false;
    }
  }

  /** When a pause is over everyone is woken; what nobody took up by then is done by `otherwise`. */
  private wakeWhenDue(name: string, circuit: Circuit, otherwise: () => void): void {
    this.timers.get(name)?.();
    const { clock } = this.deps;
    const due = (): void => {
      const waitMs = circuit.waitMs(clock.now());
      if (!circuit.isOpen) return void this.timers.delete(name);
      if (waitMs > 0) return void this.timers.set(name, clock.after(waitMs, due));
      this.hooks.wake();
      this.timers.set(name, clock.after(TAKEN_UP_MS, otherwise));
    };
    due();
  }

  private startSlowly(hostOrLane: string, inMs: number): void {
    const start = this.starts.get(hostOrLane) ?? new SlowStart();
    this.starts.set(hostOrLane, start);
    start.begin(this.deps.clock.now() + inMs);
  }

  private tell(level: 'info' | 'error', profileId: string, words: string, about: Pick<Notice, 'about' | 'lane'>): void {
    const name = this.deps.profiles.get(profileId)?.name ?? 'The gateway';
    this.deps.emit({ type: 'notice', level, text: `${name} ${words}`, ...about });
  }

  /** Profiles of one service share what is learnt of it. */
  private hostOf(profileId: string): string {
    const baseUrl = this.deps.profiles.get(profileId)?.baseUrl;
    if (baseUrl === undefined) return profileId;
    const known = this.origins.get(baseUrl) ?? URL.parse(baseUrl)?.origin ?? profileId;
    this.origins.set(baseUrl, known);
    return known;
  }
}

const TAKEN_UP_MS = 500;
const WIRE_STEPS: ReadonlySet<string> = new Set(['dns', 'connect', 'tls']);
/** Polls have a lane of their own for each profile. */
const POLLS = 'poll';
const pollLane = (profileId: string): string => `${POLLS}:${profileId}`;

function wordsFor(lane: string): string {
  const { kind } = partsOfLane(lane);
  return kind === POLLS ? 'looking after tasks' : (laneNamed(kind)?.words ?? 'orders');
}
