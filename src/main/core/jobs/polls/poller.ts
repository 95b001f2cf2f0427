import { ASSUMED_LINK_LIFE_MS } from '../../../../shared/library/asset.ts';
import { t } from '../../../../shared/text/texts.ts';
import { monotonicTime } from '../../clockWatch.ts';
import type { Gateway, OpenedClient, PollOutcome, RemoteTask } from '../../gateway/index.ts';
import type { EngineDeps } from '../deps.ts';
import { GatewayLastSeen } from '../gatewayLastSeen.ts';
import type { TaskDriver } from '../kinds/driver.ts';
import { taskDriverOf } from '../kinds/index.ts';
import { type Limits, pollLaneOf } from '../limits/limits.ts';
import { signalOf } from '../limits/throttle.ts';
import * as statements from '../queries/jobSql.ts';
import type { PollCounts } from '../recordEvidence.ts';
import { remoteOf } from '../row.ts';
import { FIRST_POLL_MS, GIVE_UP_MS, pollEveryMs, withJitter } from '../sending/backoff.ts';
import { receiveResults } from '../sending/finishDownloads.ts';
import {
  applyPollOutcome,
  isPolled,
  isPolledAgain,
  isSameTask,
  isUnchanged,
  lacksFile,
  lacksKey,
  mayBePolled,
  noPolls,
  type PolledJob,
  type PollingTime,
  withPoll,
} from './pollOutcomes.ts';
import { activePollingTime, earliestOf, PollRateLimiter } from './pollTimes.ts';

type PollLimits = Pick<Limits, 'pollWaitMs' | 'started' | 'ended'>;

const MAX_CONCURRENT = 8;
/** After a restart the first polls of open tasks are spread over this time. */
const RESUME_SPREAD_MS = 3_000;
/** Between two requested polls of a task; doubled while they change nothing. */
const MIN_REQUESTED_GAP_MS = 1_000;
const MAX_DOUBLINGS = 4;
/** Between two polls of an unconfirmed task whose service does not answer. */
const IN_DOUBT_POLL_MS = 60_000;

interface AskedTask {
  driver: TaskDriver;
  profileId: string;
  remote: RemoteTask;
}

interface Task extends AskedTask {
  polledAt: number;
  /** The next poll was requested, such as by a webhook. */
  isRequested: boolean;
  /** Consecutive requested polls that changed nothing. */
  unchangedPolls: number;
  /** Another poll was requested while one was in flight. */
  requestedWhilePolling: boolean;
  /** Polls and answers since the last record. */
  counts: PollCounts;
  /** When it was asked for first, by {@link activePollingTime}; anew once it was found again. */
  askedSince?: number | undefined;
  /** The time of the first unanswered poll in a row; undefined while the service answers. */
  silentSince?: number | undefined;
  /** The last answer reported success without naming a file. */
  isFileDue?: boolean;
  /** The job was found canceled; the time limit counts from then. */
  isCanceled?: true;
}

/** Polls accepted tasks until they end. A failed poll never fails a job; a webhook only brings the next poll forward. */
export class Poller {
  private readonly tasks = new Map<string, Task>();
  /** When each task is polled next. */
  private readonly due = new Map<string, number>();
  /** Tasks whose poll was requested: they go before all others. */
  private readonly requested = new Map<string, number>();
  /** Tasks that are due, but whose service may not be called yet. */
  private readonly heldUp = new Set<string>();
  private readonly inFlight = new Map<string, Promise<void>>();
  private readonly rateLimiter = new PollRateLimiter();
  private readonly stop = new AbortController();
  private timer: { at: number; cancel(): void } | undefined;
  private readonly deps: EngineDeps;
  /** The clock for due times of polls; it never goes back. Times in rows use the normal clock. */
  private readonly time: () => number;
  /** The time spent polling, which decides when tasks are given up. */
  private readonly askingTime: () => number;
  private readonly limits: PollLimits;
  private readonly changed: () => void;
  private readonly seen: GatewayLastSeen;

  /** `changed`: after a commit, jobs changed. */
  constructor(deps: EngineDeps, limits: PollLimits, changed: () => void) {
    this.deps = deps;
    this.time = monotonicTime(deps.clock);
    this.askingTime = activePollingTime(this.time);
    this.limits = limits;
    this.changed = changed;
    this.seen = new GatewayLastSeen(deps);
  }

