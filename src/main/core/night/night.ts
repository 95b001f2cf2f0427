import type { CallParsed } from '../../../shared/contract/contract.ts';
import type { StudioEvent } from '../../../shared/contract/events.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { DryRun, NightPlan, NightReport, NightRun, NightStatus } from '../../../shared/jobs/night.ts';
import type { BudgetInput } from '../../../shared/money/ledger.ts';
import type { Nano } from '../../../shared/money/money.ts';
import { en, t } from '../../../shared/text/texts.ts';
import type { CoreEvents } from '../coreEvents.ts';
import { setBudget, setRunCapSide } from '../ledger/index.ts';
import type { Clock, Ids, Logger, Notifier, Power } from '../ports.ts';
import { powerSourceOf } from '../power/index.ts';
import { RevisionCounter } from '../revisionCounter.ts';
import type { ReadDb, Store, WriteDb } from '../store/index.ts';
import { type AddedJob, type DryRunContext, type DryRunPlan, dryRun } from './dryRun.ts';
import {
  balancePassed,
  CHECK_INTERVAL_MS,
  endIfPastFloor,
  NightWatch,
  nightGateOf,
  type ProfileState,
  profilesOfNight,
} from './gate.ts';
import { leaveOutShot, type NightJobs } from './nightJobs.ts';
import {
  currentNightRun,
  endedNightRunIds,
  endNightRun,
  hasFloor,
  insertNightRun,
  lastNightRun,
  type NightRunRow,
  nightMemberIds,
  nightRunById,
  nightRunOn,
  replanNightRun,
  setAnnounced,
  setDone,
  settingsOf,
  unannouncedNightRuns,
} from './nightRuns.ts';
import { nightRunOf, notifyEnd, notifyNotOpened, reportOf, summaryOf } from './report.ts';
import { hourOf, planNextDay, SavedPlans, windowFor } from './runHours.ts';

export interface NightDeps {
  store: Store;
  clock: Clock;
  ids: Pick<Ids, 'id'>;
  log: Pick<Logger, 'error'>;
  notifier: Notifier;
  power?: Pick<Power, 'source'>;
  emit(event: StudioEvent): void;
  /** Emits `night.changed`. */
  events: Pick<CoreEvents, 'emit'>;
  freeBytes(): number;
  /** Only the engine moves jobs. */
  jobs: {
    assignNight(input: CallParsed<'night.assign'>): Promise<Result<null>>;
    isPaused(): boolean;
    limitsOf(lane: string): { atOnce: number; perMinute?: number };
    /** Whether its gateway is unavailable or keeps failing. */
    isOutOfOrder(lane: string): boolean;
  };
  jobTable: NightJobs;
  /** The takes of the shot that a job is a take of, itself included; none if it is no take. */
  takesBeside(projectId: string, jobId: string): string[];
  profiles: {
    /** Whether the profile can send, and its name. */
    state(id: string): Promise<ProfileState>;
    /** The balance, if the gateway states it. */
    balance(id: string): Promise<Nano | undefined>;
    /** Whether the active profile uses test money. */
    isPlay(): boolean;
  };
}

const EMIT_DELAY_MS = 250;

/** Plans, opens, closes and reports overnight runs. Their rules are applied where jobs are claimed and end. */
export class Night {
  private readonly deps: NightDeps;
  private cancelTimer: (() => void) | undefined;
  private cancelPendingEmit: (() => void) | undefined;
  private closed = false;
  private finishing = false;
  private emittedRevision = 0;
  private readonly watch: NightWatch;
  readonly plans: SavedPlans;
  private readonly revisions: RevisionCounter<Omit<NightStatus, 'revision'>>;

  constructor(deps: NightDeps) {
    this.deps = deps;
    this.revisions = new RevisionCounter(deps.clock);
    this.watch = new NightWatch(deps);
    deps.store.onRevised('jobs', (ids) => this.jobsChanged(ids));
    this.plans = new SavedPlans({ ...deps, changed: () => deps.emit({ type: 'plans.changed' }) });
  }

  /** Closes a window that passed while Dailies was closed, completes an end that a crash interrupted, and schedules the next check. */
  start(): void {
    this.tick();
  }

