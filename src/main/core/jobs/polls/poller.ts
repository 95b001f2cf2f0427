import type { Gateway, PollOutcome, RemoteTask } from '../../gateway/index.ts';
import { FIRST_POLL_MS, spread } from '../backoff.ts';
import type { EngineDeps } from '../deps.ts';
import { finishFetched } from '../fetched.ts';
import type { TaskDriver } from '../kinds/driver.ts';
import { taskDriverOf } from '../kinds/index.ts';
import type { Limits } from '../limits/limits.ts';
import { reportOfPoll } from '../limits/reports.ts';
import { persist } from '../persist.ts';
import { remoteOf } from '../row.ts';
import * as statements from '../statements.ts';
import { DueHeap } from './dueHeap.ts';
import { conclude, isAbout, isAsked, isFollowed, isNoNews, type LookedAt } from './looks.ts';
import { PollPace } from './pollPace.ts';

export interface PollerHooks {
  changed(ids: string[]): void;
}

type Gate = Pick<Limits, 'pollWaitMs' | 'polling' | 'heardOfPoll'>;

const AT_ONCE = 8;
/** Polls of open tasks after a restart begin spread over this long. */
const RESUME_SPREAD_MS = 3_000;
/** Between two looks that were asked for; doubled while they bring nothing new. */
const SHORTEST_GAP_MS = 1_000;
const MOST_DOUBLINGS = 4;

interface Task {
  driver: TaskDriver;
  profileId: string;
  remote: RemoteTask;
  lookedAt: number;
  /** It is looked at because somebody asked. */
  asked: boolean;
  /** Such looks in a row that brought nothing new. */
  vain: number;
  /** Somebody says that there is news, while it is being looked at. */
  askedMeanwhile: boolean;
}

/** Follows accepted tasks until they are over. A failed poll never fails a job; a webhook only brings a poll forward. */
export class Poller {
  private readonly tasks = new Map<string, Task>();
  private readonly due = new DueHeap();
  /** Of which somebody says that there is news: they go before all others. */
  private readonly asked = new DueHeap();
  /** Their time has come, but their service may not be asked yet. */
  private readonly heldUp = new Set<string>();
  private readonly looking = new Map<string, Promise<void>>();
  private readonly pace = new PollPace();
  private readonly stop = new AbortController();
  private timer: { at: number; cancel(): void } | undefined;
  private readonly deps: EngineDeps;
  private readonly limits: Gate;
  private readonly hooks: PollerHooks;

  constructor(deps: EngineDeps, limits: Gate, hooks: PollerHooks) {
    this.deps = deps;
    this.limits = limits;
    this.hooks = hooks;
  }

  /** Starts following a task just accepted. */
  follow(jobId: string): void {
    if (!this.take(this.rowOf(jobId))) return;
    this.due.set(jobId, this.deps.clock.now() + FIRST_POLL_MS);
    this.arm();
  }

  /** Follows everything that was open when Dailies ended, spread out. */
  resume(): void {
    const now = this.deps.clock.now();
    for (const row of this.deps.store.read.all<LookedAt>(statements.followed)) {
      if (!isFollowed(row, now) || !this.take(row)) continue;
      this.due.set(row.id, now + Math.round(this.deps.random() * RESUME_SPREAD_MS));
    }
    this.arm();
  }

  /** Somebody says that there is news: look soon. Said again and again without any news, it is believed less and less. */
  poke(jobId: string): void {
    const known = this.tasks.get(jobId);
    if (known && this.looking.has(jobId)) known.askedMeanwhile = true;
    if (this.looking.has(jobId)) return;
    const row = this.rowOf(jobId);
    const task = row && isAsked(row, this.deps.clock.now()) ? this.take(row) : undefined;
    if (!task) return;
    this.askSoon(jobId, task);
    this.arm();
  }

  /** One authoritative look, for a job in doubt. */
  async lookUp(jobId: string): Promise<void> {
    await this.looking.get(jobId);
    if (this.take(this.rowOf(jobId))) await this.look(jobId);
  }

  /** What held tasks up may be over. */
  kick(): void {
    for (const jobId of this.heldUp) this.due.set(jobId, this.deps.clock.now());
    this.heldUp.clear();
    this.arm();
  }

  async close(): Promise<void> {
    this.stop.abort();
    this.timer?.cancel();
    await Promise.allSettled(this.looking.values());
  }

  private rowOf(jobId: string): LookedAt | undefined {
    return this.deps.store.read.one<LookedAt>(statements.lookedAt, { id: jobId });
  }

  private take(row: LookedAt | undefined): Task | undefined {
    const remote = row && remoteOf(row);
    const driver = row && taskDriverOf(row);
    if (!row || !remote || !driver) return undefined;
    const known = this.tasks.get(row.id);
    const task = known
      ? Object.assign(known, { remote })
      : {
          driver,
          profileId: row.profile_id,
          remote,
          lookedAt: -Infinity,
          asked: false,
          vain: 0,
          askedMeanwhile: false,
        };
    this.tasks.set(row.id, task);
    return task;
  }

  private forget(jobId: string): void {
    this.tasks.delete(jobId);
    this.heldUp.delete(jobId);
    this.due.delete(jobId);
    this.asked.delete(jobId);
  }

