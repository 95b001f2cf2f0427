import type { Gateway } from '../gateway/index.ts';
import { dayOf, isReserved, stoppingMismatchFor } from '../ledger/index.ts';
import { isAllowedInNight } from '../night/index.ts';
import type { WriteDb } from '../store/index.ts';
import { nextAffordable, withAffordable } from './affordable.ts';
import { pricedLike } from './charging.ts';
import type { EngineDeps } from './deps.ts';
import { inputsOf } from './inputs.ts';
import { limitsOfLane, partsOfLane, RateWindow } from './limits/lanes.ts';
import type { Limits } from './limits/limits.ts';
import { advance, rowById } from './records.ts';
import { type JobRow, requestOf } from './row.ts';
import * as statements from './statements.ts';
import { capBroken, isPaused, reconsider } from './waiting.ts';

export interface SchedulerHooks {
  changed(ids: string[]): void;
  send(row: JobRow, gateway: Gateway): void;
}

/** After a fault of this machine, such as a full disk. */
const FAULT_PAUSE_MS = 2_000;

/** One commit claims no more than this, so that what must be written beside it does not wait long. */
const MOST_AT_A_TIME = 256;

/** Claims what may be sent, lane by lane, and hands it to the runner. The table is the queue; nothing is remembered here but the rate. */
export class Scheduler {
  private readonly rate: RateWindow;
  private running = false;
  private wanted = false;
  private budgetsMoved = true;
  private day = '';
  private closed = false;
  /** Orders that a person has just asked for: tried in the next turn, and after it only when their lane may send. */
  private readonly pressed = new Set<string>();
  private cancelTimer: (() => void) | undefined;
  private readonly deps: EngineDeps;
  private readonly limits: Pick<Limits, 'roomFor' | 'sent'>;
  private readonly hooks: SchedulerHooks;

  constructor(deps: EngineDeps, limits: Pick<Limits, 'roomFor' | 'sent'>, hooks: SchedulerHooks) {
    this.deps = deps;
    this.limits = limits;
    this.hooks = hooks;
    this.rate = new RateWindow((lane, since) =>
      deps.store.read.all<{ at: number }>(statements.sentSince, { lane, since }).map(({ at }) => at),
    );
  }

  /** Something changed: look again. */
  kick(): void {
    this.wanted = true;
    if (this.running || this.closed) return;
    this.running = true;
    void this.turns();
  }

  /**
   * Somebody has just asked for this very order, and looks at it: it is tried at once, whatever its lane waits for. What a person does
   * by hand is rare, and the best way to find out whether the service is well again.
   */
  press(jobId: string): void {
    this.pressed.add(jobId);
  }

  /** Money was given back or a cap was moved: jobs blocked for it may fit now. */
  moneyMoved(): void {
    this.budgetsMoved = true;
  }

  /** A service that could not be reached is back: those that waited for it go on, in their order. */
  back(isThere: (profileId: string) => boolean): void {
    try {
      this.hooks.changed(this.deps.store.transaction((db) => releaseOffline(this.deps, db, isThere)));
    } catch (error) {
      this.deps.log.error({ error: String(error) }, 'what waited for a service goes on when its own time comes');
    }
  }

  close(): void {
    this.closed = true;
    this.cancelTimer?.();
  }

  private async turns(): Promise<void> {
    while (this.wanted && !this.closed) {
      this.wanted = false;
      try {
        await this.turn();
      } catch (error) {
        this.arm(this.pauseAfter(error));
      }
    }
    this.running = false;
  }

  /** A full disk, say: nothing was claimed, so nothing was sent. The queue must not stand still for it when it is over. */
  private pauseAfter(error: unknown): number {
    this.deps.log.error({ error: String(error) }, 'the queue could not be served; it is tried again');
    return FAULT_PAUSE_MS;
  }

