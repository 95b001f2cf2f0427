import type { CallParsed, Handlers, HandlersOf } from '../../../shared/contract/contract.ts';
import type { QueueStatus } from '../../../shared/contract/events.ts';
import { fail, ok } from '../../../shared/contract/result.ts';
import { isPlayMoney } from '../../../shared/gateway/profile.ts';
import type { BlockReason } from '../../../shared/jobs/job.ts';
import { laneNamed } from '../../../shared/kinds/index.ts';
import type { Gateway } from '../gateway/index.ts';
import { type AskTask, assetRow, jobsOfAssets } from '../library/index.ts';
import { currentNightRun } from '../night/index.ts';
import { readInThreadIf, type Store } from '../store/index.ts';
import { inSlices, SlicedWork } from '../timeSlicing.ts';
import { BatchWriter } from './commands/batchWriter.ts';
import { BulkWrites } from './commands/bulkWrites.ts';
import { JobCommands } from './commands/jobCommands.ts';
import { ManyJobs } from './commands/manyJobs.ts';
import type { EngineDeps } from './deps.ts';
import { JobEvents } from './jobEvents.ts';
import { rowById } from './jobRepository.ts';
import { type LaneLimits, limitsOfLane, partsOfLane } from './limits/lanes.ts';
import { Limits } from './limits/limits.ts';
import { CostRecords } from './money/costRecords.ts';
import { JobBills } from './money/jobBills.ts';
import { PriceMismatches } from './money/priceMismatches.ts';
import { reevaluateRunInSlices } from './nightMembership.ts';
import { Poller } from './polls/poller.ts';
import { walksManyJobs } from './queries/filter.ts';
import { JobQueries, saveTaskIdFromWebhook } from './queries/jobQueries.ts';
import * as statements from './queries/jobSql.ts';
import { reevaluate, reevaluateDependents, WAITS_FOR_USER } from './reevaluate.ts';
import { isTaskKnown, type JobRow } from './row.ts';
import { finishWritten } from './sending/finishDownloads.ts';
import { IdempotentRetries } from './sending/idempotentRetries.ts';
import { KeyWatch } from './sending/keyWatch.ts';
import { persist } from './sending/persist.ts';
import { recover } from './sending/recovery.ts';
import { Runner } from './sending/runner.ts';
import { Scheduler } from './sending/scheduler.ts';
import { StoredRequests } from './sending/storedRequests.ts';

/** How long closing waits for answers in flight. Jobs without an answer by then are unconfirmed at the next start. */
const CLOSE_WAIT_MS = 4_000;

/** The calls about jobs and the queue, and those about results that need their jobs. */
type EngineHandlers = HandlersOf<'jobs' | 'queue'> &
  Pick<Handlers, 'library.judge' | 'library.ancestry' | 'library.gone'>;

const noSuchLane = fail('invalid_input', 'lane.kind: there is no such lane.', { field: 'lane.kind' });

/** The durable job engine. Other modules call its commands and queries; it reacts to what happens elsewhere by {@link CoreEvents}. */
export class Engine {
  readonly commands: JobCommands;
  readonly many: ManyJobs;
  readonly queries: JobQueries;
  readonly priceMismatches: PriceMismatches;
  readonly batches: BatchWriter;
  readonly bills: JobBills;
  private readonly deps: EngineDeps;
  private readonly store: Store;
  private readonly jobEvents: JobEvents;
  private readonly limits: Limits;
  private readonly scheduler: Scheduler;
  private readonly poller: Poller;
  private readonly runner: Runner;
  private readonly costRecords: CostRecords;
  private readonly slicedWork: SlicedWork;
  private readonly kept: StoredRequests;
  private readonly asks: IdempotentRetries;
  private readonly keyWatch: KeyWatch;
  private readonly bulk: BulkWrites;
  /** Whether an unfinished change of many jobs was already resumed. */
  private hasTakenUpMany = false;
  /** The jobs that {@link recover} changed. Recovery runs once, because requests of this run are not leftovers of an earlier one. */
  private recovered: string[] | undefined;
  private isStarted = false;
  private closed = false;