  /** Starts to poll a newly accepted task. */
  follow(jobId: string): void {
    if (!this.track(this.rowOf(jobId))) return;
    this.due.set(jobId, this.time() + FIRST_POLL_MS);
    this.schedule();
  }

  /** Polls canceled jobs that are not polled yet: an earlier request may have a task that was given up. */
  followCanceled(jobIds: readonly string[]): void {
    for (const jobId of jobIds) {
      const row = this.tasks.has(jobId) ? undefined : this.rowOf(jobId);
      if (row?.state === 'canceled' && isPolled(row, this.deps.clock.now())) this.follow(jobId);
    }
  }

  /** Stops polling a job. If the job is sent again, a poll of its earlier task must not decide about the new request. */
  leave(jobId: string): void {
    for (const each of [this.tasks, this.heldUp, this.due, this.requested]) each.delete(jobId);
  }

  /** At start, resumes polling every open task, spread over some seconds. */
  resume(): void {
    const now = this.deps.clock.now();
    const { read } = this.deps.store;
    const open = read.all<PolledJob>(statements.polledJobs).filter((row) => isPolled(row, now));
    const lost = read.all<PolledJob>(statements.lostTasks, { since: now - ASSUMED_LINK_LIFE_MS });
    for (const row of [...open, ...lost]) {
      if (!this.track(row)) continue;
      this.due.set(row.id, this.time() + Math.round(this.deps.random() * RESUME_SPREAD_MS));
    }
    this.schedule();
  }

  /** Polls a task soon. While such requests change nothing, their polls come less and less often. */
  pollNow(jobId: string): void {
    const row = this.rowOf(jobId);
    const task = row && mayBePolled(row, this.deps.clock.now()) ? this.track(row) : undefined;
    if (!task) return;
    if (this.inFlight.has(jobId)) {
      task.requestedWhilePolling = true;
      return;
    }
    this.requestPoll(jobId, task);
    this.schedule();
  }

  /** Whether the answer is still expected. A service that was silent for too long may never answer, although it is still polled. */
  isAsking(jobId: string): boolean {
    const task = this.tasks.get(jobId);
    const row = task && this.rowOf(jobId);
    const silentMs = task?.silentSince === undefined ? 0 : this.askingTime() - task.silentSince;
    return row !== undefined && silentMs < GIVE_UP_MS && mayBePolled(row, this.deps.clock.now());
  }

  /** Polls once for an unconfirmed job, and resolves when the outcome is written. */
  async lookUp(jobId: string): Promise<void> {
    await this.inFlight.get(jobId);
    if (this.track(this.rowOf(jobId))) await this.poll(jobId);
  }

  /** Polls once for the task that results came from, without changing the job. Undefined if there is no task. */
  async ask(jobId: string): Promise<PollOutcome | undefined> {
    const row = this.rowOf(jobId);
    const remote = row && remoteOf(row);
    const driver = row && taskDriverOf(row);
    if (!row || !remote || !driver) return undefined;
    const { profile_id: profileId } = row;
    if (this.stop.signal.aborted || this.limits.pollWaitMs(profileId) > 0 || this.rateLimiter.waitMs(this.time()) > 0)
      return NOT_ASKED;
    return this.askOnce(jobId, { driver, profileId, remote }).catch((error) => {
      this.deps.log.error({ job: jobId, error: String(error) }, 'a poll ended in an exception');
      return NOT_ASKED;
    });
  }

  private async askOnce(jobId: string, task: AskedTask): Promise<PollOutcome> {
    const opened = await this.deps.profiles.openClient(task.profileId);
    if (opened.status !== 'ready') return withoutClient(opened.status);
    this.rateLimiter.spend(1);
    this.limits.started(pollLaneOf(task.profileId));
    return this.pollService(jobId, task, opened.client);
  }

  /** The tasks that were held up may be polled again. */
  wake(): void {
    for (const jobId of this.heldUp) this.due.set(jobId, this.time());
    this.heldUp.clear();
    this.schedule();
  }

  async close(): Promise<void> {
    this.stop.abort();
    this.timer?.cancel();
    await Promise.allSettled(this.inFlight.values());
  }

  private rowOf(jobId: string): PolledJob | undefined {
    return this.deps.store.read.one<PolledJob>(statements.polledJob, { id: jobId });
  }