  private async turn(): Promise<void> {
    const justAsked = [...this.pressed];
    const begun = this.deps.clock.now();
    this.release(begun);
    const waits: number[] = [];
    for (const { lane } of this.deps.store.read.all<{ lane: string }>(statements.waitingLanes)) {
      // A key that cannot be read, say, keeps its own lane waiting and no other.
      waits.push(await this.serveLane(lane).catch((error) => this.pauseAfter(error)));
      if (this.closed) return;
    }
    // What could not go now waits like any other: hours later, in an outage, nobody looks at it any more.
    for (const id of justAsked) this.pressed.delete(id);
    this.arm(Math.min(...waits, this.nextDueMs(begun)));
  }

  private arm(ms: number): void {
    this.cancelTimer?.();
    if (this.closed) return;
    this.cancelTimer = Number.isFinite(ms) ? this.deps.clock.after(Math.max(1, ms), () => this.kick()) : undefined;
  }

  /** What fell due since the turn began was not released in it, so it counts as well. */
  private nextDueMs(begun: number): number {
    const now = this.deps.clock.now();
    const at = this.deps.store.read.one<{ at: number | null }>(statements.nextDue, { now: begun })?.at;
    const midnight = new Date(now).setHours(24, 0, 0, 100) - now;
    return Math.min(at === null || at === undefined ? Infinity : at - now, midnight);
  }

  /** Jobs whose waiting time is over, or for which there may be money now. */
  private release(now: number): void {
    const isNewDay = dayOf(now) !== this.day;
    const { read, transaction } = this.deps.store;
    const stale = isNewDay
      ? read.all<JobRow>(statements.reservedBefore, { time: new Date(now).setHours(0, 0, 0, 0) })
      : [];
    const due = read.all<JobRow>(statements.releasable, { now });
    // A new day or month has caps that nothing counts against yet.
    const looksAtMoney = (this.budgetsMoved || isNewDay) && nextAffordable(read, now) !== undefined;
    const changed =
      due.length + stale.length === 0 && !looksAtMoney
        ? []
        : transaction((db) => {
            // The new day is shared out in the order of the queue: nobody keeps a place by what counted to yesterday.
            for (const row of stale) this.deps.ledger.release(db, row, 'a new day');
            const inOrder = [...stale, ...due].sort((a, b) => a.position - b.position);
            const rows = looksAtMoney || isNewDay ? withAffordable(db, now, inOrder) : inOrder;
            const ids: string[] = [];
            for (const row of rows) if (reconsider(this.deps, db, row)) ids.push(row.id);
            return ids;
          });
    // Only now: on a full disk all of it is still to be done.
    this.day = dayOf(now);
    this.budgetsMoved = false;
    if (changed.length === 0) return;
    // There may be more that are due than were read at once.
    this.wanted = true;
    this.hooks.changed(changed);
  }

  /** Sends what the lane may send now; returns in how many milliseconds it wants to be asked again. */
  private async serveLane(lane: string): Promise<number> {
    const { kind, profileId } = partsOfLane(lane);
    const profile = this.deps.profiles.get(profileId);
    const opened = await this.deps.profiles.openClient(profileId);
    if (this.closed) return Infinity;
    if (!profile || opened.status !== 'ready') {
      this.blockLane(lane);
      return Infinity;
    }
    const { atOnce: limit, perMinute } = limitsOfLane(profile, kind);
    for (;;) {
      const bucketMs = perMinute === undefined ? 0 : this.rate.waitMs(lane, perMinute, this.deps.clock.now());
      if (bucketMs > 0) return bucketMs;
      const room = this.limits.roomFor(lane);
      const id = room.waitMs > 0 ? this.takePressed(lane) : undefined;
      if (room.waitMs > 0 && id === undefined) return room.waitMs;
      const most = perMinute !== undefined || id ? 1 : Math.min(room.most, MOST_AT_A_TIME);
      const rows = this.deps.store.transaction((db) => claim(this.deps, db, lane, { limit, most, id }));
      if (rows.length === 0) return Infinity;
      this.hooks.changed(rows.map((row) => row.id));
      for (const row of rows.filter(({ state }) => state === 'sending')) {
        if (perMinute !== undefined) this.rate.record(lane, this.deps.clock.now());
        // Sent is sent: a later try of it waits as the service or the pause says.
        this.pressed.delete(row.id);
        this.limits.sent(lane);
        this.hooks.send(row, opened.client);
      }
    }
  }