  constructor(deps: EngineDeps) {
    this.deps = deps;
    this.store = deps.store;
    this.slicedWork = new SlicedWork(deps);
    const changed = () => this.announce();
    this.queries = new JobQueries(deps.store);
    this.priceMismatches = new PriceMismatches(deps, changed);
    this.limits = new Limits(deps, {
      wake: () => this.wake(),
      hostReachable: (isOnHost) => this.hostReachable(isOnHost),
      hostUnreachable: () => this.jobEvents.changed([]),
    });
    this.jobEvents = new JobEvents(deps, () => ({
      paused: this.queries.isPaused(),
      offline: this.isOffline(deps.profiles.active().id),
      ...(this.isStarted ? {} : { waitsForRoom: true }),
    }));
    this.poller = new Poller(deps, this.limits, changed);
    this.costRecords = new CostRecords(deps, changed);
    this.kept = new StoredRequests(deps);
    this.runner = new Runner(deps, this.limits, this.kept, {
      changed,
      taskAccepted: (id) => this.poller.follow(id),
      lostTask: (id) => this.poller.pollNow(id),
      streamEnded: (id) => this.costRecords.follow(id),
    });
    this.keyWatch = new KeyWatch(deps, (profileId) => this.keyKnown(profileId));
    this.scheduler = new Scheduler(deps, this.limits, {
      send: (row, gateway) => this.send(row, gateway),
    });
    const taskAccepted = (id: string) => this.poller.follow(id);
    this.asks = new IdempotentRetries(deps, this.kept, this.limits, { changed, taskAccepted });
    const { scheduler, poller, runner, asks } = this;
    const canceled = (ids: readonly string[]) => this.followCanceled(ids);
    this.bulk = new BulkWrites(deps, {
      announce: changed,
      canceled,
      abort: (id) => runner.abort(id),
      hold: (ids) => scheduler.hold(ids),
    });
    this.many = new ManyJobs(deps, this.bulk, changed);
    this.commands = new JobCommands(deps, {
      scheduler,
      poller,
      runner,
      asks,
      enqueueMany: (call, profile, items) => this.batches.enqueueAll(call, profile, items),
      announce: changed,
      sumsChanged: () => this.sumsChanged(),
      canceled,
    });
    this.bills = new JobBills(deps, {
      isAwaited: (id) => runner.isInFlight(id) || asks.isAsking(id) || poller.isAsking(id),
      // A line may be of no job here.
      changed: () => this.sumsChanged(),
    });
    this.batches = new BatchWriter(deps, this.bulk, (ids) => {
      this.commands.prioritizeFirst(ids);
      this.sumsChanged();
    });
    this.subscribe();
  }

  handlers(): EngineHandlers {
    const { commands, queries, many, store } = this;
    const { profiles } = this.deps;
    const isPlay = () => isPlayMoney(profiles.active().id);
    const setPaused = async (paused: boolean, { lane }: CallParsed<'queue.pause'>) => {
      if (lane && !laneNamed(lane.kind)) return noSuchLane;
      await commands.setPaused(paused, lane);
      return ok(this.status());
    };
    return {
      'jobs.enqueue': (input) => commands.enqueue(input),
      'jobs.get': ({ id }) => queries.get(id),
      'jobs.list': (filter) =>
        readInThreadIf(walksManyJobs(filter), store, (db) => ok(queries.list(filter, isPlay(), db))),
      'jobs.ended': (which) => ok(queries.ended(which, isPlay())),
      'jobs.cancel': ({ id }) => commands.cancel(id),
      'jobs.retry': (input) => commands.retry(input),
      'jobs.move': ({ id, before }) => commands.move(id, before),
      'jobs.resolve': (input) => commands.resolve(input),
      'jobs.allowUnpriced': (input) => commands.allowUnpriced(input),
      'jobs.billedTwice': (input) => commands.billedTwice(input),
      'jobs.settleDoubt': ({ id, billedNano }) => commands.settleDoubt(id, billedNano),
      'jobs.judge': ({ id, verdict }) => commands.setVerdict(id, verdict),
      'jobs.chosen': (input) => many.figures(input),
      'jobs.moveMany': (input) => many.move(input),
      'jobs.cancelMany': (input) => many.cancel(input),
      'jobs.retryMany': (input) => many.retry(input),
      'jobs.edit': (input) => commands.edit(input),
      'jobs.confirmPrice': (input) => many.confirmPrice(input),
      'queue.pause': (input) => setPaused(true, input),
      'queue.resume': (input) => setPaused(false, input),
      'queue.status': () => ok(this.status()),
      'library.judge': ({ ids, verdict }) => commands.setVerdicts(jobsOfAssets(store.read, ids), verdict),
      'library.ancestry': ({ id }) => {
        const ancestry = queries.ancestry(id);
        return ancestry ? ok(ancestry) : fail('not_found', 'id: there is no such asset.', { field: 'id' });
      },
      'library.gone': async ({ ids }) => ok({ ids: await commands.gone(ids) }),
    };
  }