  close(): void {
    this.closed = true;
    this.cancelTimer?.();
    this.cancelPendingEmit?.();
  }

  get(): NightStatus {
    const { read } = this.deps.store;
    const [current, last] = [currentNightRun(read), lastNightRun(read)];
    return this.revisions.stamp({
      current: current ? this.toNightRun(current) : null,
      last: last ? this.toNightRun(last) : null,
      ...this.deps.jobTable.leftOfNights(read, endedNightRunIds(read)),
      powerSource: powerSourceOf(this.deps.power),
    });
  }

  /** Plans the next run, or changes the planned or open one; an open one keeps its start. */
  plan(plan: NightPlan): Result<NightRun> {
    const { store, clock, ids } = this.deps;
    if (plan.startsNow && plan.endsAt === undefined) return noEnd;
    const now = clock.now();
    this.endIfDue(now);
    const planned = store.transaction((db) => {
      const run = currentNightRun(db);
      const window = windowFor(db, plan, now);
      if (!window.ok) return window;
      const id = run?.id ?? ids.id('night');
      const start = run && run.starts_at <= now ? run.start_hour : plan.start;
      const play = this.deps.profiles.isPlay() && !this.deps.jobTable.anySpendsRealMoney(db, nightMemberIds(db, id));
      const { days, keepAwake, notify } = plan;
      const settings = { days, keepAwake, notify };
      const next = { id, start, end: plan.end, ...window.data, rules: plan.rules, settings, play };
      if (run) {
        replanNightRun(db, next);
        setRunCapSide(db, id, play);
      } else insertNightRun(db, next, now);
      setBudget(db, { scope: 'run', runId: id, hardNano: plan.capNano, reading: plan.capReading, play });
      return ok(id);
    });
    if (!planned.ok) return planned;
    this.deps.events.emit('night.changed', planned.data);
    this.tick();
    const run = nightRunById(store.read, planned.data);
    return run ? ok(this.toNightRun(run)) : noNight;
  }

  /** The outcome as planned, or under `plan`, with these jobs added: nothing is sent, reserved or written. */
  async dryRun(plan: NightPlan | undefined, added: readonly AddedJob[] = []): Promise<Result<DryRun>> {
    const { store, clock } = this.deps;
    const intention = this.intention(plan, clock.now());
    if (!intention.ok) return intention;
    const payers = added.flatMap(({ at }) => at?.profile_id ?? []);
    const profiles = await profilesOfNight(this.deps, intention.data.runId, payers);
    const context: DryRunContext = {
      now: clock.now(),
      freeBytes: this.deps.freeBytes(),
      isPaused: this.deps.jobs.isPaused(),
      powerSource: powerSourceOf(this.deps.power),
      profiles,
      limitsOf: (lane) => this.deps.jobs.limitsOf(lane),
      jobs: this.deps.jobTable,
    };
    return ok(await dryRun(store.read, intention.data, context, added));
  }

  /** Ends the planned or open run, or the named one if it is not over. Sent jobs finish; queued jobs stay queued. */
  stop(runId = this.currentId()): Result<NightRun> {
    const { store, clock } = this.deps;
    // The end of a run may plan the next day's run, which was not asked to stop.
    this.endIfDue(clock.now());
    store.transaction((db) => {
      const run = currentNightRun(db);
      if (run && run.id === runId) endNightRun(db, run, 'user', t`You stopped the run.`, clock.now());
    });
    this.finishEnded();
    if (runId === null) return noNight;
    const run = nightRunById(store.read, runId);
    return run ? ok(this.toNightRun(run)) : noSuchNight;
  }

  async assign(input: CallParsed<'night.assign'>): Promise<Result<NightStatus>> {
    this.endIfDue(this.deps.clock.now());
    const moved = await this.deps.jobs.assignNight(input);
    if (!moved.ok) return moved;
    this.emitChanged();
    return ok(this.get());
  }

