import type { QueueStatus } from '../../../shared/events.ts';
import { assetRow } from '../library/index.ts';
import type { Store } from '../store/index.ts';
import { CostRecords } from './costRecords.ts';
import type { EngineDeps } from './deps.ts';
import { finishFetched } from './finishFetched.ts';
import { JobCommands } from './jobCommands.ts';
import { JobEvents } from './jobEvents.ts';
import { JobQueries } from './jobQueries.ts';
import { type LaneLimits, limitsOfLane, partsOfLane } from './limits/lanes.ts';
import { Limits } from './limits/limits.ts';
import { reevaluateRun } from './nightMembership.ts';
import { persist } from './persist.ts';
import { Poller } from './polls/poller.ts';
import { saveTaskIdFromWebhook } from './polls/webhookTaskId.ts';
import { PriceMismatches } from './priceMismatches.ts';
import { recover } from './recovery.ts';
import type { JobRow } from './row.ts';
import { Runner } from './runner.ts';
import { Scheduler } from './scheduler.ts';
import * as statements from './statements.ts';
import { reevaluate, reevaluateDependents, WAITS_FOR_USER } from './waiting.ts';

/** How long closing waits for answers in flight; jobs whose answer has not arrived by then are in doubt at the next start. */
const CLOSE_WAIT_MS = 4_000;

/** The durable job engine. Other modules call its commands and queries; it reacts to what happens elsewhere by {@link CoreEvents}. */
export class Engine {
  readonly commands: JobCommands;
  readonly queries: JobQueries;
  readonly priceMismatches: PriceMismatches;
  private readonly deps: EngineDeps;
  private readonly store: Store;
  private readonly jobEvents: JobEvents;
  private readonly limits: Limits;
  private readonly scheduler: Scheduler;
  private readonly poller: Poller;
  private readonly runner: Runner;
  private readonly costRecords: CostRecords;
  private closed = false;

  constructor(deps: EngineDeps) {
    this.deps = deps;
    this.store = deps.store;
    const changed = (ids: string[]) => this.announce(ids);
    this.queries = new JobQueries(deps.store);
    this.priceMismatches = new PriceMismatches(deps, changed);
    this.limits = new Limits(deps, {
      wake: () => this.wake(),
      hostReachable: (isOnHost) => this.scheduler.hostReachable(isOnHost),
      hostUnreachable: () => this.jobEvents.changed([]),
    });
    this.jobEvents = new JobEvents(deps, () => ({
      paused: this.queries.isPaused(),
      offline: this.isOffline(deps.profiles.active().id),
    }));
    this.poller = new Poller(deps, this.limits, { changed });
    this.costRecords = new CostRecords(deps, changed);
    this.runner = new Runner(deps, this.limits, {
      changed,
      taskAccepted: (id) => this.poller.follow(id),
      streamEnded: (id) => this.costRecords.follow(id),
    });
    this.scheduler = new Scheduler(deps, this.limits, {
      changed: (ids) => this.jobEvents.changed(ids),
      send: (row, gateway) => void this.runner.send(row, gateway),
    });
    const { scheduler, poller, runner } = this;
    this.commands = new JobCommands(deps, { scheduler, poller, runner, announce: changed });
    this.subscribe();
  }

  /** Recovers what an earlier end left incomplete, and resumes all open jobs. */
  start(): void {
    const recovered = this.store.transaction((db) => recover(this.deps, db));
    for (const { lane, next_at } of this.store.read.all<JobRow>(statements.blockedBy, { reason: 'rate' }))
      this.limits.restoreHold(lane, next_at ?? 0);
    this.announce(recovered);
    this.poller.resume();
    this.costRecords.resume();
    this.deps.library.wakeDownloads();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.limits.close();
    this.costRecords.close();
    this.scheduler.close();
    await this.poller.close();
    let cancelTimeout = (): void => undefined;
    const timeout = new Promise<void>((done) => {
      cancelTimeout = this.deps.clock.after(CLOSE_WAIT_MS, done);
    });
    await Promise.race([Promise.allSettled(this.runner.allInFlight()), timeout]);
    cancelTimeout();
    this.runner.close();
    this.jobEvents.close();
  }

  status(): QueueStatus {
    return this.jobEvents.status();
  }

  isOffline(profileId: string): boolean {
    return this.limits.isOffline(profileId);
  }

  /** The limits of a lane, by which a night's duration is estimated. */
  limitsOf(lane: string): LaneLimits {
    const { kind, profileId } = partsOfLane(lane);
    const profile = this.deps.profiles.get(profileId);
    return profile ? limitsOfLane(profile, kind) : { atOnce: 1 };
  }

  private subscribe(): void {
    const { events } = this.deps;
    events.on('profile.changed', (profileId) => this.profileChanged(profileId));
    events.on('budgets.changed', () => this.announce([]));
    events.on('night.changed', (runId) =>
      this.announce(this.store.transaction((db) => reevaluateRun(this.deps, db, runId))),
    );
    events.on('output.settled', (jobId) => void this.outputSettled(jobId));
    events.on('mediaTask.ended', (assetId, kind) => {
      if (kind === 'lastFrame') this.lastFrameEnded(assetId);
    });
    events.on('webhook.received', (jobId) => this.poller.pollNow(jobId));
    events.on('webhook.bodyReceived', (jobId, body) => this.webhookBodyReceived(jobId, body));
  }

  /** The end of a pause: jobs that waited for it may be sent and polled again. */
  private wake(): void {
    this.scheduler.wake();
    this.poller.wake();
  }

  /** After a commit: emits what changed, and sends what may be sent now. */
  private announce(ids: string[]): void {
    this.jobEvents.changed(ids);
    this.scheduler.moneyChanged();
    this.scheduler.wake();
  }

  /** Jobs that were blocked by the profile's key, a refusal or its quota go on. */
  private profileChanged(profileId: string): void {
    const ids = this.store.transaction((db) => {
      const reasons = [...WAITS_FOR_USER, 'offline'];
      const rows = reasons.flatMap((reason) => db.all<JobRow>(statements.blockedBy, { reason }));
      const blocked = rows.filter((row) => row.profile_id === profileId).map((row) => ({ ...row, next_at: null }));
      return blocked.filter((row) => reevaluate(this.deps, db, row)).map((row) => row.id);
    });
    this.limits.profileChanged(profileId);
    this.announce(ids);
  }

  private async outputSettled(jobId: string): Promise<void> {
    const finish = () => this.store.grouped((db) => finishFetched(this.deps, db, jobId));
    const changed = await persist(this.deps, () => this.closed, finish);
    if (changed) this.announce(changed);
  }

  /** A last frame was taken, or cannot be taken: the jobs that wait for it go on, or fail. */
  private lastFrameEnded(clipId: string): void {
    const jobId = assetRow(this.store.read, clipId)?.job_id;
    if (jobId) this.announce(this.store.transaction((db) => reevaluateDependents(this.deps, db, jobId)));
  }

  /** The body only names the task to poll; the service's answer to that poll decides. */
  private webhookBodyReceived(jobId: string, body: string): void {
    if (this.store.transaction((db) => saveTaskIdFromWebhook(this.deps, db, jobId, body))) this.poller.pollNow(jobId);
  }
}
