import type { PollOutcome } from '../gateway/index.ts';
import type { PreparedOutput } from '../library/index.ts';
import type { WriteDb } from '../store/index.ts';
import { FIRST_POLL_MS, GIVE_UP_MS, GRACE_MS, pollDelay } from './backoff.ts';
import type { EngineDeps } from './deps.ts';
import { finishFetched } from './fetched.ts';
import * as outcomes from './outcomes.ts';
import { persist } from './persist.ts';
import { rowById } from './records.ts';
import { type JobRow, remoteOf } from './row.ts';
import * as statements from './statements.ts';
import { reconsiderDependents } from './waiting.ts';

export interface PollerHooks {
  changed(ids: string[]): void;
  reached(profileId: string, yes: boolean): void;
}

const AT_ONCE = 8;
const SHORTEST_GAP_MS = 1_000;
/** Polls of open tasks after a restart begin spread over this long. */
const RESUME_SPREAD_MS = 3_000;

/** Follows accepted tasks until they are over. A failed poll never fails a job; a webhook only brings a poll forward. */
export class Poller {
  private readonly due = new Map<string, number>();
  private readonly lastLook = new Map<string, number>();
  private readonly looking = new Map<string, Promise<unknown>>();
  private readonly stop = new AbortController();
  private cancelTimer: (() => void) | undefined;
  private readonly deps: EngineDeps;
  private readonly hooks: PollerHooks;

  constructor(deps: EngineDeps, hooks: PollerHooks) {
    this.deps = deps;
    this.hooks = hooks;
  }

  /** Starts following a task just accepted. */
  follow(jobId: string): void {
    this.schedule(jobId, this.deps.clock.now() + FIRST_POLL_MS);
  }

  /** Follows everything that was open when Dailies ended, spread out. */
  resume(): void {
    const now = this.deps.clock.now();
    for (const row of this.deps.store.read.all<JobRow>(statements.followed)) {
      if (!isFollowed(row, now)) continue;
      this.schedule(row.id, this.deps.clock.now() + Math.round(this.deps.random() * RESUME_SPREAD_MS));
    }
  }

  /** Somebody says that there is news: look now, unless it was looked at just now. */
  poke(jobId: string): void {
    const row = rowById(this.deps.store.read, jobId);
    if (!row || !remoteOf(row) || !isAsked(row, this.deps.clock.now())) return;
    this.schedule(jobId, Math.max(this.deps.clock.now(), (this.lastLook.get(jobId) ?? 0) + SHORTEST_GAP_MS));
  }

  /** One authoritative look, for a job in doubt. */
  async lookUp(jobId: string): Promise<void> {
    await this.looking.get(jobId);
    await this.lookOnce(jobId);
    this.again(jobId);
  }

  async close(): Promise<void> {
    this.stop.abort();
    this.cancelTimer?.();
    await Promise.allSettled(this.looking.values());
  }

  private schedule(jobId: string, at: number): void {
    this.due.set(jobId, at);
    this.arm();
  }

  private arm(): void {
    this.cancelTimer?.();
    if (this.stop.signal.aborted || this.due.size === 0 || this.looking.size >= AT_ONCE) return;
    let earliest = Infinity;
    for (const [id, at] of this.due) if (!this.looking.has(id)) earliest = Math.min(earliest, at);
    if (earliest === Infinity) return;
    this.cancelTimer = this.deps.clock.after(Math.max(0, earliest - this.deps.clock.now()), () => this.turn());
  }

  private turn(): void {
    const now = this.deps.clock.now();
    const ready = [...this.due].filter(([id, at]) => at <= now && !this.looking.has(id)).sort((a, b) => a[1] - b[1]);
    for (const [id] of ready.slice(0, AT_ONCE - this.looking.size)) {
      this.due.delete(id);
      const look = this.lookOnce(id)
        .catch((error) => this.deps.log.error({ job: id, error: String(error) }, 'a poll ended in an exception'))
        .finally(() => {
          this.looking.delete(id);
          this.again(id);
        });
      this.looking.set(id, look);
    }
    this.arm();
  }

  /** The next look at a task that is still open; a poke that came meanwhile is sooner and stays. */
  private again(jobId: string): void {
    const row = rowById(this.deps.store.read, jobId);
    const task = row && remoteOf(row);
    const now = this.deps.clock.now();
    if (!row || !task || !isFollowed(row, now)) return this.arm();
    const next = now + pollDelay(task.kind, now - task.acceptedAt, this.deps.random);
    this.schedule(jobId, Math.min(next, this.due.get(jobId) ?? Infinity));
  }