  /**
   * Recovers from an earlier end of the program, and resumes all open jobs. Throws if that cannot be written, such as on a full disk: then
   * nothing is sent, and the call may be repeated.
   */
  start(): void {
    if (!this.hasTakenUpMany) this.bulk.recover();
    this.hasTakenUpMany = true;
    this.recovered ??= this.store.transaction((db) => recover(this.deps, db));
    const { recovered } = this;
    this.limits.restore();
    this.isStarted = true;
    this.scheduler.open();
    this.sumsChanged();
    // The money of the overnight run may have been shared out only in part.
    const night = currentNightRun(this.store.read);
    if (night) this.slicedWork.start(`night ${night.id}`, () => this.reevaluateNight(night.id));
    this.kept.start();
    this.compareAccounts();
    this.keyWatch.resume();
    this.poller.resume();
    // A webhook may have named the task of a job that was being sent.
    for (const id of recovered) {
      const row = rowById(this.store.read, id);
      if (row && isTaskKnown(row)) this.poller.pollNow(id);
    }
    this.costRecords.resume();
    this.deps.library.wakeDownloads();
  }

  /** Asks the gateway for the current state of the job's task. */
  readonly askTask: AskTask = (jobId) => this.poller.ask(jobId);

  /** From now on nothing more is sent; running work continues until {@link close}. */
  stopSending(): void {
    this.scheduler.close();
    this.asks.stop();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.stopSending();
    this.batches.close();
    this.bulk.close();
    this.slicedWork.close();
    this.limits.close();
    this.costRecords.close();
    this.kept.clockWatch.close();
    this.keyWatch.close();
    await this.poller.close();
    let cancelTimeout = (): void => undefined;
    const timeout = new Promise<void>((done) => {
      cancelTimeout = this.deps.clock.after(CLOSE_WAIT_MS, done);
    });
    await Promise.race([Promise.allSettled([...this.runner.allInFlight(), ...this.asks.allInFlight()]), timeout]);
    cancelTimeout();
    this.runner.close();
    this.asks.close();
    this.jobEvents.close();
  }

  status(): QueueStatus {
    return this.jobEvents.status();
  }

  isOffline(profileId: string): boolean {
    return this.limits.isOffline(profileId);
  }

  /** Whether only trial requests are sent in a lane, because its host is unreachable or its service keeps failing. */
  isOutOfOrder(lane: string): boolean {
    return this.limits.isFailing(lane) || this.isOffline(partsOfLane(lane).profileId);
  }

  /** The limits of a lane, for estimating the duration of an overnight run. */
  limitsOf(lane: string): LaneLimits {
    const { kind, profileId } = partsOfLane(lane);
    const profile = this.deps.profiles.get(profileId);
    return profile ? limitsOfLane(profile, kind) : { atOnce: 1 };
  }

  private subscribe(): void {
    const { events } = this.deps;
    events.on('profile.changed', (profileId) => this.profileChanged(profileId));
    events.on('key.unreadable', (profileId) => this.keyWatch.tryAgain(profileId));
    events.on('budgets.changed', () => {
      this.jobEvents.softCaps.capsChanged();
      this.sumsChanged();
    });
    events.on('night.changed', (runId) => this.slicedWork.start(`night ${runId}`, () => this.reevaluateNight(runId)));
    events.on(
      'output.settled',
      (jobId) =>
        void finishWritten(
          this.deps,
          () => this.closed,
          jobId,
          () => this.announce(),
        ),
    );
    events.on('mediaTask.ended', (assetId, kind) => {
      if (kind === 'lastFrame') this.lastFrameEnded(assetId);
    });
    events.on('webhook.received', (jobId) => this.poller.pollNow(jobId));
    events.on('webhook.bodyReceived', (jobId, body) => {
      this.webhookBodyReceived(jobId, body).catch((error) =>
        this.deps.log.error({ job: jobId, error: String(error) }, 'what a webhook named could not be used'),
      );
    });
  }

  private send(row: JobRow, gateway: Gateway): void {
    this.poller.leave(row.id);
    void this.runner.send(row, gateway);
  }

