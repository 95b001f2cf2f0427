import { askAgainOf } from '../../../../shared/idempotency.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { t } from '../../../../shared/texts.ts';
import { claimInNight, currentNightRun, nightGateOf } from '../../night/index.ts';
import { type ReadDb, sql, type WriteDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import { jobTable } from '../jobTable.ts';
import type { Limits } from '../limits/limits.ts';
import { isPaused } from '../pauses.ts';
import { rowById } from '../records.ts';
import type { JobRow } from '../row.ts';
import { exceedsHardCap } from '../waiting.ts';
import type { Asks } from './asks.ts';
import { keptOf } from './sentTable.ts';

/** How long after a lost answer each further time is, in milliseconds; then it waits for the user. */
const WAITS_MS = [30_000, 2 * 60_000, 5 * 60_000, 10 * 60_000, 20 * 60_000, 40 * 60_000];
/** What could not be asked for at all, such as without a key, is tried again after this time, and after twice as long each further time. */
const FAILED_MS = 30_000;
const LONGEST_FAILED_MS = 40 * 60_000;
/** Changes come in bursts. */
const SETTLE_MS = 250;

const inDoubtOfNight = sql(
  'jobs.inDoubtOfNight',
  `SELECT jobs.*, (SELECT max(at) FROM attempts WHERE job_id = jobs.id) AS asked_at,
     (SELECT count(*) FROM attempts WHERE job_id = jobs.id AND again = 1) AS asks
   FROM jobs WHERE run_id = $runId AND state = 'uncertain' ORDER BY position`,
);

type FloorMeasures = Parameters<typeof claimInNight>[3];
type DoubtRow = JobRow & { asked_at: number | null; asks: number };

/**
 * In an open night, asks for its jobs in doubt again by itself, a few times and ever less often, where their gateway is documented to give
 * the first order back and lets a night do it. By day only the user does.
 */
export class NightAsks {
  private cancelTimer: (() => void) | undefined;
  private dueAt = Infinity;
  /** Jobs that could not be asked for, and when they are tried again. */
  private readonly failed = new Map<string, { times: number; at: number }>();
  private closed = false;
  /** Jobs that are being asked for, until their answer is written. */
  private readonly begun = new Set<string>();
  private readonly deps: EngineDeps;
  private readonly asks: Pick<Asks, 'ask' | 'answered' | 'isAsking'>;
  private readonly limits: Pick<Limits, 'capacityOf'>;
  private readonly measures: FloorMeasures;

  constructor(deps: EngineDeps, asks: Pick<Asks, 'ask' | 'answered' | 'isAsking'>, limits: Pick<Limits, 'capacityOf'>) {
    this.deps = deps;
    this.asks = asks;
    this.limits = limits;
    this.measures = { freeBytes: deps.freeBytes, reservedUnderWay: jobTable.reservedUnderWay };
  }

  /** Something changed that may put a job of the night in doubt, or let it be asked for. */
  wake(): void {
    if (!this.closed && currentNightRun(this.deps.store.read)) this.checkIn(SETTLE_MS);
  }

  close(): void {
    this.closed = true;
    this.cancelTimer?.();
  }

  private checkIn(waitMs: number): void {
    // A part of a millisecond may be lost in a clock's number, and would be waited for without end.
    const ms = Math.max(1, waitMs);
    const at = this.deps.clock.now() + ms;
    if (this.closed || ms === Infinity || at >= this.dueAt) return;
    this.cancelTimer?.();
    this.dueAt = at;
    this.cancelTimer = this.deps.clock.after(ms, () => {
      this.dueAt = Infinity;
      this.check();
    });
  }

  private check(): void {
    if (this.closed) return;
    const { store, clock } = this.deps;
    const now = clock.now();
    const run = currentNightRun(store.read);
    if (!run || nightGateOf(store.read, { run_id: run.id }, now).type !== 'open') return;
    const rows = store.read.all<DoubtRow>(inDoubtOfNight, { runId: run.id });
    // The answer about one says whether the service can be asked about the next.
    const busyLanes = new Set(rows.filter(({ id }) => this.isBusy(id)).map(({ lane }) => lane));
    let nextMs = Infinity;
    for (const row of rows) {
      if (busyLanes.has(row.lane)) continue;
      const waitMs = this.waitMs(row, now);
      nextMs = Math.min(nextMs, waitMs > 0 ? waitMs : Infinity);
      if (waitMs > 0) continue;
      busyLanes.add(row.lane);
      void this.ask(row);
    }
    this.checkIn(nextMs);
  }

  private isBusy(jobId: string): boolean {
    return this.begun.has(jobId) || this.asks.isAsking(jobId);
  }

  /** How long until the job is asked for; Infinity: not at all, unless something changes. */
  private waitMs(row: DoubtRow, now: number): number {
    const { store, profiles } = this.deps;
    const pause = WAITS_MS[row.asks];
    if (pause === undefined || whyNotNow(store.read, row, now)) return Infinity;
    const kept = keptOf(store.read, row);
    const job = { state: row.state, kind: row.kind, profileId: row.profile_id, ...(kept ? { kept } : {}) };
    const offer = askAgainOf(job, profiles.get(row.profile_id), now);
    if (!offer.can || !offer.night) return Infinity;
    const failedMs = (this.failed.get(row.id)?.at ?? now) - now;
    return Math.max((row.asked_at ?? now) + pause - now, failedMs, this.limits.capacityOf(row.lane).waitMs);
  }

  /** The night, its floors, the caps and the pause are looked at once more in the transaction that writes the intent. */
  private async ask({ id }: DoubtRow): Promise<void> {
    const { store, log } = this.deps;
    this.begun.add(id);
    try {
      const asked = await this.asks.ask(id, (write) =>
        store.transaction((db) => {
          const row = rowById(db, id);
          const refusal = row && this.whyNotAtLast(db, row);
          const written = refusal ?? write(db);
          return written.ok ? ok(true) : written;
        }),
      );
      if (!asked.ok) return this.hasFailed(id);
      this.failed.delete(id);
      await this.asks.answered(id);
    } catch (error) {
      this.hasFailed(id);
      log.error({ job: id, error: String(error) }, 'a job in doubt could not be asked for');
    } finally {
      this.begun.delete(id);
      this.wake();
    }
  }

  /** A floor that is passed ends the night with this. */
  private whyNotAtLast(db: WriteDb, row: JobRow): Result<never> | undefined {
    const now = this.deps.clock.now();
    return whyNotNow(db, row, now) ?? (claimInNight(db, row, now, this.measures) ? undefined : NIGHT_OVER);
  }

  private hasFailed(id: string): void {
    const times = (this.failed.get(id)?.times ?? 0) + 1;
    const ms = Math.min(LONGEST_FAILED_MS, FAILED_MS * 2 ** Math.min(times - 1, 10));
    this.failed.set(id, { times, at: this.deps.clock.now() + ms });
  }
}

/**
 * Why a job of the night is not asked for now: an order that never arrived is made by it, so what holds back a job that waits holds back
 * this one. Its cost is counted as in doubt already.
 */
function whyNotNow(db: ReadDb, row: JobRow, now: number): Result<never> | undefined {
  if (isPaused(db, row.lane)) return fail('wrong_state', t`It is paused.`);
  if (exceedsHardCap(db, row, now)) return fail('wrong_state', t`A hard limit is below what is unconfirmed already.`);
  return nightGateOf(db, row, now).type === 'open' ? undefined : NIGHT_OVER;
}

const NIGHT_OVER = fail('wrong_state', t`Its overnight run is over.`);
