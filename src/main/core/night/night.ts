import type { CallParsed } from '../../../shared/contract.ts';
import type { StudioEvent } from '../../../shared/events.ts';
import type { BudgetInput } from '../../../shared/ledger.ts';
import type { Nano } from '../../../shared/money.ts';
import type { DryRun, NightPlan, NightReport, NightRun, NightStatus } from '../../../shared/night.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { listBudgets, setBudget, setRunCapSide, spendOfRun } from '../ledger/index.ts';
import { Numbered } from '../numbered.ts';
import type { Clock, Ids, Logger, Notifier } from '../ports.ts';
import { type ReadDb, type Store, sql, type WriteDb } from '../store/index.ts';
import { dryRun, type Intention, profilesOf, type Surroundings } from './dryRun.ts';
import { endedByBalance, endedByFloor, gateOf } from './gate.ts';
import { inShort, reportOf } from './report.ts';
import {
  currentRun,
  endRun,
  hasRealJobs,
  insertRun,
  lastRun,
  markTold,
  type RunRow,
  replanRun,
  rulesOf,
  runById,
  untoldRuns,
} from './runs.ts';
import { hourOf, windowOf, windowWithEnd } from './window.ts';

export interface NightDeps {
  store: Store;
  clock: Clock;
  ids: Pick<Ids, 'id'>;
  log: Pick<Logger, 'error'>;
  notifier: Notifier;
  emit(event: StudioEvent): void;
  freeBytes(): number;
  /** The engine's side: only it moves jobs. */
  jobs: {
    assignNight(input: CallParsed<'night.assign'>): Result<null>;
    nightChanged(runId: string): void;
    isPaused(): boolean;
    limitsOf(lane: string): { atOnce: number; perMinute?: number };
  };
  profiles: {
    /** Whether it can send, and its name. */
    state(id: string): Promise<{ status: 'ready' | 'no key' | 'gone'; name: string }>;
    /** What the service publishes of the account's balance, or undefined. */
    balance(id: string): Promise<Nano | undefined>;
    /** Whether the active profile's money is play money. */
    isPlay(): boolean;
  };
}

/** While a night is planned or open it is looked at this often: for floors that no job's end tells of, and for a clock that was set. */
const LOOK_MS = 60_000;

const TELL_MS = 250;

const leftOver = sql(
  'night.leftOver',
  `SELECT jobs.id FROM night_runs CROSS JOIN jobs ON jobs.run_id = night_runs.id AND jobs.state IN ('queued', 'blocked')
   WHERE night_runs.ended_at IS NOT NULL ORDER BY night_runs.number, jobs.position LIMIT 1000`,
);
const inLine = sql('night.inLine', `SELECT 1 FROM jobs WHERE run_id = $runId AND state = 'queued' LIMIT 1`);
const memberCounts = sql(
  'night.memberCounts',
  'SELECT jobs.state, count(*) AS n FROM jobs WHERE run_id = $runId GROUP BY jobs.state',
);

/** Plans nights, opens and closes them, and tells what became of them. Their rules are kept where jobs are claimed and end. */
export class Night {
  private readonly deps: NightDeps;
  private cancelTimer: (() => void) | undefined;
  private cancelTelling: (() => void) | undefined;
  private closed = false;
  private looking = false;
  private said = 0;
  private readonly numbered: Numbered<Omit<NightStatus, 'revision'>>;

  constructor(deps: NightDeps) {
    this.deps = deps;
    this.numbered = new Numbered(deps.clock);
  }

  /** Closes a window that passed while Dailies was not running, carries out an end that a kill cut short, and waits for the next moment. */
  start(): void {
    this.tick();
  }

  close(): void {
    this.closed = true;
    this.cancelTimer?.();
    this.cancelTelling?.();
  }

  get(): NightStatus {
    const { read } = this.deps.store;
    const [current, last] = [currentRun(read), lastRun(read)];
    return this.numbered.of({
      current: current ? this.shown(current) : null,
      last: last ? this.shown(last) : null,
      leftOver: read.all<{ id: string }>(leftOver).map(({ id }) => id),
    });
  }

