import { askAgainOf } from '../../../../shared/idempotency.ts';
import { currentNightRun, nightGateOf } from '../../night/index.ts';
import { sql } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import type { Limits } from '../limits/limits.ts';
import { isPaused } from '../pauses.ts';
import type { JobRow } from '../row.ts';
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
  private readonly deps: EngineDeps;
  private readonly asks: Pick<Asks, 'ask' | 'isAsking'>;
  private readonly limits: Pick<Limits, 'capacityOf'>;

  constructor(deps: EngineDeps, asks: Pick<Asks, 'ask' | 'isAsking'>, limits: Pick<Limits, 'capacityOf'>) {
    this.deps = deps;
    this.asks = asks;
    this.limits = limits;
  }

  /** Something changed that may put a job of the night in doubt, or let it be asked for. */
  wake(): void {
    if (!this.closed && currentNightRun(this.deps.store.read)) this.checkIn(SETTLE_MS);
  }

  close(): void {
    this.closed = true;
    this.cancelTimer?.();
  }

  private checkIn(ms: number): void {
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
    let nextMs = Infinity;
    for (const row of store.read.all<DoubtRow>(inDoubtOfNight, { runId: run.id })) {
      const waitMs = this.waitMs(row, now);
      if (waitMs > 0) nextMs = Math.min(nextMs, waitMs);
      else this.ask(row);
    }
    this.checkIn(nextMs);
  }

  /** How long until the job is asked for; Infinity: not at all, unless something changes. */
  private waitMs(row: DoubtRow, now: number): number {
    const { store, profiles } = this.deps;
    const pause = WAITS_MS[row.asks];
    if (pause === undefined || this.asks.isAsking(row.id) || isPaused(store.read, row.lane)) return Infinity;
    const kept = keptOf(store.read, row);
    const job = { state: row.state, kind: row.kind, profileId: row.profile_id, ...(kept ? { kept } : {}) };
    const offer = askAgainOf(job, profiles.get(row.profile_id), now);
    if (!offer.can || !offer.night) return Infinity;
    const failedMs = (this.failed.get(row.id)?.at ?? now) - now;
    return Math.max((row.asked_at ?? now) + pause - now, failedMs, this.limits.capacityOf(row.lane).waitMs);
  }

  private ask({ id }: DoubtRow): void {
    const { store, log } = this.deps;
    void this.asks
      .ask(id, (write) => {
        const written = store.transaction(write);
        return written.ok ? { ok: true, data: true } : written;
      })
      .then((asked) => (asked.ok ? this.failed.delete(id) : this.hasFailed(id)))
      .catch((error: unknown) => {
        log.error({ job: id, error: String(error) }, 'a job in doubt could not be asked for');
        this.hasFailed(id);
      })
      .finally(() => this.wake());
  }

  private hasFailed(id: string): void {
    const times = (this.failed.get(id)?.times ?? 0) + 1;
    const ms = Math.min(LONGEST_FAILED_MS, FAILED_MS * 2 ** Math.min(times - 1, 10));
    this.failed.set(id, { times, at: this.deps.clock.now() + ms });
  }
}