  private askSoon(jobId: string, task: Task): void {
    const gap = SHORTEST_GAP_MS * 2 ** Math.min(task.vain, MOST_DOUBLINGS);
    task.asked = true;
    this.asked.set(jobId, Math.max(this.deps.clock.now(), task.lookedAt + gap));
  }

  /** Wakes at the earliest time at which a look may begin. */
  private arm(): void {
    if (this.stop.signal.aborted || this.looking.size >= AT_ONCE) return;
    const earliest = Math.min(this.asked.first()?.at ?? Infinity, this.due.first()?.at ?? Infinity);
    if (earliest === Infinity) return;
    const now = this.deps.clock.now();
    const at = Math.max(now, earliest, now + this.pace.waitMs(now));
    if (this.timer && this.timer.at <= at) return;
    this.timer?.cancel();
    this.timer = { at, cancel: this.deps.clock.after(at - now, () => this.turn()) };
  }

  private turn(): void {
    this.timer = undefined;
    const now = this.deps.clock.now();
    while (this.looking.size < AT_ONCE && this.pace.waitMs(now) === 0) {
      const jobId = this.nextDue(now);
      if (jobId === undefined) break;
      void this.look(jobId);
    }
    this.arm();
  }

  /** Takes the next task whose time has come and whose service may be asked; those of a service that may not wait for it. */
  private nextDue(now: number): string | undefined {
    for (const heap of [this.asked, this.due]) {
      for (let first = heap.first(); first && first.at <= now; first = heap.first()) {
        const task = this.tasks.get(first.name);
        const waitMs = task ? this.limits.pollWaitMs(task.profileId, task.lookedAt === -Infinity) : 0;
        if (waitMs > 0) {
          heap.set(first.name, now + waitMs);
          this.heldUp.add(first.name);
          continue;
        }
        this.heldUp.delete(first.name);
        this.asked.delete(first.name);
        this.due.delete(first.name);
        if (task) return first.name;
      }
    }
    return undefined;
  }

  private look(jobId: string): Promise<void> {
    this.pace.spend(1);
    const task = this.tasks.get(jobId);
    if (task) this.limits.polling(task.profileId);
    const look = this.lookOnce(jobId)
      .catch((error) => {
        this.deps.log.error({ job: jobId, error: String(error) }, 'a poll ended in an exception');
        return this.rowOf(jobId);
      })
      .then((row) => {
        this.looking.delete(jobId);
        this.again(jobId, row);
      });
    this.looking.set(jobId, look);
    return look;
  }

  /** The next look at a task that is still open. */
  private again(jobId: string, row: LookedAt | undefined): void {
    const now = this.deps.clock.now();
    const task = this.tasks.get(jobId);
    if (!task || !row || !isFollowed(row, now)) this.forget(jobId);
    else {
      this.due.set(jobId, now + spread(task.driver.pollEveryMs(now - task.remote.acceptedAt), this.deps.random));
      if (task.askedMeanwhile) this.askSoon(jobId, task);
      task.askedMeanwhile = false;
    }
    this.arm();
  }

  /** Returns the job as it is then. */
  private async lookOnce(jobId: string): Promise<LookedAt | undefined> {
    const task = this.tasks.get(jobId);
    if (!task) return undefined;
    const { store, clock } = this.deps;
    const opened = await this.deps.profiles.openClient(task.profileId);
    if (this.stop.signal.aborted) return undefined;
    task.lookedAt = clock.now();
    const asked = task.remote;
    const outcome = opened.status === 'ready' ? await this.ask(jobId, task, opened.client) : NOBODY_TO_ASK;
    if (this.stop.signal.aborted) return undefined;
    const row = this.rowOf(jobId);
    if (task.asked) task.vain += 1;
    task.asked = false;
    if (!row || !isAbout(row, asked, clock.now()) || isNoNews(row, outcome, clock.now())) return row;
    const prepared = outcome.type === 'done' ? await this.deps.library.storeInlineOutputs(outcome.outputs) : [];
    const changed = await store.grouped((db) => conclude(this.deps, db, jobId, { asked, outcome, prepared }));
    const fresh = this.rowOf(jobId);
    this.take(fresh);
    if (changed.length > 0) {
      task.vain = 0;
      this.hooks.changed(changed);
    }
    if (outcome.type === 'done') await this.finish(jobId);
    return fresh;
  }

  private async ask(jobId: string, task: Task, gateway: Gateway): Promise<PollOutcome> {
    const at = this.deps.clock.now();
    const outcome = await task.driver.poll(gateway, task.remote, this.stop.signal);
    if (outcome.type === 'missing') this.pace.spend(task.driver.extraPollsIfMissing);
    if (!this.stop.signal.aborted)
      this.limits.heardOfPoll({ profileId: task.profileId, order: jobId, at }, reportOfPoll(outcome));
    return outcome;
  }

  private async finish(jobId: string): Promise<void> {
    this.deps.library.wakeDownloads();
    const finish = () => this.deps.store.grouped((db) => finishFetched(this.deps, db, jobId));
    const finished = await persist(this.deps, () => this.stop.signal.aborted, finish);
    if (finished) this.hooks.changed(finished);
  }
}

const NOBODY_TO_ASK: PollOutcome = {
  type: 'unreachable',
  error: { kind: 'auth', message: 'its profile has no key.', retryable: true, accepted: 'no' },
};