  /** Plans the next night, or changes the one that is planned or open; an open one keeps its start. */
  plan(plan: NightPlan): Result<NightRun> {
    const { store, clock, ids } = this.deps;
    const now = clock.now();
    this.endPassed(now);
    const planned = store.transaction((db) => {
      const run = currentRun(db);
      const isOpen = run !== undefined && run.starts_at <= now;
      const window = isOpen
        ? windowWithEnd({ startsAt: run.starts_at, endsAt: run.ends_at }, { ...plan, start: run.start_hour }, now)
        : windowOf(plan, now);
      if (!window.ok) return window;
      const id = run?.id ?? ids.id('night');
      const start = isOpen ? run.start_hour : plan.start;
      const play = this.deps.profiles.isPlay() && !hasRealJobs(db, id);
      const next = { id, start, end: plan.end, ...window.data, rules: plan.rules, play };
      if (run) {
        replanRun(db, next);
        setRunCapSide(db, id, play);
      } else insertRun(db, next, now);
      setBudget(db, { scope: 'run', runId: id, hardNano: plan.capNano, play });
      return ok(id);
    });
    if (!planned.ok) return planned;
    this.deps.jobs.nightChanged(planned.data);
    this.tick();
    const run = runById(store.read, planned.data);
    return run ? ok(this.shown(run)) : noneYet;
  }

  /** What would happen as planned, or as `plan` says: nothing is sent, reserved or written. */
  async dryRun(plan: NightPlan | undefined): Promise<Result<DryRun>> {
    const { store, clock } = this.deps;
    const intention = this.intention(plan, clock.now());
    if (!intention.ok) return intention;
    const profiles = await this.profilesOf(intention.data.runId);
    const around: Surroundings = {
      now: clock.now(),
      freeBytes: this.deps.freeBytes(),
      isPaused: this.deps.jobs.isPaused(),
      profiles,
      limitsOf: (lane) => this.deps.jobs.limitsOf(lane),
    };
    return ok(store.reading((db) => dryRun(db, intention.data, around)));
  }

  /** Ends the night that is planned or open. What is under way is finished; what waits stays waiting. */
  stop(): Result<NightRun> {
    const { store, clock } = this.deps;
    this.endPassed(clock.now());
    const id = store.transaction((db) => {
      const run = currentRun(db);
      if (run) endRun(db, run, 'user', 'The night was stopped by you.', clock.now());
      return run?.id;
    });
    this.look();
    const run = id === undefined ? undefined : runById(store.read, id);
    return run ? ok(this.shown(run)) : noneYet;
  }

  assign(input: CallParsed<'night.assign'>): Result<NightStatus> {
    this.endPassed(this.deps.clock.now());
    const moved = this.deps.jobs.assignNight(input);
    if (!moved.ok) return moved;
    this.changed();
    return ok(this.get());
  }

  /** Of one night; without an id, of the newest that has begun. */
  report(id: string | undefined): Result<NightReport> {
    const { store, clock } = this.deps;
    const now = clock.now();
    return store.reading((db) => {
      const current = currentRun(db);
      const begun = current && current.starts_at <= now ? current : lastRun(db);
      const run = id === undefined ? begun : runById(db, id);
      return run
        ? ok(reportOf(db, run, this.shown(run, db), now))
        : fail('not_found', id === undefined ? 'No night has begun yet.' : 'runId: there is no such night.');
    });
  }

  /** The budget of scope `run` is that of the night that is planned or open. */
  setCap(db: WriteDb, input: BudgetInput): Result<null> {
    const run = currentRun(db);
    if (!run) return fail('wrong_state', 'scope: no night is planned; plan one first.', { field: 'scope' });
    if (input.hardNano === null)
      return fail('invalid_input', 'hardNano: a night needs a hard cap.', { field: 'hardNano' });
    setBudget(db, { ...input, runId: run.id, play: run.play === 1 });
    return ok(null);
  }

  /** The night that is planned or open. */
  currentId(): string | null {
    return currentRun(this.deps.store.read)?.id ?? null;
  }

