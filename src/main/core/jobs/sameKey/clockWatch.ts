import { readFlag, sql, type WriteDb, writeFlag } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';

/** How often the clock is read while something may be asked for again. */
const CHECK_MS = 60_000;
/** How often the time is written, so that a clock that is set back while Dailies is closed is found. */
const WRITE_MS = 10 * 60_000;
/** A time server makes steps as large as this. */
export const STEP_MS = 5_000;
const SEEN = 'clock:seen';

const anySent = sql('jobs.anySent', 'SELECT 1 FROM sent_requests LIMIT 1');
/** Of these, a request was turned away: the service may remember its key until it is sent again. */
const anyTried = sql('jobs.anyTried', `SELECT 1 FROM jobs WHERE state IN ('queued', 'blocked') AND tries > 0 LIMIT 1`);
const lastAttempt = sql(
  'jobs.lastAttemptOfSent',
  'SELECT max(at) AS at FROM attempts WHERE job_id IN (SELECT job_id FROM sent_requests)',
);
const markAttempts = sql(
  'jobs.markSetBack',
  `UPDATE attempts SET clock_set_back = 1 WHERE clock_set_back = 0
     AND job_id IN (SELECT id FROM jobs WHERE state IN ('queued', 'blocked', 'sending', 'running', 'uncertain'))`,
);
/** Their jobs show it, so their revisions grow. */
const showSetBack = sql('jobs.showSetBack', 'UPDATE sent_requests SET other_account = other_account');
const idsOfSent = sql('jobs.idsOfSent', 'SELECT job_id AS id FROM sent_requests');

/**
 * Notices that the clock of this machine was set back. From then on nobody knows how long ago an earlier request was sent, so none of them
 * is asked for again: its key may be forgotten. A clock that is set forward only ends the time sooner. Set back in a sleep, by less than it
 * lasted, it is not noticed.
 */
export class ClockWatch {
  private readonly deps: Pick<EngineDeps, 'store' | 'clock' | 'log'>;
  private readonly changed: (ids: string[]) => void;
  private seen = 0;
  private written = 0;
  private cancelTimer: (() => void) | undefined;
  private closed = false;

  constructor(deps: Pick<EngineDeps, 'store' | 'clock' | 'log'>, announce: (ids: string[]) => void) {
    this.deps = deps;
    this.changed = announce;
  }

  start(): void {
    const { read } = this.deps.store;
    const last = read.one<{ at: number | null }>(lastAttempt)?.at ?? 0;
    this.seen = Math.max(Number(readFlag(read, SEEN)) || 0, last);
    this.tick();
    this.goOn();
  }

  /** Something is about to be sent that may be asked for again. */
  wake(): void {
    if (this.closed || this.cancelTimer) return;
    // Nothing was sent before whose time would matter.
    this.seen = this.deps.clock.now();
    this.checkLater();
  }

  private goOn(): void {
    if (!this.closed && !this.cancelTimer && this.isNeeded()) this.checkLater();
  }

  private checkLater(): void {
    this.cancelTimer = this.deps.clock.after(CHECK_MS, () => {
      this.cancelTimer = undefined;
      this.tick();
      this.goOn();
    });
  }

  private isNeeded(): boolean {
    const { store, log } = this.deps;
    try {
      return (store.read.one(anySent) ?? store.read.one(anyTried)) !== undefined;
    } catch (error) {
      log.error({ error: String(error) }, 'what is being sent cannot be read now; the clock is watched on');
      return true;
    }
  }

  /** Reads the clock. Throws where what follows from it cannot be written: then nothing may be asked for. */
  check(): void {
    const now = this.deps.clock.now();
    if (now < this.seen - STEP_MS) this.setBack(now);
    this.seen = Math.max(this.seen, now);
  }

  close(): void {
    this.closed = true;
    this.cancelTimer?.();
    // Where the start could not be written, the clock was never read.
    if (this.seen > 0) this.write(0);
  }

  private tick(): void {
    try {
      this.check();
    } catch (error) {
      this.deps.log.error({ error: String(error) }, 'it could not be written that the clock was set back');
    }
    this.write(WRITE_MS);
  }

  private setBack(now: number): void {
    const { store, log } = this.deps;
    log.warn({ byMs: this.seen - now }, 'the clock was set back: what was sent before is not asked for again');
    const ids = store.transaction((db) => this.mark(db, now));
    this.seen = now;
    this.written = now;
    this.changed(ids);
  }

  private mark(db: WriteDb, now: number): string[] {
    db.run(markAttempts);
    db.run(showSetBack);
    writeFlag(db, SEEN, `${now}`);
    return db.all<{ id: string }>(idsOfSent).map(({ id }) => id);
  }

  private write(afterMs: number): void {
    if (this.seen - this.written < afterMs || !this.isNeeded()) return;
    try {
      this.deps.store.transaction((db) => writeFlag(db, SEEN, `${this.seen}`));
      this.written = this.seen;
    } catch (error) {
      this.deps.log.error({ error: String(error) }, 'the time could not be written');
    }
  }
}