  /** The report of one run, by id or starting day; by default of the newest that has begun. */
  report(id: string | undefined, date?: string): Result<NightReport> {
    const { store, clock } = this.deps;
    const now = clock.now();
    return store.readTransaction((db) => {
      const current = currentNightRun(db);
      const begun = current && current.starts_at <= now ? current : lastNightRun(db);
      const named = date === undefined ? begun : nightRunOn(db, date);
      const run = id === undefined ? named : nightRunById(db, id);
      if (run) return ok(this.reportOf(run, db));
      if (id !== undefined) return noSuchNight;
      return fail('not_found', date === undefined ? en`No run has started yet.` : en`date: no run starts on that day.`);
    });
  }

  /** Sets the budget of scope `run`, the planned or open one's. */
  setCap(db: WriteDb, input: BudgetInput): Result<null> {
    const run = currentNightRun(db);
    if (!run)
      return fail('wrong_state', en`scope: no overnight run is scheduled; schedule one first.`, { field: 'scope' });
    if (input.hardNano === null)
      return fail('invalid_input', en`hardNano: an overnight run needs a budget.`, { field: 'hardNano' });
    setBudget(db, { ...input, runId: run.id, play: run.play === 1 });
    return ok(null);
  }

  /** The id of the planned or open run. */
  currentId(): string | null {
    return currentNightRun(this.deps.store.read)?.id ?? null;
  }

  /** The planned or open run that does not keep the machine awake. */
  letsMachineSleep(): string | undefined {
    const run = currentNightRun(this.deps.store.read);
    return run && !settingsOf(run).keepAwake ? run.id : undefined;
  }

  /** The start of the planned or open run, if the machine is to be awake for it. */
  startsAt(): number | undefined {
    const run = currentNightRun(this.deps.store.read);
    return run && settingsOf(run).keepAwake ? run.starts_at : undefined;
  }

  /** The power source changed. */
  powerChanged(): void {
    this.tick();
  }

  /** The run's budget changed: its jobs may fit now, or no longer. */
  capChanged(): void {
    const run = currentNightRun(this.deps.store.read);
    if (!run) return;
    this.deps.events.emit('night.changed', run.id);
    this.emitChanged();
  }

  /** Finishes ended runs that were not announced yet. */
  finishEnded(): void {
    if (this.closed || this.finishing) return;
    this.finishing = true;
    try {
      for (const run of unannouncedNightRuns(this.deps.store.read)) this.finish(run);
    } finally {
      this.finishing = false;
    }
  }

  /** Several quick changes of its jobs are emitted once. */
  private jobsChanged(ids: readonly string[]): void {
    const members = this.closed ? [] : this.deps.jobTable.ofNights(this.deps.store.read, ids);
    if (members.length === 0) return;
    this.finishEnded();
    for (const leftOutOf of new Set(members.map((job) => leaveOutShot(this.deps, job))))
      if (leftOutOf !== undefined) this.deps.events.emit('night.changed', leftOutOf);
    this.cancelPendingEmit ??= this.deps.clock.after(EMIT_DELAY_MS, () => {
      this.cancelPendingEmit = undefined;
      this.guarded(() => {
        this.notifyIfDone();
        this.emitChanged();
      });
    });
  }

  /** Tells the user once that nothing in the open run is queued or running. It stays open for jobs that are added. */
  private notifyIfDone(): void {
    const { store, clock, notifier } = this.deps;
    const run = currentNightRun(store.read);
    if (!run || run.done_at !== null || run.starts_at > clock.now()) return;
    const { jobs } = this.toNightRun(run);
    if (jobs.ended === 0 || jobs.waiting + jobs.underWay > 0) return;
    store.transaction((db) => setDone(db, run.id, clock.now()));
    if (!settingsOf(run).notify) return;
    const title = t`Overnight run ${run.number}`;
    notifier.notify({ title, body: summaryOf(this.reportOf(run), 'done'), place: 'night' });
  }

  private reportOf(run: NightRunRow, db: ReadDb = this.deps.store.read): NightReport {
    return reportOf(db, run, { ...this.deps, shown: this.toNightRun(run, db), now: this.deps.clock.now() });
  }

  private toNightRun(run: NightRunRow, db: ReadDb = this.deps.store.read): NightRun {
    return nightRunOf(db, run, this.deps.jobTable, this.deps.clock.now());
  }

