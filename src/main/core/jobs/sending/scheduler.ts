import { setImmediate } from 'node:timers/promises';
import { KEY_UNREADABLE } from '../../../../shared/gateway/profile.ts';
import type { JobError } from '../../../../shared/jobs/job.ts';
import { laneMakesFiles } from '../../../../shared/kinds/index.ts';
import type { Gateway } from '../../gateway/index.ts';
import { dayOf, isReserved, stoppingMismatchFor } from '../../ledger/index.ts';
import { claimInNight } from '../../night/index.ts';
import type { WriteDb } from '../../store/index.ts';
import { PER_SLICE } from '../../timeSlicing.ts';
import type { EngineDeps } from '../deps.ts';
import { advance, rowById } from '../jobRepository.ts';
import { isPaused, limitsOfLane, partsOfLane } from '../limits/lanes.ts';
import type { Limits } from '../limits/limits.ts';
import { priceKeyOf } from '../money/charging.ts';
import * as statements from '../queries/jobSql.ts';
import { jobTable } from '../queries/jobTable.ts';
import { recordClaim } from '../recordEvidence.ts';
import { exceedsHardCap, hasPriceRisen, reevaluate } from '../reevaluate.ts';
import { inputsOf } from '../references.ts';
import { type JobRow, requestOf } from '../row.ts';
import { DueInOrder, nextAffordable, type QueuedJob } from './affordable.ts';

export interface SchedulerHooks {
  send(row: JobRow, gateway: Gateway): void;
  nextTurn?(): Promise<unknown>;
}

/** The pause after an error of this machine, such as a full disk. */
const ERROR_PAUSE_MS = 2_000;
/** The delay before checking again whether the library is there and has space. */
const NO_ROOM_PAUSE_MS = 5_000;

/** The most jobs that one commit claims, and that one turn of the event loop starts to send: each takes several writes. */
export const CLAIMED_PER_SLICE = 3;

/** Claims the jobs that may be sent, lane by lane, and gives them to the runner. The table is the queue. */
export class Scheduler {
  private isRunning = false;
  private isPassNeeded = false;
  private hasMoneyChanged = true;
  private day = '';
  /** The time of the last release. A current time before it shows that the clock was set back. */
  private releasedAt = 0;
  private isOpen = false;
  private isClosed = false;
  /** Jobs that the user has just asked for. They are tried in the next pass and then wait like any other. */
  private readonly prioritized = new Set<string>();
  /** Jobs that a bulk change holds; none of them is sent meanwhile. A job may be in several changes. */
  private readonly holds = new Set<readonly string[]>();
  /** The ids of all held jobs, as JSON. */
  private held = NONE_HELD;
  private cancelTimer: (() => void) | undefined;
  private readonly deps: EngineDeps;
  private readonly limits: Pick<Limits, 'next' | 'started'>;
  private readonly hooks: SchedulerHooks;
  private readonly nextTurn: () => Promise<unknown>;

  constructor(deps: EngineDeps, limits: Pick<Limits, 'next' | 'started'>, hooks: SchedulerHooks) {
    this.deps = deps;
    this.limits = limits;
    this.hooks = hooks;
    this.nextTurn = hooks.nextTurn ?? (() => setImmediate());
  }

  /** Something changed that may allow a job to be sent. */
  wake(): void {
    this.isPassNeeded = true;
    if (this.isRunning || !this.isOpen) return;
    this.isRunning = true;
    void this.runPasses();
  }

  /** Allows sending, until {@link close}. */
  open(): void {
    if (this.isClosed) return;
    this.isOpen = true;
    this.wake();
  }

  /**
   * Tries a job at once because the user has just asked for it, whatever its lane waits for. This is rare, and the best way to find out
   * whether the service is healthy again.
   */
  prioritize(jobId: string): void {
    this.prioritized.add(jobId);
  }

  /** Prevents these jobs from being sent until the returned function is called. */
  hold(ids: readonly string[]): () => void {
    // A copy, because two changes may hold the same list.
    const own = [...ids];
    this.holds.add(own);
    this.holdsChanged();
    return () => {
      this.holds.delete(own);
      this.holdsChanged();
      this.wake();
    };
  }

  private holdsChanged(): void {
    this.held = JSON.stringify([...this.holds].flat());
  }

  /** Money was released or a budget was changed: jobs blocked by a budget may fit now. */
  moneyChanged(): void {
    this.hasMoneyChanged = true;
  }

  close(): void {
    this.isClosed = true;
    this.isOpen = false;
    this.cancelTimer?.();
  }

  private async runPasses(): Promise<void> {
    while (this.isPassNeeded && this.isOpen) {
      this.isPassNeeded = false;
      try {
        await this.runPass();
      } catch (error) {
        this.scheduleWake(this.pauseAfterError(error));
      }
    }
    this.isRunning = false;
  }

  /** After an error such as a full disk nothing was claimed, so nothing was sent. The next pass tries again. */
  private pauseAfterError(error: unknown): number {
    this.deps.log.error({ error: String(error) }, 'the queue could not be processed; it is tried again');
    return ERROR_PAUSE_MS;
  }

