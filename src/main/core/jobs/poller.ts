import type { Gateway, PollOutcome } from '../gateway/index.ts';
import type { PreparedOutput } from '../library/index.ts';
import type { WriteDb } from '../store/index.ts';
import { FIRST_POLL_MS, GIVE_UP_MS, GRACE_MS, pollDelay } from './backoff.ts';
import type { EngineDeps } from './deps.ts';
import * as outcomes from './outcomes.ts';
import { rowById } from './records.ts';
import { type JobRow, remoteOf } from './row.ts';
import * as statements from './statements.ts';
import { reconsiderDependents } from './waiting.ts';

/** Follows accepted tasks until they are over. A failed poll never fails a job; a webhook only brings a poll forward. */
export interface Poller {
  /** Starts following a task just accepted. */
  follow(jobId: string): void;
  /** Follows everything that was open when Dailies ended, spread out. */
  resume(): void;
  /** Somebody says that there is news: look now, unless it was looked at just now. */
  poke(jobId: string): void;
  /** One authoritative look, for a job in doubt; true when the service knew it. */
  lookUp(jobId: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface PollerHooks {
  changed(ids: string[]): void;
  reached(profileId: string, yes: boolean): void;
}

const AT_ONCE = 8;
const SHORTEST_GAP_MS = 1_000;
/** Polls of open tasks after a restart begin spread over this long. */
const RESUME_SPREAD_MS = 3_000;

export function createPoller(deps: EngineDeps, hooks: PollerHooks): Poller {
  const due = new Map<string, number>();
  const lastLook = new Map<string, number>();
  const looking = new Map<string, Promise<unknown>>();
  const stop = new AbortController();
  let cancelTimer: (() => void) | undefined;

  const schedule = (jobId: string, at: number): void => {
    due.set(jobId, at);
    arm();
  };

  const arm = (): void => {
    cancelTimer?.();
    if (stop.signal.aborted || due.size === 0 || looking.size >= AT_ONCE) return;
    const earliest = Math.min(...due.values());
    cancelTimer = deps.clock.after(Math.max(0, earliest - deps.clock.now()), turn);
  };

  const turn = (): void => {
    const now = deps.clock.now();
    const ready = [...due].filter(([id, at]) => at <= now && !looking.has(id)).sort((a, b) => a[1] - b[1]);
    for (const [id] of ready.slice(0, AT_ONCE - looking.size)) {
      due.delete(id);
      const look = lookOnce(id)
        .catch((error) => deps.log.error({ job: id, error: String(error) }, 'a poll ended in an exception'))
        .finally(() => {
          looking.delete(id);
          again(id);
        });
      looking.set(id, look);
    }
    arm();
  };

  /** The next look at a task that is still open. */
  const again = (jobId: string): void => {
    const row = rowById(deps.store.read, jobId);
    const task = row && remoteOf(row);
    if (row && task && isFollowed(row)) {
      const age = deps.clock.now() - task.acceptedAt;
      schedule(jobId, deps.clock.now() + pollDelay(task.kind, age, deps.random));
    } else arm();
  };

  const lookOnce = async (jobId: string): Promise<boolean> => {
    const row = rowById(deps.store.read, jobId);
    const task = row && remoteOf(row);
    if (!row || !task) return false;
    const gateway = await deps.profiles.gatewayFor(row.profile_id);
    if (gateway === null || gateway === 'no key' || stop.signal.aborted) return false;
    lastLook.set(jobId, deps.clock.now());
    const outcome = await (gateway as Gateway).poll(task, stop.signal);
    if (stop.signal.aborted) return false;
    hooks.reached(row.profile_id, outcome.type !== 'unreachable' || outcome.error.status !== undefined);
    const prepared = outcome.type === 'done' ? await deps.library.prepare(outcome.outputs) : [];
    const changed = deps.store.transaction((db) => conclude(deps, db, jobId, outcome, prepared));
    if (changed.length > 0) hooks.changed(changed);
    if (outcome.type === 'done') deps.library.kick();
    return outcome.type !== 'missing' && outcome.type !== 'unreachable';
  };

  return {
    follow: (jobId) => schedule(jobId, deps.clock.now() + FIRST_POLL_MS),
    resume: () => {
      for (const row of deps.store.read.all<JobRow>(statements.followed)) {
        schedule(row.id, deps.clock.now() + Math.round(deps.random() * RESUME_SPREAD_MS));
      }
    },
    poke: (jobId) => {
      const row = rowById(deps.store.read, jobId);
      if (!row || !remoteOf(row) || !(isFollowed(row) || row.state === 'uncertain')) return;
      schedule(jobId, Math.max(deps.clock.now(), (lastLook.get(jobId) ?? 0) + SHORTEST_GAP_MS));
    },
    lookUp: async (jobId) => {
      await looking.get(jobId);
      const found = await lookOnce(jobId);
      again(jobId);
      return found;
    },
    close: async () => {
      stop.abort();
      cancelTimer?.();
      await Promise.allSettled(looking.values());
    },
  };
}

const isFollowed = (row: JobRow): boolean =>
  row.state === 'running' || (row.state === 'canceled' && row.uncertain_nano > 0);

/** What a look says about the job, in one transaction. Returns the ids that changed. */
function conclude(
  deps: EngineDeps,
  db: WriteDb,
  jobId: string,
  outcome: PollOutcome,
  prepared: PreparedOutput[],
): string[] {
  const row = rowById(db, jobId);
  const open = row && (isFollowed(row) || row.state === 'uncertain');
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
