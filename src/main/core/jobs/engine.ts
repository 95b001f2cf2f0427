import type { CallParsed } from '../../../shared/contract.ts';
import type { QueueStatus } from '../../../shared/events.ts';
import type { Job, Verdict } from '../../../shared/job.ts';
import type { ShownPrice } from '../../../shared/ledger.ts';
import { isPlayMoney } from '../../../shared/profile.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { currentNightRun } from '../night/index.ts';
import type { Store, WriteDb } from '../store/index.ts';
import * as commands from './commands.ts';
import { CostRecords } from './costRecords.ts';
import type { EngineDeps } from './deps.ts';
import { type EnqueueInput, noNightPlanned, validateRequests, writeJobs } from './enqueue.ts';
import { finishFetched } from './fetched.ts';
import { JobEvents } from './jobEvents.ts';
import { hasWebhook, kindsWithDriver, streamDriverOf } from './kinds/index.ts';
import { type LaneLimits, limitsOfLane, partsOfLane } from './limits/lanes.ts';
import { Limits } from './limits/limits.ts';
import { moveToNight, reevaluateRun } from './nightMembership.ts';
import { persist } from './persist.ts';
import { Poller } from './polls/poller.ts';
import { lacksTaskId, saveTaskIdFromWebhook } from './polls/webhookTaskId.ts';
import { PriceMismatches } from './priceMismatches.ts';
import { countEnded, listJobs } from './queries.ts';
import { readJob, rowById } from './records.ts';
import { recover } from './recovery.ts';
import { noSuchJob, notInDoubt } from './refusals.ts';
import { retryAsNew } from './retry.ts';
import type { JobRow } from './row.ts';
import { Runner } from './runner.ts';
import { Scheduler } from './scheduler.ts';
import { watchSoftCaps } from './softCaps.ts';
import * as statements from './statements.ts';
import { isPaused, reevaluate, reevaluateDependents, reevaluateReservation, WAITS_FOR_USER } from './waiting.ts';

/** How long a closing studio waits for answers that are on their way; what does not come is in doubt at the next start. */
const CLOSE_WAIT_MS = 4_000;

/** The durable engine: everything that happens to jobs goes through here. */
export class Engine {
  private readonly deps: EngineDeps;
  private readonly store: Store;
  private readonly jobEvents: JobEvents;
  private readonly limits: Limits;
  private readonly scheduler: Scheduler;
  private readonly poller: Poller;
  private readonly runner: Runner;
  private readonly costRecords: CostRecords;
  /** What stated costs have stopped. */
  readonly priceMismatches: PriceMismatches;
  private closed = false;
  private readonly retrying = new Map<string, Promise<Result<Job>>>();