  private track(row: PolledJob | undefined): Task | undefined {
    const remote = row && remoteOf(row);
    const driver = row && taskDriverOf(row);
    if (!row || !remote || !driver) return undefined;
    const known = this.tasks.get(row.id);
    const same = known?.remote.id === remote.id ? known : undefined;
    // A task that was found again gets the full time limit of a newly accepted one.
    if (same && same.remote.acceptedAt !== remote.acceptedAt) same.askedSince = undefined;
    const task = same
      ? Object.assign(same, { remote })
      : {
          driver,
          profileId: row.profile_id,
          remote,
          polledAt: -Infinity,
          isRequested: false,
          unchangedPolls: 0,
          requestedWhilePolling: false,
          counts: noPolls(this.deps.clock.now()),
        };
    this.tasks.set(row.id, task);
    return task;
  }

  private requestPoll(jobId: string, task: Task): void {
    const gap = MIN_REQUESTED_GAP_MS * 2 ** Math.min(task.unchangedPolls, MAX_DOUBLINGS);
    task.isRequested = true;
    this.requested.set(jobId, Math.max(this.time(), task.polledAt + gap));
  }

  /** Schedules the next poll for the earliest time at which one may begin. */
  private schedule(): void {
    if (this.stop.signal.aborted || this.inFlight.size >= MAX_CONCURRENT) return;
    const earliest = earliestOf(this.requested, this.due);
    if (earliest === Infinity) return;
    const now = this.time();
    const at = Math.max(now, earliest, now + this.rateLimiter.waitMs(now));
    if (this.timer && this.timer.at <= at) return;
    this.timer?.cancel();
    this.timer = { at, cancel: this.deps.clock.after(at - now, () => this.pollDue()) };
  }

  private pollDue(): void {
    this.timer = undefined;
    const now = this.time();
    this.askingTime();
    while (this.inFlight.size < MAX_CONCURRENT && this.rateLimiter.waitMs(now) === 0) {
      const jobId = this.takeNextDue(now);
      if (jobId === undefined) break;
      void this.poll(jobId);
    }
    this.schedule();
  }

  /** Takes the next due task whose service may be called now. */
  private takeNextDue(now: number): string | undefined {
    const jobId = this.firstOf(this.requested, now) ?? this.firstOf(this.due, now);
    if (jobId === undefined) return undefined;
    for (const each of [this.heldUp, this.requested, this.due]) each.delete(jobId);
    return jobId;
  }

  /** The first due task. Tasks of services that may not be called now are held up. */
  private firstOf(times: Map<string, number>, now: number): string | undefined {
    let [first, earliest]: [string | undefined, number] = [undefined, Infinity];
    for (const [jobId, at] of times) {
      const task = at <= now && at < earliest ? this.tasks.get(jobId) : undefined;
      if (!task) continue;
      const waitMs = this.limits.pollWaitMs(task.profileId, task.polledAt === -Infinity);
      if (waitMs <= 0) [first, earliest] = [jobId, at];
      else {
        times.set(jobId, now + waitMs);
        this.heldUp.add(jobId);
      }
    }
    return first;
  }

  private poll(jobId: string): Promise<void> {
    this.rateLimiter.spend(1);
    const task = this.tasks.get(jobId);
    if (task) this.limits.started(pollLaneOf(task.profileId));
    const poll = this.pollOnce(jobId)
      .catch((error) => {
        this.deps.log.error({ job: jobId, error: String(error) }, 'a poll ended in an exception');
        if (task) this.askedAgain(task, false);
        return this.rowOf(jobId);
      })
      .then((row) => {
        this.inFlight.delete(jobId);
        this.scheduleNext(jobId, row);
      });
    this.inFlight.set(jobId, poll);
    return poll;
  }

  /** Schedules the next poll of a task that is still open. */
  private scheduleNext(jobId: string, row: PolledJob | undefined): void {
    const now = this.deps.clock.now();
    const task = this.tasks.get(jobId);
    const askedMs = task?.askedSince === undefined ? 0 : this.askingTime() - task.askedSince;
    const isSilent = task?.silentSince !== undefined;
    const isFileDue = task?.isFileDue === true;
    const goesOn = row !== undefined && isPolledAgain(row, { now, askedMs, isSilent, isFileDue });
    const isRequested = task?.requestedWhilePolling === true && row !== undefined && mayBePolled(row, now);
    if (!task || !(goesOn || isRequested)) this.leave(jobId);
    else {
      const isInDoubt = row?.state !== 'running' && (isSilent || isFileDue);
      const everyMs = Math.max(isInDoubt ? IN_DOUBT_POLL_MS : 0, pollEveryMs(task, now));
      if (goesOn) this.due.set(jobId, this.time() + withJitter(everyMs, this.deps.random));
      if (isRequested) this.requestPoll(jobId, task);
      task.requestedWhilePolling = false;
    }
    this.schedule();
  }