  /** When the night that is planned or open begins, or began. */
  startsAt(): number | undefined {
    return currentRun(this.deps.store.read)?.starts_at;
  }

  /** The cap of a night was moved: its jobs may fit now, or no more. */
  capMoved(): void {
    const run = currentRun(this.deps.store.read);
    if (!run) return;
    this.deps.jobs.nightChanged(run.id);
    this.changed();
  }

  /** Sees whether a night has ended that nobody was told of yet. */
  look(): void {
    if (this.closed || this.looking) return;
    this.looking = true;
    try {
      for (const run of untoldRuns(this.deps.store.read)) this.finish(run);
    } finally {
      this.looking = false;
    }
  }

  /** One of its jobs changed. Counts are told once for the changes of a moment. */
  jobChanged(): void {
    if (this.closed) return;
    this.look();
    this.cancelTelling ??= this.deps.clock.after(TELL_MS, () => {
      this.cancelTelling = undefined;
      this.changed();
    });
  }

  /** Carries out what follows from an end: what waits gives its money back, the user is told. Done again where a kill cut it short. */
  private finish(run: RunRow): void {
    const { store, clock, notifier, jobs, emit } = this.deps;
    jobs.nightChanged(run.id);
    const text = run.ended_text ?? `Night ${run.number} is over.`;
    const byRule = run.ended_by !== 'window' && run.ended_by !== 'user';
    if (byRule) {
      emit({ type: 'notice', level: 'error', text, urgent: true });
      notifier.notify({ title: `Night ${run.number}`, body: text });
    }
    const report = () => reportOf(store.read, run, this.shown(run), clock.now());
    if (run.ended_by === 'window') emit({ type: 'notice', level: 'info', text: inShort(report()) });
    store.transaction((db) => markTold(db, run.id));
    this.changed();
    this.arm();
  }

  /** Says how it stands, where that is not what was said last. */
  private changed(): void {
    const status = this.get();
    if (status.revision === this.said) return;
    this.said = status.revision;
    this.deps.emit({ type: 'night.changed', status });
    this.deps.emit({ type: 'ledger.changed' });
  }

  /** The clock has come to a moment that matters, or is looked at again. */
  private tick(): void {
    if (this.closed) return;
    try {
      this.endPassed(this.deps.clock.now());
      this.takeBack();
      this.changed();
      void this.lookAtBalances();
    } catch (error) {
      // A full disk, say; nothing is sent in the meantime that a rule forbids, since the claim asks for itself.
      this.deps.log.error({ error: String(error) }, 'the night could not be looked at; it is tried again');
    }
    this.arm();
  }

  /** Ends the night whose hours are over or whose floors are passed. */
  private endPassed(now: number): void {
    const run = currentRun(this.deps.store.read);
    const gate = run && gateOf(this.deps.store.read, { run_id: run.id }, now);
    if (gate?.type === 'over' || (gate?.type === 'open' && hasFloor(gate.run))) {
      this.deps.store.transaction((db) => {
        const fresh = currentRun(db);
        if (!fresh || fresh.starts_at > now) return;
        if (now >= fresh.ends_at) endRun(db, fresh, 'window', `The window closed at ${hourOf(fresh.ends_at)}.`, now);
        else endedByFloor(db, fresh, now, this.deps.freeBytes);
      });
    }
    this.look();
  }

  /** The clock went back to before the window: what had been let in line waits again. */
  private takeBack(): void {
    const { store, clock, jobs } = this.deps;
    const run = currentRun(store.read);
    if (!run || clock.now() >= run.starts_at) return;
    if (store.read.one(inLine, { runId: run.id })) jobs.nightChanged(run.id);
  }

  private arm(): void {
    this.cancelTimer?.();
    const run = this.closed ? undefined : currentRun(this.deps.store.read);
    if (!run) return;
    const now = this.deps.clock.now();
    const moments = [run.starts_at - now, run.ends_at - now, LOOK_MS].filter((ms) => ms > 0);
    this.cancelTimer = this.deps.clock.after(Math.min(...moments), () => this.tick());
  }