  constructor(deps: EngineDeps) {
    this.deps = deps;
    this.store = deps.store;
    const changed = (ids: string[]) => this.announce(ids);
    this.priceMismatches = new PriceMismatches(deps, changed);
    this.limits = new Limits(deps, {
      wake: () => this.wake(),
      hostReachable: (isThere) => this.scheduler.hostReachable(isThere),
      hostUnreachable: () => this.jobEvents.changed([]),
    });
    this.jobEvents = new JobEvents(deps, () => ({
      paused: isPaused(this.store.read),
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
  }

  /** Puts right what an earlier end left half done, and goes on with everything. */
  start(): void {
    const recovered = this.store.transaction((db) => recover(this.deps, db));
    for (const { lane, next_at } of this.store.read.all<JobRow>(statements.blockedBy, { reason: 'rate' }))
      this.limits.restoreHold(lane, next_at ?? 0);
    this.announce(recovered);
    this.poller.resume();
    this.costRecords.resume();
    this.deps.library.wakeDownloads();
  }

  /** A pause is over: what waits may be asked and sent again. */
  private wake(): void {
    this.scheduler.wake();
    this.poller.wake();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.limits.close();
    this.costRecords.close();
    this.scheduler.close();
    await this.poller.close();
    let endPatience = (): void => undefined;
    const patience = new Promise<void>((done) => {
      endPatience = this.deps.clock.after(CLOSE_WAIT_MS, done);
    });
    await Promise.race([Promise.allSettled(this.runner.allInFlight()), patience]);
    endPatience();
    this.runner.close();
    this.jobEvents.close();
  }

  async enqueue(input: EnqueueInput): Promise<Result<{ jobs: Job[] }>> {
    const profile = this.deps.profiles.active();
    const judged = await validateRequests(this.deps, profile, input.requests);
    if (!judged.ok) return judged;
    const soft = watchSoftCaps(this.deps, input);
    const written = this.store.transaction((db) => writeJobs(this.deps, db, profile, input));
    if (!written.ok) return written;
    this.prioritize(written.data);
    this.announce(written.data);
    soft.warn();
    const rows = written.data.flatMap((id) => rowById(this.store.read, id) ?? []);
    return ok({ jobs: rows.map((row) => readJob(this.store.read, row)) });
  }

  /** For documents that write rows of their own with the job: judge, then {@link write} in their transaction, then {@link announce}. */
  validate(input: EnqueueInput): Promise<Result<null>> {
    return validateRequests(this.deps, this.deps.profiles.active(), input.requests);
  }

  write(db: WriteDb, input: EnqueueInput): Result<string[]> {
    const written = writeJobs(this.deps, db, this.deps.profiles.active(), input);
    if (written.ok) this.prioritize(written.data);
    return written;
  }

  /** One of what a person has just asked for is tried at once; the others of a batch follow when it worked. */
  private prioritize([first]: string[]): void {
    if (first !== undefined) this.scheduler.prioritize(first);
  }

  /** After a commit: says what changed, and sees whether something can go on. */
  announce(ids: string[]): void {
    this.jobEvents.changed(ids);
    this.scheduler.moneyChanged();
    this.scheduler.wake();
  }

  get(id: string): Result<Job> {
    const row = rowById(this.store.read, id);
    return row ? ok(readJob(this.store.read, row)) : noSuchJob;
  }

  list(filter: CallParsed<'jobs.list'>) {
    return listJobs(this.store.read, filter, isPlayMoney(this.deps.profiles.active().id));
  }

  ended({ since, play }: CallParsed<'jobs.ended'>) {
    return countEnded(this.store.read, since, play ?? isPlayMoney(this.deps.profiles.active().id));
  }

  cancel(id: string): Result<Job> {
    const result = this.change(id, (db, row) => commands.cancel(this.deps, db, row));
    if (result.ok && streamDriverOf(result.data)) this.runner.abort(id);
    return result;
  }

  /**
   * A blocked job goes on; of a failed or canceled one a new job is made, since finished rows are kept as they are. Asked twice at the
   * same time (a double click) it makes one.
   */
  retry(id: string, shown?: ShownPrice): Promise<Result<Job>> {
    const known = this.retrying.get(id);
    if (known) return known;
    const begun = this.retryOnce(id, shown).finally(() => this.retrying.delete(id));
    this.retrying.set(id, begun);
    return begun;
  }

  private async retryOnce(id: string, shown: ShownPrice | undefined): Promise<Result<Job>> {
    const row = rowById(this.store.read, id);
    if (!row) return noSuchJob;
    if (row.state === 'blocked') {
      return this.change(id, (db, fresh) => {
        const gone = commands.unblock(this.deps, db, fresh, shown);
        // Where the service asked to wait, its time holds for a person as well.
        if (gone.ok && row.reason !== 'rate') this.prioritize([id]);
        return gone;
      });
    }
    if (row.state !== 'failed' && row.state !== 'canceled') {
      return fail('wrong_state', 'Only a failed, canceled or blocked job can be tried again.');
    }
    const again = await retryAsNew(this.deps, row, shown);
    if (!again.ok) return again;
    this.prioritize([again.data]);
    this.announce([again.data]);
    return this.get(again.data);
  }

  /** Puts a waiting job before another one, or at the end. */
  move(id: string, before: string | undefined): Result<Job> {
    return this.change(id, (db, row) => commands.move(this.deps, db, row, before));
  }

  /** An order of unknown price that a hard cap holds back may be sent once. */
  allowUnpriced(id: string, shown?: ShownPrice): Result<Job> {
    return this.change(id, (db, row) => commands.allowUnpriced(this.deps, db, row, shown));
  }

  setVerdict(id: string, verdict: Verdict | null): Result<Job> {
    return this.change(id, (db) => {
      db.run(statements.saveVerdict, { id, verdict });
      return ok([id]);
    });
  }

  /** The user's three ways out of doubt. A look-up never sends an order, and changes nothing when the service knows nothing. */
  async resolve(id: string, as: 'lookup' | 'lost' | 'resend', shown?: ShownPrice): Promise<Result<Job>> {
    const row = rowById(this.store.read, id);
    if (!row) return noSuchJob;
    if (row.state !== 'uncertain') return notInDoubt;
    if (as === 'lookup') {
      if (row.remote) await this.poller.lookUp(id);
      return this.get(id);
    }
    if (as === 'lost') return this.change(id, (db, fresh) => commands.writeOff(this.deps, db, fresh));
    return this.change(id, (db, fresh) => {
      const sent = commands.resend(this.deps, db, fresh, shown);
      if (sent.ok) this.prioritize([id]);
      return sent;
    });
  }

  /** What the bill said about a job that ended with its cost in doubt. */
  settleDoubt(id: string, billedNano: number): Result<Job> {
    // Its answer would be charged once more beside the bill.
    const isAwaited = this.runner.isInFlight(id);
    return this.change(id, (db, row) => commands.settleDoubt(this.deps, db, row, { billedNano, isAwaited }));
  }

  setPaused(paused: boolean): QueueStatus {
    const changed = this.store.transaction((db) => {
      db.run(statements.flagSet, { name: 'paused', value: paused ? 'yes' : 'no' });
      if (paused) return db.all<{ id: string }>(statements.pauseAll);
      const held = db.all<JobRow>(statements.blockedBy, { reason: 'paused' });
      return held.filter((row) => reevaluate(this.deps, db, row));
    });
    this.announce(changed.map(({ id }) => id));
    return this.status();
  }

  status(): QueueStatus {
    return this.jobEvents.status();
  }

  isOffline(profileId: string): boolean {
    return this.limits.isOffline(profileId);
  }

  /** A webhook came in; it changes nothing but the time of the next look. */
  pollNow(jobId: string): void {
    this.poller.pollNow(jobId);
  }

  /** Whether nobody knows this job's task, so that the body of a webhook may tell where to ask. */
  lacksTaskId(jobId: string): boolean {
    return lacksTaskId(this.store.read, jobId);
  }

  saveTaskIdFromWebhook(jobId: string, body: string): void {
    if (this.store.transaction((db) => saveTaskIdFromWebhook(this.deps, db, jobId, body))) this.poller.pollNow(jobId);
  }

  /** The image jobs that a service may still call about, with the secrets of their addresses. */
  openWebhooks(): { jobId: string; secret: string }[] {
    return this.store.read.all(statements.openWebhooks, { kinds: kindsWithDriver(hasWebhook) });
  }

  /** The user has mended the profile: what was blocked for its key, its refusal or its quota goes on. */
  profileChanged(profileId: string): void {
    const ids = this.store.transaction((db) => {
      const reasons = [...WAITS_FOR_USER, 'offline'];
      const rows = reasons.flatMap((reason) => db.all<JobRow>(statements.blockedBy, { reason }));
      const mended = rows.filter((row) => row.profile_id === profileId).map((row) => ({ ...row, next_at: null }));
      return mended.filter((row) => reevaluate(this.deps, db, row)).map((row) => row.id);
    });
    this.limits.profileChanged(profileId);
    this.announce(ids);
  }

  /** How many of a profile's jobs wait, are being made or are in doubt: they need it. */
  openJobs(profileId: string): number {
    return this.store.read.one<{ n: number }>(statements.openOfProfile, { profileId })?.n ?? 0;
  }

  /** How many of a profile's orders its service has, or may be getting: no other one can be asked for them. */
  jobsAtService(profileId: string): number {
    return this.store.read.one<{ n: number }>(statements.atService, { profileId })?.n ?? 0;
  }

  /** Moves waiting jobs into the night that is planned or open, or out of theirs. All or none. */
  assignNight({ ids, night, shown }: CallParsed<'night.assign'>): Result<null> {
    const moved = this.store.transaction((db) => {
      const run = night ? currentNightRun(db) : undefined;
      return night && !run ? noNightPlanned : moveToNight(this.deps, db, { ids, run, shown });
    });
    if (!moved.ok) return moved;
    this.announce(moved.data);
    return ok(null);
  }

  /** A night's window, cap or rules changed, or it ended: its waiting jobs are looked at again. */
  nightChanged(runId: string): void {
    this.announce(this.store.transaction((db) => reevaluateRun(this.deps, db, runId)));
  }

  /** When the next job is due that waits for a moment only, not for the user or the network; 0 where one is being made or sent. */
  nextDueAt(): number | undefined {
    const { read } = this.store;
    if (read.one(statements.anyUnderWay)) return 0;
    if (isPaused(read)) return undefined;
    return read.one<{ at: number }>(statements.nextTimedWork)?.at;
  }

  isPaused(): boolean {
    return isPaused(this.store.read);
  }

  /** For working out how long a night takes. */
  limitsOf(lane: string): LaneLimits {
    const { kind, profileId } = partsOfLane(lane);
    const profile = this.deps.profiles.get(profileId);
    return profile ? limitsOfLane(profile, kind) : { atOnce: 1 };
  }

  /** The price of waiting jobs was changed: they set aside what they cost now, or wait for the money. In the caller's transaction; {@link announce} follows. */
  repriced(db: WriteDb, ids: string[]): void {
    for (const id of ids) reevaluateReservation(this.deps, db, id);
  }

  /** A cap was moved. */
  budgetsChanged(): void {
    this.announce([]);
  }

  /** A download ended one way or the other. */
  async outputSettled(jobId: string): Promise<void> {
    const finish = () => this.store.grouped((db) => finishFetched(this.deps, db, jobId));
    const changed = await persist(this.deps, () => this.closed, finish);
    if (changed) this.announce(changed);
  }

  /** A last frame has been taken, or cannot be: those that wait for it go on, or end. */
  lastFrameReady(jobId: string): void {
    this.announce(this.store.transaction((db) => reevaluateDependents(this.deps, db, jobId)));
  }

  /** Finds the job, changes it in one transaction, tells everyone, answers with it. */
  private change(id: string, work: (db: WriteDb, row: JobRow) => Result<string[]>): Result<Job> {
    const result = this.store.transaction((db) => {
      const row = rowById(db, id);
      return row ? work(db, row) : noSuchJob;
    });
    if (!result.ok) return result;
    this.announce(result.data);
    return this.get(id);
  }
}