  /** Returns the job as it is after the poll. */
  private async pollOnce(jobId: string): Promise<PolledJob | undefined> {
    const task = this.tasks.get(jobId);
    if (!task) return undefined;
    const { store, clock } = this.deps;
    const opened = await this.deps.profiles.openClient(task.profileId);
    if (this.stop.signal.aborted) return undefined;
    task.polledAt = this.time();
    const polled = task.remote;
    const outcome =
      opened.status === 'ready' ? await this.pollService(jobId, task, opened.client) : withoutClient(opened.status);
    if (this.stop.signal.aborted) return undefined;
    // The job was sent again meanwhile: an answer about its earlier task must not decide about the new request.
    if (this.tasks.get(jobId) !== task) return this.rowOf(jobId);
    void this.seen.noteAnswer(task.profileId, outcome);
    const counts = withPoll(task.counts, outcome.type);
    task.counts = counts;
    task.isFileDue = lacksFile(outcome);
    const asking = this.askedAgain(task, outcome.type !== 'unreachable');
    const row = this.rowOf(jobId);
    // Without a key nobody polled, so the time limit starts once there is a key.
    if (row?.state === 'running' && lacksKey(outcome))
      Object.assign(task, { askedSince: undefined, silentSince: undefined });
    if (row?.state === 'canceled' && !task.isCanceled)
      Object.assign(task, { isCanceled: true, askedSince: this.askingTime() });
    if (task.isRequested) task.unchangedPolls += 1;
    task.isRequested = false;
    const now = clock.now();
    if (!row || !isSameTask(row, polled, now) || isUnchanged(row, outcome, asking, now)) return row;
    const prepared = outcome.type === 'done' ? await this.deps.library.storeInlineOutputs(outcome.outputs) : [];
    const hasChanged = await store.grouped((db) =>
      applyPollOutcome(this.deps, db, jobId, { polled, outcome, prepared, counts, asking }),
    );
    const fresh = this.rowOf(jobId);
    this.track(fresh);
    if (hasChanged) {
      task.unchangedPolls = 0;
      this.changed();
    }
    const isClosed = () => this.stop.signal.aborted;
    if (outcome.type === 'done') await receiveResults(this.deps, isClosed, jobId, this.changed);
    return fresh;
  }

  private askedAgain(task: Task, isAnswered: boolean): PollingTime {
    const now = this.askingTime();
    // For a canceled task the time limit starts once its service answers again.
    if (isAnswered && task.isCanceled && task.silentSince !== undefined) task.askedSince = now;
    task.askedSince ??= now;
    task.silentSince = isAnswered ? undefined : (task.silentSince ?? now);
    return { totalMs: now - task.askedSince, silentMs: now - (task.silentSince ?? now) };
  }

  private async pollService(jobId: string, task: AskedTask, gateway: Gateway): Promise<PollOutcome> {
    const sentAt = this.deps.clock.now();
    const outcome = await task.driver.poll(gateway, task.remote, this.stop.signal);
    if (outcome.type === 'missing') this.rateLimiter.spend(task.driver.extraPollsIfMissing);
    if (!this.stop.signal.aborted) this.limits.ended(pollLaneOf(task.profileId), { jobId, sentAt }, signalOf(outcome));
    return outcome;
  }
}

const withoutClient = (status: OpenedClient['status']): PollOutcome => ({
  type: 'unreachable',
  ...(status === 'gone' ? {} : { lacksKey: true }),
  error: { kind: 'auth', message: status === 'unreadable' ? UNREADABLE : NO_KEY, retryable: true, accepted: 'no' },
});

const NOT_ASKED: PollOutcome = {
  type: 'unreachable',
  error: { kind: 'network', message: t`The gateway is not asked now.`, retryable: true, accepted: 'no' },
};

const NO_KEY = t`This gateway has no key in Dailies.`;
const UNREADABLE = t`The keychain is locked or does not answer.`;