  /** Completes an end: queued jobs release their money, and the user is notified. Repeated after a crash. */
  private finish(run: NightRunRow): void {
    const { store, events } = this.deps;
    events.emit('night.changed', run.id);
    notifyEnd(this.deps, run, () => summaryOf(this.reportOf(run), 'over'));
    const notOpened = store.transaction((db) => {
      setAnnounced(db, run.id);
      return planNextDay(this.deps, db, run);
    });
    if (notOpened !== undefined) notifyNotOpened(this.deps, run, notOpened);
    this.emitChanged();
    this.scheduleTick();
  }

  /** Emits the status if it differs from the last one. */
  private emitChanged(): void {
    const status = this.get();
    if (status.revision === this.emittedRevision) return;
    this.emittedRevision = status.revision;
    this.deps.emit({ type: 'night.changed', status });
    this.deps.emit({ type: 'ledger.changed' });
  }

  private tick(): void {
    if (this.closed) return;
    this.guarded(() => {
      this.endIfDue(this.deps.clock.now());
      if (this.watch.check()) this.finishEnded();
      this.requeueBeforeStart();
      // Repeats what could not be written at once.
      this.notifyIfDone();
      this.emitChanged();
      void balancePassed(this.deps, () => this.closed).then((passed) => passed && this.finishEnded());
    });
    this.scheduleTick();
  }

  /** For timers, whose errors would end the program. The next check repeats the work. */
  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      // For example, the disk is full. The claim applies the rules itself, so nothing forbidden is sent meanwhile.
      this.deps.log.error({ error: String(error) }, 'the night could not be checked; it is tried again');
    }
  }

  /** Ends the run if its window is over or a floor is passed. */
  private endIfDue(now: number): void {
    const { jobTable, store, freeBytes } = this.deps;
    const run = currentNightRun(store.read);
    const gate = run && nightGateOf(store.read, { run_id: run.id }, now);
    if (gate?.type === 'over' || (gate?.type === 'open' && hasFloor(gate.run))) {
      store.transaction((db) => {
        const fresh = currentNightRun(db);
        if (!fresh || fresh.starts_at > now) return;
        if (now >= fresh.ends_at) endNightRun(db, fresh, 'window', t`The run ended at ${hourOf(fresh.ends_at)}.`, now);
        else endIfPastFloor(db, fresh, now, { freeBytes, reservedUnderWay: jobTable.reservedUnderWay });
      });
    }
    this.finishEnded();
  }

  /** The clock was set back to before the window: queued jobs wait again. */
  private requeueBeforeStart(): void {
    const { store, clock, events, jobTable } = this.deps;
    const run = currentNightRun(store.read);
    if (!run || clock.now() >= run.starts_at) return;
    if (jobTable.hasQueuedOfNight(store.read, run.id)) events.emit('night.changed', run.id);
  }

  private scheduleTick(): void {
    this.cancelTimer?.();
    const run = this.closed ? undefined : currentNightRun(this.deps.store.read);
    if (!run) return;
    const now = this.deps.clock.now();
    const outage = (this.watch.outageEndsAt ?? 0) - now;
    const moments = [run.starts_at - now, run.ends_at - now, outage, CHECK_INTERVAL_MS].filter((ms) => ms > 0);
    this.cancelTimer = this.deps.clock.after(Math.min(...moments), () => this.tick());
  }

  private intention(plan: NightPlan | undefined, now: number): Result<DryRunPlan> {
    const run = currentNightRun(this.deps.store.read);
    if (!plan) {
      if (!run) return noNight;
      const { capNano, capReading, rules, startsAt, endsAt, play } = this.toNightRun(run);
      return ok({ runId: run.id, startsAt, endsAt, capNano, capReading, rules, play });
    }
    const window = windowFor(this.deps.store.read, plan, now);
    if (!window.ok) return window;
    const play = run ? run.play === 1 : this.deps.profiles.isPlay();
    const { capNano, capReading, rules } = plan;
    return ok({ runId: run?.id ?? '', ...window.data, capNano, capReading, rules, play });
  }
}

const noEnd = fail('invalid_input', en`endsAt: is needed with startsNow, as its dry run shows it.`, {
  field: 'endsAt',
});
const noSuchNight = fail('not_found', 'runId: there is no such run.');
const noNight = fail('wrong_state', en`No overnight run is scheduled; schedule one first.`);