  /** Jobs in flight are left out: the answer about an earlier task must not decide about the current attempt. */
  private followCanceled(ids: readonly string[]): void {
    this.poller.followCanceled(ids.filter((id) => !this.runner.isInFlight(id)));
  }

  /** The end of a pause: jobs that waited for it may be sent, polled, and asked for again. */
  private wake(): void {
    this.scheduler.wake();
    this.poller.wake();
    if (this.isStarted) this.asks.wake();
  }

  /** After a commit: sends what may be sent now. The store itself tells which jobs changed. */
  private announce(): void {
    if (this.isStarted) this.asks.wake();
    this.scheduler.moneyChanged();
    this.scheduler.wake();
  }

  /** The same, even if no job has changed. */
  private sumsChanged(): void {
    this.jobEvents.changed([]);
    this.announce();
  }

  /** Nothing is claimed by the new money before all of it is shared out. */
  private *reevaluateNight(runId: string): Generator<void, void> {
    yield* reevaluateRunInSlices(this.deps, runId);
    this.sumsChanged();
  }

  /** A host is reachable again: pages are notified, and the waiting jobs resume in queue order. */
  private hostReachable(isOnHost: (profileId: string) => boolean): void {
    this.jobEvents.changed([]);
    const waiting = this.store.read.all<statements.BlockedJob>(statements.blockedBy, { reason: 'offline' });
    const ids = waiting.flatMap((row) => (isOnHost(row.profile_id) ? [row.id] : []));
    if (ids.length > 0) this.slicedWork.start(`host of ${ids[0]}`, () => this.goOn(ids, ['offline']));
  }

  /** Resumes jobs that were blocked by the profile's key, a refusal or its quota. */
  private profileChanged(profileId: string): void {
    this.goOnOf(profileId, [...WAITS_FOR_USER, 'offline']);
    this.limits.profileChanged(profileId);
    this.sumsChanged();
    this.compareAccounts(profileId);
  }

  /** The keychain answers again: jobs that waited for the profile's key resume, and pages update its state. */
  private keyKnown(profileId: string): void {
    this.goOnOf(profileId, ['key']);
    this.deps.emit({ type: 'profiles.changed' });
    this.compareAccounts(profileId);
  }

  private goOnOf(profileId: string, reasons: readonly BlockReason[]): void {
    const ids = reasons
      .flatMap((reason) => this.store.read.all<statements.BlockedJob>(statements.blockedBy, { reason }))
      .flatMap((row) => (row.profile_id === profileId ? [row.id] : []));
    this.slicedWork.start(`profile ${profileId}: ${reasons.join()}`, () => this.goOn(ids, reasons));
  }

  /** Reevaluates jobs that are still blocked for one of these reasons, even if their waiting time is not over. */
  private *goOn(ids: readonly string[], reasons: readonly BlockReason[]): Generator<void, void> {
    yield* inSlices(ids, (slice) => {
      this.store.transaction((db) => {
        for (const id of slice) {
          const row = rowById(db, id);
          if (!row?.reason || !reasons.includes(row.reason)) continue;
          row.next_at = null;
          reevaluate(this.deps, db, row);
        }
      });
      this.announce();
    });
  }

  /** Finds out whether the profiles of unconfirmed jobs still have the key that these were sent with. */
  private compareAccounts(profileId?: string): void {
    this.kept
      .compareAccounts(profileId)
      .catch((error) => this.deps.log.error({ error: String(error) }, 'the keys of jobs in doubt were not compared'));
  }

  /** A last frame was taken, or failed for good: the jobs that wait for it resume or fail. */
  private lastFrameEnded(clipId: string): void {
    const jobId = assetRow(this.store.read, clipId)?.job_id;
    if (jobId) this.slicedWork.start(`last frame of ${jobId}`, () => this.goOnAfter(jobId));
  }

  private *goOnAfter(jobId: string): Generator<void, void> {
    this.store.transaction((db) => reevaluateDependents(this.deps, db, jobId));
    this.announce();
  }

  /**
   * The body only names the task to poll; the answer to that poll decides. The service does not call again, so the task id is saved even if
   * that takes several tries.
   */
  private async webhookBodyReceived(jobId: string, body: string): Promise<void> {
    const save = () => this.store.transaction((db) => saveTaskIdFromWebhook(this.deps, db, jobId, body));
    if (await persist(this.deps, () => this.closed, save)) this.poller.pollNow(jobId);
  }
}
