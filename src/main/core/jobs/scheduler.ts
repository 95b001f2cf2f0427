import type { Gateway } from '../gateway/index.ts';
import { brokenCap } from '../ledger/index.ts';
import type { WriteDb } from '../store/index.ts';
import type { EngineDeps } from './deps.ts';
import { atOnce, partsOfLane, RateWindow } from './lanes.ts';
import { advance } from './records.ts';
import type { JobRow } from './row.ts';
import * as statements from './statements.ts';
import { isPaused, reconsider } from './waiting.ts';

/** Claims what may be sent, lane by lane, and hands it to the runner. The table is the queue; nothing is remembered here but the rate. */
export interface Scheduler {
  /** Something changed: look again soon. */
  kick(): void;
  /** Money was given back or a cap was moved: blocked jobs may fit now. */
  moneyMoved(): void;
  reached(profileId: string, yes: boolean): void;
  isOffline(profileId: string): boolean;
  close(): void;
}

export interface SchedulerHooks {
  changed(ids: string[]): void;
  send(row: JobRow, gateway: Gateway): void;
}

/** While the gateway cannot be reached it is tried this often, doubling up to the second figure. */
const OFFLINE_FIRST_MS = 2_000;
const OFFLINE_LONGEST_MS = 60_000;

interface Outage {
  until: number;
  tries: number;
}

export function createScheduler(deps: EngineDeps, hooks: SchedulerHooks): Scheduler {
  const rate = new RateWindow();
  const outages = new Map<string, Outage>();
  let running = false;
  let wanted = false;
  let budgetsMoved = true;
  let closed = false;
  let cancelTimer: (() => void) | undefined;

  const kick = (): void => {
    wanted = true;
    if (running || closed) return;
    running = true;
    void turns();
  };

  const turns = async (): Promise<void> => {
    while (wanted && !closed) {
      wanted = false;
      release();
      const waits = [];
      for (const { lane } of deps.store.read.all<{ lane: string }>(statements.waitingLanes))
        waits.push(await serveLane(lane));
      arm(Math.min(...waits, nextDueMs()));
    }
    running = false;
  };

  const arm = (ms: number): void => {
    cancelTimer?.();
    cancelTimer = Number.isFinite(ms) ? deps.clock.after(Math.max(1, ms), kick) : undefined;
  };

  const nextDueMs = (): number => {
    const now = deps.clock.now();
    const at = deps.store.read.one<{ at: number | null }>(statements.nextDue, { now })?.at;
    const midnight = new Date(now).setHours(24, 0, 0, 100) - now;
    return Math.min(at === null || at === undefined ? Infinity : at - now, midnight);
  };

  /** Jobs whose waiting time is over, or for which there may be money now. */
  const release = (): void => {
    const now = deps.clock.now();
    const changed = deps.store.transaction((db) => {
      const due = db.all<JobRow>(statements.releasable, { now });
      const poor = budgetsMoved ? db.all<JobRow>(statements.blockedBy, { reason: 'budget' }) : [];
      return [...due, ...poor].filter((row) => reconsider(deps, db, row)).map(({ id }) => id);
    });
    budgetsMoved = false;
    if (changed.length > 0) hooks.changed(changed);
  };

  /** Sends what the lane may send now; returns in how many milliseconds it wants to be asked again. */
  const serveLane = async (lane: string): Promise<number> => {
    const { kind, profileId } = partsOfLane(lane);
    const now = deps.clock.now();
    const outage = outages.get(profileId);
    if (outage && outage.until > now) return outage.until - now;
    const profile = deps.profiles.get(profileId);
    const gateway = await deps.profiles.gatewayFor(profileId);
    if (!profile || gateway === null || gateway === 'no key') {
      blockLane(lane);
      return Infinity;
    }
    // While an outage is probed one request is enough to tell.
    const limit = outage ? 1 : atOnce(profile, kind);
    for (;;) {
      const waitMs = kind === 'preview' ? rate.waitMs(lane, profile.limits.videoPerMinute, deps.clock.now()) : 0;
      if (waitMs > 0) return waitMs;
      const row = deps.store.transaction((db) => claim(deps, db, lane, limit));
      if (!row) return Infinity;
      hooks.changed([row.id]);
      if (row.state !== 'sending') continue;
      rate.record(lane, deps.clock.now());
      hooks.send(row, gateway);
    }
  };

  /** Without its key a job waits; it is not sent. */
  const blockLane = (lane: string): void => {
    const changed = deps.store.transaction((db) => {
      const ids: string[] = [];
      for (;;) {
        const row = db.one<JobRow>(statements.nextInLane, { lane, now: deps.clock.now() });
        if (!row || !advance(db, row, { type: 'block', reason: 'key' }, deps.clock.now(), { nextAt: null })) return ids;
        ids.push(row.id);
      }
    });
    hooks.changed(changed);
  };

  return {
    kick,
    moneyMoved: () => {
      budgetsMoved = true;
    },
    reached: (profileId, yes) => {
      const known = outages.get(profileId);
      if (yes) {
        if (!outages.delete(profileId)) return;
        hooks.changed(deps.store.transaction((db) => releaseOffline(deps, db, profileId)));
      } else {
        const tries = (known?.tries ?? 0) + 1;
        const pause = Math.min(OFFLINE_LONGEST_MS, OFFLINE_FIRST_MS * 2 ** (tries - 1));
        outages.set(profileId, { tries, until: deps.clock.now() + pause });
        hooks.changed([]);
      }
      kick();
    },
    isOffline: (profileId) => outages.has(profileId),
    close: () => {
      closed = true;
      cancelTimer?.();
    },
  };
}

/**
 * The durable intent to send: under the lane's limit, not paused, within every hard cap, in one transaction that is on disk before
 * the first byte leaves. A job that does not fit any more comes back blocked.
 */
function claim(deps: EngineDeps, db: WriteDb, lane: string, limit: number): JobRow | undefined {
  const now = deps.clock.now();
  if (isPaused(db)) return undefined;
  if ((db.one<{ n: number }>(statements.busyInLane, { lane })?.n ?? 0) >= limit) return undefined;
  const row = db.one<JobRow>(statements.nextInLane, { lane, now });
  if (!row) return undefined;
  if (row.reserved_nano > 0 && brokenCap(db, row.project_id, 0, now))
    deps.poster.release(db, row, 'the cap was lowered');
  if (row.reserved_nano < row.estimate_nano) reconsider(deps, db, row);
  if (row.state !== 'queued') return row;
  advance(db, row, { type: 'claim' }, now, { nextAt: null });
  db.run(statements.insertAttempt, { id: row.id, at: now });
  db.run(statements.saveSent, { id: row.id, at: now });
  row.tries += 1;
  row.sent_at = now;
  return row;
}

/** The gateway answers again: those that waited for it go on at once, in their order. */
function releaseOffline(deps: EngineDeps, db: WriteDb, profileId: string): string[] {
  const rows = db
    .all<JobRow>(statements.blockedBy, { reason: 'offline' })
    .filter((row) => row.profile_id === profileId);
  for (const row of rows) row.next_at = null;
  return rows.filter((row) => reconsider(deps, db, row)).map(({ id }) => id);
}
