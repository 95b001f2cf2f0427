import type {
  CapReading,
  DryRunDay,
  DryRunJob,
  DryRunLane,
  MoneyStep,
  NightFix,
  UnfitJob,
  UnfitReason,
} from '../../../shared/jobs/night.ts';
import { SCOPE_WORDS } from '../../../shared/money/ledger.ts';
import { formatNano, type Nano } from '../../../shared/money/money.ts';
import type { Cost } from '../../../shared/money/price.ts';
import { t } from '../../../shared/text/texts.ts';
import { amountFor, dayOf, fitsUnder, monthOf } from '../ledger/index.ts';
import { hourOf } from './runHours.ts';

/** Simulates a run: which jobs would be sent, roughly when, and what prevents the others. Writes nothing. */

export interface PlannedJob {
  id: string;
  nano: Nano;
  lowNano: Nano;
  /** True for test money. */
  play: boolean;
  /** Set if there is no price. `allowed`: the user allows sending the job once anyway. */
  unpriced?: 'allowed' | 'held' | undefined;
  lane: string;
  projectId: string | null;
  notBefore: number | null;
  dependsOn: string[];
  /** Usual duration in milliseconds. */
  ms: number;
  /** An obstacle that does not depend on the window and the budgets. */
  obstacle?: { reason: UnfitReason; message: string };
}

export interface Lane {
  atOnce: number;
  perMinute?: number;
  /** When its running jobs are expected to end. */
  busyUntil: number[];
}

export interface Cap {
  scope: 'day' | 'month' | 'project' | 'run';
  key: string;
  hardNano: Nano;
  /** The side it was set on; the run's budget is compared with each side's sum. */
  play?: boolean;
}

interface SimulationContext {
  from: number;
  endsAt: number;
  lanes: ReadonlyMap<string, Lane>;
  caps: readonly Cap[];
  /** The amount that already counts against a budget, without the simulated jobs. */
  counted(play: boolean, scope: Cap['scope'], key: string): Nano;
  /** The amount that must remain of the day's and the month's budgets. */
  floorNano: Nano;
  runId: string;
  /** Which price counts against the run's budget. */
  capReading: CapReading;
}

/** Why a job does not fit, and by how much. */
type Misfit = Omit<UnfitJob, 'jobId' | 'nano' | 'lowNano' | 'unpriced'>;

export function simulate(
  jobs: readonly PlannedJob[],
  context: SimulationContext,
): { fits: DryRunJob[]; unfit: UnfitJob[] } {
  const members = new Set(jobs.map(({ id }) => id));
  const simulation = new Simulation(context);
  const unfit = new Map<string, UnfitJob>();
  // A job queued before one of its inputs is tried again after that input.
  let pending = jobs;
  for (let before = Infinity; pending.length < before; ) {
    before = pending.length;
    pending = pending.filter((job) => {
      const inside = job.dependsOn.filter((id) => members.has(id));
      if (!inside.every((id) => simulation.readyAt.has(id) || unfit.has(id))) return true;
      const missing = inside.find((id) => unfit.has(id));
      const why: Misfit | undefined =
        (job.obstacle && { ...job.obstacle, ...fixForObstacle(job.obstacle.reason) }) ??
        (missing === undefined
          ? simulation.place(job)
          : { reason: 'dependency' as const, message: t`Waits for a job that does not fit.` });
      if (why) unfit.set(job.id, { ...priceOf(job), ...why });
      return false;
    });
  }
  const inOrder = jobs.flatMap(({ id }) => unfit.get(id) ?? []);
  return { fits: simulation.placed, unfit: withCaps(inOrder, jobs, simulation) };
}

const priceOf = ({
  id,
  nano,
  lowNano,
  unpriced,
}: PlannedJob): Pick<DryRunJob, 'jobId' | 'nano' | 'lowNano' | 'unpriced'> => ({
  jobId: id,
  nano,
  lowNano,
  ...(unpriced ? { unpriced: true } : {}),
});

const fixForObstacle = (reason: UnfitReason): { cure?: NightFix } =>
  reason === 'key' || reason === 'mend'
    ? { cure: { type: reason } }
    : reason === 'priceRose'
      ? { cure: { type: 'mend' } }
      : {};

/**
 * For jobs that lack money in the run: the budget at which each fits together with all earlier ones that lack money, since added money goes
 * in queue order.
 */
function withCaps(unfit: UnfitJob[], jobs: readonly PlannedJob[], simulation: Simulation): UnfitJob[] {
  const sides = new Map(jobs.map(({ id, play }) => [id, play]));
  const sums = new Map<boolean, Nano>();
  return unfit.map((job) => {
    if (job.reason !== 'run') return job;
    const play = sides.get(job.jobId) ?? false;
    const sum = (sums.get(play) ?? simulation.usedOfNight(play)) + simulation.amountIn('run', job);
    sums.set(play, sum);
    return { ...job, cure: { type: 'cap' as const, capNano: sum } };
  });
}