  private async runPass(): Promise<void> {
    const prioritized = [...this.prioritized];
    const startedAt = this.deps.clock.now();
    await this.release(startedAt);
    if (!this.isOpen) return;
    const waits: number[] = [];
    for (const { lane } of this.deps.store.read.all<{ lane: string }>(statements.waitingLanes)) {
      // An error such as an unreadable key delays its own lane only.
      waits.push(await this.serveLane(lane).catch((error) => this.pauseAfterError(error)));
      if (!this.isOpen) return;
    }
    // A job that could not be sent now loses its priority: hours later the user no longer waits for it.
    for (const id of prioritized) this.prioritized.delete(id);
    this.scheduleWake(Math.min(...waits, this.nextDueMs(startedAt)));
  }

  private scheduleWake(ms: number): void {
    this.cancelTimer?.();
    if (!this.isOpen) return;
    this.cancelTimer = Number.isFinite(ms) ? this.deps.clock.after(Math.max(1, ms), () => this.wake()) : undefined;
  }

  /** Also counts jobs that became due after the pass began, since it did not release them. */
  private nextDueMs(startedAt: number): number {
    const now = this.deps.clock.now();
    const at = this.deps.store.read.one<{ at: number | null }>(statements.nextDue, { now: startedAt })?.at;
    const midnight = new Date(now).setHours(24, 0, 0, 100) - now;
    return Math.min(at === null || at === undefined ? Infinity : at - now, midnight);
  }

  /**
   * Releases the jobs whose waiting time is over, or which may fit under their budgets now, a few in each turn of the event loop. Nothing
   * is claimed before all of them are released.
   */
  private async release(now: number): Promise<void> {
    const isNewDay = dayOf(now) !== this.day;
    const hadMoneyChanged = this.hasMoneyChanged;
    // Changes during this work are for the next pass.
    this.hasMoneyChanged = false;
    try {
      const stale = isNewDay ? await this.releaseYesterday(now) : [];
      const { read } = this.deps.store;
      // On a new day or month nothing counts against the budgets yet.
      const mayFitNow = (hadMoneyChanged || isNewDay) && nextAffordable(read, now) !== undefined;
      const due = read.all<QueuedJob>(statements.dueBlocked, { now });
      const putOff = now < this.releasedAt ? read.all<QueuedJob>(statements.putOff, { now }) : [];
      await this.reevaluateInOrder(new DueInOrder([...stale, ...due, ...putOff], mayFitNow), now);
      // If a commit fails, all of this has to be done again.
      this.day = dayOf(now);
      this.releasedAt = now;
    } catch (error) {
      this.hasMoneyChanged = true;
      throw error;
    }
  }

  /** The new day's money is reserved in the order of the queue: yesterday's reservations give no precedence. */
  private async releaseYesterday(now: number): Promise<QueuedJob[]> {
    const { read, transaction } = this.deps.store;
    const time = new Date(now).setHours(0, 0, 0, 0);
    const stale = read.all<QueuedJob>(statements.reservedBefore, { time });
    for (let from = 0; from < stale.length && this.isOpen; from += PER_SLICE) {
      if (from > 0) await this.nextTurn();
      transaction((db) => {
        for (const { id } of stale.slice(from, from + PER_SLICE)) {
          const row = rowById(db, id);
          if (row?.state === 'queued') this.deps.ledger.release(db, row, 'a new day');
        }
      });
    }
    return stale;
  }

  private async reevaluateInOrder(due: DueInOrder, now: number): Promise<void> {
    for (let next = due.take(this.deps.store.read, now); next && this.isOpen; ) {
      this.deps.store.transaction((db) => {
        for (let n = 0; next && n < PER_SLICE; n++) {
          const row = rowById(db, next.id);
          if (row) reevaluate(this.deps, db, row);
          next = due.take(db, now);
        }
      });
      if (next) await this.nextTurn();
    }
  }

  /** Sends what the lane may send now, a few in each turn of the event loop; returns after how many milliseconds it can send more. */
  private async serveLane(lane: string): Promise<number> {
    for (;;) {
      const waitMs = await this.sendSlice(lane);
      if (waitMs > 0) return waitMs;
      await this.nextTurn();
    }
  }

  /** Sends a few jobs. Returns 0 if there may be more. */
  private async sendSlice(lane: string): Promise<number> {
    const { kind, profileId } = partsOfLane(lane);
    const profile = this.deps.profiles.get(profileId);
    const opened = await this.deps.profiles.openClient(profileId);
    if (!this.isOpen) return Infinity;
    if (!profile || opened.status !== 'ready') {
      const isUnreadable = opened.status === 'unreadable';
      this.blockLane(lane, isUnreadable ? UNREADABLE : null);
      if (isUnreadable) this.deps.events.emit('key.unreadable', profileId);
      return Infinity;
    }
    // Nothing is sent if its result could not be stored.
    if (laneMakesFiles(kind) && (await this.deps.library.waits()) !== undefined) return NO_ROOM_PAUSE_MS;
    const { atOnce: limit } = limitsOfLane(profile, kind);
    const next = this.nextClaim(lane);
    if (next.waitMs > 0) return next.waitMs;
    const { max, id } = next;
    const rows = this.deps.store.transaction((db) => claim(this.deps, db, lane, { limit, max, id, held: this.held }));
    if (rows.length === 0) return Infinity;
    for (const row of rows.filter(({ state }) => state === 'sending')) {
      // The priority is for one attempt: the next one waits as long as the service or the pause requires.
      this.prioritized.delete(row.id);
      this.limits.started(lane);
      this.hooks.send(row, opened.client);
    }
    return 0;
  }