  /** The next order of this lane that a person waits for; those that wait for something else as well are not tried early. */
  private takePressed(lane: string): string | undefined {
    for (const id of this.pressed) {
      const row = rowById(this.deps.store.read, id);
      if (row?.state === 'queued' && row.lane !== lane) continue;
      this.pressed.delete(id);
      if (row?.state === 'queued') return id;
    }
    return undefined;
  }

  /** Without its key a job waits; it is not sent. */
  private blockLane(lane: string): void {
    const now = this.deps.clock.now();
    const changed = this.deps.store.transaction((db) => {
      const ids: string[] = [];
      for (;;) {
        const row = db.one<JobRow>(statements.nextInLane, { lane, now, most: 1 });
        if (!row || !advance(db, row, { type: 'block', reason: 'key' }, now, { nextAt: null })) return ids;
        ids.push(row.id);
      }
    });
    this.hooks.changed(changed);
  }
}

/**
 * The durable intent to send: as many as the lane has room for, not paused, within every hard cap, in one transaction that is on disk
 * before the first byte leaves. Jobs that do not fit any more come back blocked. With an `id`, this one only.
 */
export function claim(
  deps: Pick<EngineDeps, 'clock' | 'ledger' | 'freeBytes'>,
  db: WriteDb,
  lane: string,
  { limit, most, id }: { limit: number; most: number; id?: string | undefined },
): JobRow[] {
  if (isPaused(db)) return [];
  const room = Math.min(most, limit - (db.one<{ n: number }>(statements.busyInLane, { lane })?.n ?? 0));
  if (room <= 0) return [];
  const now = deps.clock.now();
  const rows = id
    ? [rowById(db, id)].filter((row) => row?.state === 'queued').flatMap((row) => row ?? [])
    : db.all<JobRow>(statements.nextInLane, { lane, now, most: room });
  for (const row of rows) claimOne(deps, db, row, now);
  return rows;
}

function claimOne(
  deps: Pick<EngineDeps, 'clock' | 'ledger' | 'freeBytes'>,
  db: WriteDb,
  row: JobRow,
  now: number,
): void {
  // The clock may have jumped out of its night's window since it was queued, or a floor been passed.
  if (!isAllowedInNight(db, row, now, deps.freeBytes)) return void reconsider(deps, db, row);
  if ((row.reserved_nano > 0 || row.unpriced > 0) && capBroken(db, row, now))
    deps.ledger.release(db, row, 'the cap was lowered');
  // What was set aside yesterday counts to yesterday; what is sent today has to fit under today's cap.
  if (row.reserved_at !== null && dayOf(row.reserved_at) !== dayOf(now)) deps.ledger.release(db, row, 'a new day');
  // A cost that an answer stated since it was queued may have stopped its price.
  if (!isReserved(row) || stoppingMismatchFor(db, pricedLike(row))) reconsider(deps, db, row);
  if (row.state !== 'queued') return;
  advance(db, row, { type: 'claim' }, now, { nextAt: null, sentAt: now });
  db.run(statements.insertAttempt, { id: row.id, at: now });
  const inputs = inputsOf(db, requestOf(row));
  if (inputs.length > 0) db.run(statements.saveInputs, { id: row.id, inputs: JSON.stringify(inputs) });
}

/** The gateway answers again: those that waited for it go on at once, in their order. */
function releaseOffline(deps: EngineDeps, db: WriteDb, isThere: (profileId: string) => boolean): string[] {
  const rows = db.all<JobRow>(statements.blockedBy, { reason: 'offline' }).filter((row) => isThere(row.profile_id));
  for (const row of rows) row.next_at = null;
  return rows.filter((row) => reconsider(deps, db, row)).map(({ id }) => id);
}