const MINUTE_MS = 60_000;

class Simulation {
  readonly placed: DryRunJob[] = [];
  readonly readyAt = new Map<string, number>();
  private readonly context: SimulationContext;
  private readonly slots = new Map<string, number[]>();
  private readonly starts = new Map<string, number[]>();
  private readonly used = new Map<string, Nano>();

  constructor(context: SimulationContext) {
    this.context = context;
  }

  /** Schedules the job, or returns what prevents it. */
  place(job: PlannedJob): Misfit | undefined {
    const slots = this.slotsOf(job.lane);
    const slot = slots.indexOf(Math.min(...slots));
    const start = Math.max(this.earliest(job), slots[slot] ?? 0);
    if (start >= this.context.endsAt) {
      const message = t`Would start at about ${hourOf(start)}; the run ends at ${hourOf(this.context.endsAt)}.`;
      const couldBeFirst = this.earliest(job) < this.context.endsAt && job.dependsOn.length === 0;
      const cure: { cure?: NightFix } = couldBeFirst && this.placed.length > 0 ? { cure: { type: 'first' } } : {};
      return { reason: 'time', message, byMs: start - this.context.endsAt + 1, ...cure };
    }
    const short = this.exceededCap(job, start);
    if (short) return short;
    const end = start + job.ms;
    slots[slot] = end;
    this.startsOf(job.lane).push(start);
    for (const cap of this.context.caps) if (concerns(cap, job)) this.add(cap, job, start);
    this.readyAt.set(job.id, end);
    this.placed.push({ ...priceOf(job), startsAt: start, endsAt: end, lane: job.lane, slot });
    return undefined;
  }

  /** The amount that counts against a budget: for the run's own by its price setting, for others at the highest price. */
  amountIn(scope: Cap['scope'], job: Cost): Nano {
    return amountFor(scope === 'run' ? this.context.capReading : 'high', job);
  }

  /** The amount that counts against the run's budget with all jobs that fit. */
  usedOfNight(play: boolean): Nano {
    return this.usedUnder(play, 'run', this.context.runId);
  }

  private startsOf(lane: string): number[] {
    const known = this.starts.get(lane) ?? [];
    this.starts.set(lane, known);
    return known;
  }

  private slotsOf(lane: string): number[] {
    const known = this.slots.get(lane);
    if (known) return known;
    const { atOnce = 1, busyUntil = [] } = this.context.lanes.get(lane) ?? {};
    const fresh = Array.from({ length: Math.max(1, atOnce) }, (_, n) => busyUntil[n] ?? 0);
    this.slots.set(lane, fresh);
    return fresh;
  }

  private earliest(job: PlannedJob): number {
    const ready = job.dependsOn.map((id) => this.readyAt.get(id) ?? 0);
    const perMinute = this.context.lanes.get(job.lane)?.perMinute;
    const starts = this.startsOf(job.lane);
    const minuteAgo = perMinute === undefined ? undefined : starts[starts.length - perMinute];
    return Math.max(
      this.context.from,
      job.notBefore ?? 0,
      minuteAgo === undefined ? 0 : minuteAgo + MINUTE_MS,
      ...ready,
    );
  }

  /** The first hard budget that it does not fit under when its turn comes. */
  private exceededCap(job: PlannedJob, start: number): Misfit | undefined {
    for (const cap of this.context.caps.filter((one) => concerns(one, job))) {
      const extraNano = job.unpriced === 'held' ? null : this.amountIn(cap.scope, job);
      const used = this.usedOf(cap, job, start);
      const floorNano = cap.scope === 'day' || cap.scope === 'month' ? this.context.floorNano : 0;
      if (!fitsUnder({ hardNano: cap.hardNano, floorNano }, used, extraNano))
        return extraNano === null ? unpriced(cap) : this.shortOf(cap, { extraNano, used, floorNano });
    }
    return undefined;
  }

  private shortOf(cap: Cap, { extraNano, used, floorNano }: Record<'extraNano' | 'used' | 'floorNano', Nano>): Misfit {
    const { hardNano, scope } = cap;
    const left = Math.max(0, hardNano - used);
    const [name, price, limit] = [SCOPE_WORDS[scope], formatNano(extraNano), formatNano(hardNano)];
    const byNano = used + extraNano - (hardNano - floorNano);
    const cure = scope === 'run' ? {} : { cure: budgetFix(cap, used + extraNano + floorNano) };
    return fitsUnder({ hardNano, floorNano: 0 }, used, extraNano)
      ? {
          reason: 'floor',
          message: t`May cost ${price}, with ${formatNano(left)} of ${limit} left (${name}). The run keeps ${formatNano(floorNano)} back.`,
          byNano,
          ...cure,
        }
      : {
          reason: scope,
          message: t`May cost ${price}, with ${formatNano(left)} of ${limit} left by then (${name}).`,
          byNano,
          ...cure,
        };
  }