  /** How many jobs the lane may claim now, or how long it has to wait; with an `id`, only that job, which the user waits for. */
  private nextClaim(lane: string): { waitMs: number; max: number; id?: string | undefined } {
    const { waitMs, why, max } = this.limits.next(lane);
    const id = waitMs > 0 && why !== 'perMinute' ? this.takePrioritized(lane) : undefined;
    return id === undefined ? { waitMs, max: Math.min(max, CLAIMED_PER_SLICE) } : { waitMs: 0, max: 1, id };
  }

  /** The next job of this lane that the user waits for. A job that is blocked by something else is not tried early. */
  private takePrioritized(lane: string): string | undefined {
    for (const id of this.prioritized) {
      const row = rowById(this.deps.store.read, id);
      if (row?.state === 'queued' && row.lane !== lane) continue;
      this.prioritized.delete(id);
      if (row?.state === 'queued') return id;
    }
    return undefined;
  }

  /** Blocks the jobs of a lane whose profile has no key, or none that can be read. */
  private blockLane(lane: string, error: JobError | null): void {
    const now = this.deps.clock.now();
    this.deps.store.transaction((db) => {
      for (;;) {
        const row = db.one<JobRow>(statements.nextInLane, { lane, now, max: 1, held: NONE_HELD });
        if (!row || !advance(db, row, { type: 'block', reason: 'key' }, now, { nextAt: null, error })) return;
      }
    });
  }
}

const UNREADABLE: JobError = { kind: 'auth', message: KEY_UNREADABLE, retryable: true };

const NONE_HELD = '[]';
const isListed = (held: string, id: string): boolean => (JSON.parse(held) as string[]).includes(id);

interface Claim {
  limit: number;
  max: number;
  id?: string | undefined;
  /** A JSON array of the ids of jobs that must not be sent for the moment. */
  held?: string;
}

/**
 * Claims as many jobs as the lane has capacity for, unless paused, within every hard budget, in one transaction. The claim is the durable
 * intent to send, on disk before the first byte is sent. Jobs that no longer fit come back blocked. With an `id`, only this job.
 */
export function claim(
  deps: Pick<EngineDeps, 'clock' | 'ledger' | 'freeBytes'>,
  db: WriteDb,
  lane: string,
  { limit, max, id, held = NONE_HELD }: Claim,
): JobRow[] {
  if (isPaused(db, lane)) return [];
  const capacity = Math.min(max, limit - (db.one<{ n: number }>(statements.busyInLane, { lane })?.n ?? 0));
  if (capacity <= 0) return [];
  const now = deps.clock.now();
  const rows = id
    ? [rowById(db, id)].flatMap((row) => (row?.state === 'queued' && !isListed(held, id) ? [row] : []))
    : db.all<JobRow>(statements.nextInLane, { lane, now, max: capacity, held });
  for (const row of rows) claimOne(deps, db, row, now);
  return rows;
}

function claimOne(
  deps: Pick<EngineDeps, 'clock' | 'ledger' | 'freeBytes'>,
  db: WriteDb,
  row: JobRow,
  now: number,
): void {
  const measures = { freeBytes: deps.freeBytes, reservedUnderWay: jobTable.reservedUnderWay };
  // The overnight run may have ended since the job was queued, by the clock or by one of its limits.
  if (!claimInNight(db, row, now, measures)) return void reevaluate(deps, db, row);
  if ((row.reserved_nano > 0 || row.unpriced > 0) && exceedsHardCap(db, row, now))
    deps.ledger.release(db, row, 'the cap was lowered');
  // A reservation made yesterday counts against yesterday's budget; a job sent today has to fit under today's.
  if (row.reserved_at !== null && dayOf(row.reserved_at) !== dayOf(now)) deps.ledger.release(db, row, 'a new day');
  // Since it was queued, a stated cost may have blocked its price, or its price may have risen.
  if (!isReserved(row) || stoppingMismatchFor(db, priceKeyOf(row)) || hasPriceRisen(row)) reevaluate(deps, db, row);
  if (row.state !== 'queued') return;
  advance(db, row, { type: 'claim' }, now, { nextAt: null, sentAt: now });
  db.run(statements.insertAttempt, { id: row.id, at: now, again: 0, key: null });
  const inputs = inputsOf(db, requestOf(row));
  const made = inputs.length > 0 ? { inputs: JSON.stringify(inputs) } : {};
  if (made.inputs) db.run(statements.saveInputs, { id: row.id, inputs: made.inputs });
  recordClaim(db, row, made);
}