  private async lookOnce(jobId: string): Promise<void> {
    const row = rowById(this.deps.store.read, jobId);
    const task = row && remoteOf(row);
    if (!row || !task) return;
    const gateway = await this.deps.profiles.gatewayFor(row.profile_id);
    if (this.stop.signal.aborted) return;
    this.lastLook.set(jobId, this.deps.clock.now());
    const canAsk = gateway !== null && gateway !== 'no key';
    const outcome = canAsk ? await gateway.poll(task, this.stop.signal) : NOBODY_TO_ASK;
    if (this.stop.signal.aborted) return;
    if (canAsk)
      this.hooks.reached(row.profile_id, outcome.type !== 'unreachable' || outcome.error.status !== undefined);
    const prepared = outcome.type === 'done' ? await this.deps.library.prepare(outcome.outputs) : [];
    const changed = this.deps.store.transaction((db) => conclude(this.deps, db, jobId, outcome, prepared));
    if (changed.length > 0) this.hooks.changed(changed);
    if (outcome.type !== 'done') return;
    this.deps.library.kick();
    const finish = () => this.deps.store.transaction((db) => finishFetched(this.deps, db, jobId));
    const finished = await persist(this.deps, () => this.stop.signal.aborted, finish);
    if (finished) this.hooks.changed(finished);
  }
}

/** A canceled one is followed until its bill is known, but no longer than any other. */
const isFollowed = (row: JobRow, now: number): boolean =>
  row.state === 'running' ||
  (row.state === 'canceled' && row.uncertain_nano > 0 && now - (remoteOf(row)?.acceptedAt ?? 0) < GIVE_UP_MS);

const isAsked = (row: JobRow, now: number): boolean => row.state === 'uncertain' || isFollowed(row, now);

const NOBODY_TO_ASK: PollOutcome = {
  type: 'unreachable',
  error: { kind: 'auth', message: 'its profile has no key.', retryable: true, accepted: 'no' },
};

/** What a look says about the job, in one transaction. Returns the ids that changed. */
function conclude(
  deps: EngineDeps,
  db: WriteDb,
  jobId: string,
  outcome: PollOutcome,
  prepared: PreparedOutput[],
): string[] {
  const row = rowById(db, jobId);
  const open = row && isAsked(row, deps.clock.now());
  if (!row || !open) return [];
  switch (outcome.type) {
    case 'running':
      if (outcomes.progressed(deps, db, row, outcome)) return [jobId];
      return giveUp(deps, db, row, 'The service has said nothing final for 65 minutes.') ? [jobId] : [];
    case 'done':
      outcomes.answered(deps, db, row, prepared, outcome.filtered ? { filtered: outcome.filtered } : {});
      return [jobId];
    case 'failed':
      outcomes.ended(deps, db, row, outcomes.errorOf(outcome.error), outcome.billed);
      return [jobId, ...reconsiderDependents(deps, db, jobId)];
    case 'missing':
      return missing(deps, db, row) ? [jobId] : [];
    case 'unreachable':
      return giveUp(deps, db, row, `The service could not be asked: ${outcome.error.message}`) ? [jobId] : [];
    default:
      return [];
  }
}

/** An id that the service does not know stays running for the grace period, then it is in doubt; never failed. */
function missing(deps: EngineDeps, db: WriteDb, row: JobRow): boolean {
  const now = deps.clock.now();
  if (row.missing_since === null) {
    db.run(statements.saveMissing, { id: row.id, since: now });
    return false;
  }
  if (now - row.missing_since < GRACE_MS || row.state !== 'running') return false;
  return lose(deps, db, row, 'The service accepted it, but does not know its task any more.');
}

function giveUp(deps: EngineDeps, db: WriteDb, row: JobRow, message: string): boolean {
  const acceptedAt = remoteOf(row)?.acceptedAt ?? row.created_at;
  if (row.state !== 'running' || deps.clock.now() - acceptedAt < GIVE_UP_MS) return false;
  return lose(deps, db, row, message);
}

function lose(deps: EngineDeps, db: WriteDb, row: JobRow, message: string): boolean {
  outcomes.lost(deps, db, row, { kind: 'timeout', message, retryable: false, accepted: 'unknown' });
  return true;
}