  /** The balance is the service's to tell; where it does not, nothing is stopped by it. */
  private async lookAtBalances(): Promise<void> {
    const { store, clock, log } = this.deps;
    const run = currentRun(store.read);
    const floor = run && rulesOf(run).balanceFloorNano;
    if (!run || floor === null || floor === undefined || run.starts_at - clock.now() > LOOK_MS) return;
    try {
      for (const { name, balanceNano } of (await this.profilesOf(run.id)).values()) {
        if (this.closed || balanceNano === undefined) continue;
        const isEnded = store.transaction((db) => endedByBalance(db, run.id, { name, balanceNano }, clock.now()));
        if (!isEnded) continue;
        return this.look();
      }
    } catch (error) {
      log.error({ error: String(error) }, 'the balance could not be looked at');
    }
  }

  private async profilesOf(
    runId: string,
  ): Promise<Map<string, { status: 'ready' | 'no key' | 'gone'; name: string; balanceNano?: Nano }>> {
    const { profiles, store } = this.deps;
    const known = profilesOf(store.read, runId).map(async (id) => {
      const [state, balanceNano] = await Promise.all([profiles.state(id), profiles.balance(id)]);
      return [id, { ...state, ...(balanceNano === undefined ? {} : { balanceNano }) }] as const;
    });
    return new Map(await Promise.all(known));
  }

  private intention(plan: NightPlan | undefined, now: number): Result<Intention> {
    const run = currentRun(this.deps.store.read);
    if (!plan) {
      if (!run) return noneYet;
      const { capNano, rules, startsAt, endsAt, play } = this.shown(run);
      return ok({ runId: run.id, startsAt, endsAt, capNano, rules, play });
    }
    const isOpen = run !== undefined && run.starts_at <= now;
    const window = isOpen
      ? windowWithEnd({ startsAt: run.starts_at, endsAt: run.ends_at }, { ...plan, start: run.start_hour }, now)
      : windowOf(plan, now);
    if (!window.ok) return window;
    const play = run ? run.play === 1 : this.deps.profiles.isPlay();
    return ok({ runId: run?.id ?? '', ...window.data, capNano: plan.capNano, rules: plan.rules, play });
  }

  private shown(run: RunRow, db: ReadDb = this.deps.store.read): NightRun {
    const counts = db.all<{ state: string; n: number }>(memberCounts, { runId: run.id });
    const sum = (states: string[]) => counts.reduce((n, row) => n + (states.includes(row.state) ? row.n : 0), 0);
    const [waiting, underWay] = [sum(WAITING), sum(UNDER_WAY)];
    const play = run.play === 1;
    const cap = listBudgets(db, this.deps.clock.now(), { play, runId: run.id }).find(({ scope }) => scope === 'run');
    return {
      id: run.id,
      number: run.number,
      start: run.start_hour,
      end: run.end_hour,
      startsAt: run.starts_at,
      endsAt: run.ends_at,
      state: run.ended_at !== null ? 'ended' : this.deps.clock.now() < run.starts_at ? 'planned' : 'open',
      capNano: cap?.hardNano ?? 0,
      rules: rulesOf(run),
      play,
      used: spendOfRun(db, play, run.id),
      jobs: { waiting, underWay, ended: counts.reduce((n, row) => n + row.n, 0) - waiting - underWay },
      ...(run.ended_at === null ? {} : { endedAt: run.ended_at }),
      ...(run.ended_by === null ? {} : { endedBy: run.ended_by }),
      ...(run.ended_text === null ? {} : { endedText: run.ended_text }),
    };
  }
}

const WAITING = ['draft', 'queued', 'blocked'];
const UNDER_WAY = ['sending', 'running', 'fetching'];

const noneYet = fail('wrong_state', 'No night is planned; plan one first.');

const hasFloor = (run: RunRow | undefined): boolean => {
  if (!run) return false;
  const { diskFloorBytes, budgetFloorNano } = rulesOf(run);
  return diskFloorBytes !== null || budgetFloorNano !== null;
};