  private usedOf(cap: Cap, { play }: PlannedJob, start: number): Nano {
    return this.usedUnder(play, cap.scope, keyAt(cap, start));
  }

  /** Cached: jobs that do not fit ask thousands of times. */
  private usedUnder(play: boolean, scope: Cap['scope'], key: string): Nano {
    const name = `${play} ${scope} ${key}`;
    const known = this.used.get(name);
    if (known !== undefined) return known;
    const counted = this.context.counted(play, scope, key);
    this.used.set(name, counted);
    return counted;
  }

  private add(cap: Cap, job: PlannedJob, start: number): void {
    this.used.set(
      `${job.play} ${cap.scope} ${keyAt(cap, start)}`,
      this.usedOf(cap, job, start) + this.amountIn(cap.scope, job),
    );
  }
}

function unpriced({ scope, hardNano }: Cap): Misfit {
  const [name, limit] = [SCOPE_WORDS[scope], formatNano(hardNano)];
  const message = t`No price is set, but a budget applies (${name}, ${limit}). Set a price, or allow this job once.`;
  return { reason: 'unpriced', message, cure: { type: 'price' } };
}

function budgetFix({ scope, key }: Cap, hardNano: Nano): NightFix {
  if (scope === 'project') return { type: 'budget', scope, projectId: key, hardNano };
  return { type: 'budget', scope: scope === 'month' ? 'month' : 'day', hardNano };
}

const concerns = (cap: Cap, job: PlannedJob): boolean =>
  (cap.play ?? job.play) === job.play && (cap.scope !== 'project' || cap.key === job.projectId);

const keyAt = (cap: Cap, time: number): string =>
  cap.scope === 'day' || cap.scope === 'month' ? periodOf(time)[cap.scope] : cap.key;

let period = { time: Number.NaN, day: '', month: '' };

/** Cached: thousands of jobs that do not fit have the same time. */
function periodOf(time: number): { day: string; month: string } {
  if (period.time !== time) period = { time, day: dayOf(time), month: monthOf(time) };
  return period;
}

/** The graphs of a dry run: lanes, money over time, and days. */

/** The lanes in the order of their first job. */
export function plannedLanes(jobs: readonly PlannedJob[], lanes: ReadonlyMap<string, Lane>): DryRunLane[] {
  const found = new Map<string, DryRunLane>();
  for (const { lane, ms } of jobs) {
    const known = found.get(lane);
    if (!known) {
      const { atOnce = 1 } = lanes.get(lane) ?? {};
      const name = lane.slice(0, lane.indexOf(':'));
      found.set(lane, { lane, name, atOnce, jobs: 1, shortestMs: ms, longestMs: ms });
      continue;
    }
    known.jobs += 1;
    known.shortestMs = Math.min(known.shortestMs, ms);
    known.longestMs = Math.max(known.longestMs, ms);
  }
  return [...found.values()];
}

/** More steps are indistinguishable on a screen. */
const MAX_STEPS = 400;

/** The sums at the times of sending, from what is used already. */
export function moneySteps(jobs: readonly DryRunJob[], used: MoneyStep): MoneyStep[] {
  const steps: MoneyStep[] = [{ ...used }];
  const inTime = [...jobs].sort((one, other) => one.startsAt - other.startsAt);
  let { nano, lowNano } = used;
  for (const job of inTime) {
    nano += job.nano;
    lowNano += job.lowNano;
    const last = steps.at(-1);
    if (last && last.at === job.startsAt) Object.assign(last, { nano, lowNano });
    else steps.push({ at: job.startsAt, nano, lowNano });
  }
  const every = Math.ceil(steps.length / MAX_STEPS);
  return steps.filter((_, n) => n % every === 0 || n === steps.length - 1);
}

/** The days on which jobs would be sent, with their cost. */
export function daysOf(jobs: readonly DryRunJob[], leftOf: (day: string) => Nano | undefined): DryRunDay[] {
  const days = new Map<string, DryRunDay>();
  for (const { startsAt, nano, lowNano, unpriced } of jobs) {
    const day = dayOf(startsAt);
    const known = days.get(day) ?? { day, nano: 0, lowNano: 0, unpriced: 0 };
    days.set(day, {
      day,
      nano: known.nano + nano,
      lowNano: known.lowNano + lowNano,
      unpriced: known.unpriced + (unpriced ? 1 : 0),
    });
  }
  return [...days.values()]
    .sort((one, other) => (one.day < other.day ? -1 : 1))
    .map((day) => {
      const leftNano = leftOf(day.day);
      return { ...day, ...(leftNano === undefined ? {} : { leftNano }) };
    });
}
