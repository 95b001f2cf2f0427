import { formatNano, type Nano } from '../../../shared/money.ts';
import type { DryRunJob, UnfitReason } from '../../../shared/night.ts';
import { dayOf, fitsUnder, monthOf } from '../ledger/index.ts';
import { hourOf } from './window.ts';

/** Simulates a night: which jobs would be sent, roughly when, and what prevents the others. Nothing is written. */

export interface PlannedJob {
  id: string;
  nano: Nano;
  lowNano: Nano;
  /** True for play money. */
  play: boolean;
  /** Its price is unknown. `allowed`: the user lets it be sent once all the same. */
  unpriced?: 'allowed' | 'held' | undefined;
  lane: string;
  projectId: string | null;
  notBefore: number | null;
  dependsOn: string[];
  /** Usual duration of such a job, in milliseconds. */
  ms: number;
  /** What prevents it whatever the window and the caps are. */
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
  /** The side it was set on; the night's cap is compared with each side's sum separately. */
  play?: boolean;
}

export interface SimulationContext {
  /** The first moment at which anything may be sent. */
  from: number;
  endsAt: number;
  lanes: ReadonlyMap<string, Lane>;
  caps: readonly Cap[];
  /** What already counts against a cap, without the simulated jobs. */
  counted(play: boolean, scope: Cap['scope'], key: string): Nano;
  /** Amount that must remain of the day's and the month's caps. */
  floorNano: Nano;
  runId: string;
}

export interface Unfit {
  jobId: string;
  nano: Nano;
  reason: UnfitReason;
  message: string;
}

/** Takes jobs in queue order. */
export function simulate(
  jobs: readonly PlannedJob[],
  context: SimulationContext,
): { fits: DryRunJob[]; unfit: Unfit[] } {
  const members = new Set(jobs.map(({ id }) => id));
  const simulation = new Simulation(context);
  const unfit = new Map<string, Unfit>();
  // A job queued before one of its inputs is tried again after that input.
  let pending = jobs;
  for (let before = Infinity; pending.length < before; ) {
    before = pending.length;
    pending = pending.filter((job) => {
      const inside = job.dependsOn.filter((id) => members.has(id));
      if (!inside.every((id) => simulation.readyAt.has(id) || unfit.has(id))) return true;
      const missing = inside.find((id) => unfit.has(id));
      const why =
        job.obstacle ??
        (missing === undefined
          ? simulation.place(job)
          : { reason: 'dependency' as const, message: 'It builds on a job that does not fit.' });
      if (why) unfit.set(job.id, { jobId: job.id, nano: job.nano, ...why });
      return false;
    });
  }
  return { fits: simulation.placed, unfit: jobs.flatMap(({ id }) => unfit.get(id) ?? []) };
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
  place(job: PlannedJob): Omit<Unfit, 'jobId' | 'nano'> | undefined {
    const slots = this.slotsOf(job.lane);
    const slot = slots.indexOf(Math.min(...slots));
    const start = Math.max(this.earliest(job), slots[slot] ?? 0);
    if (start >= this.context.endsAt) {
      const message = `Its turn would come at about ${hourOf(start)}, after the window has closed at ${hourOf(this.context.endsAt)}.`;
      return { reason: 'time', message };
    }
    const short = this.exceededCap(job, start);
    if (short) return short;
    const end = start + job.ms;
    slots[slot] = end;
    this.starts.set(job.lane, [...(this.starts.get(job.lane) ?? []), start].slice(-1_000));
    for (const cap of this.context.caps) if (concerns(cap, job)) this.add(cap, job, start);
    this.readyAt.set(job.id, end);
    const { id: jobId, nano, lowNano } = job;
    this.placed.push({
      jobId,
      nano,
      lowNano,
      startsAt: start,
      endsAt: end,
      ...(job.unpriced ? { unpriced: true } : {}),
    });
    return undefined;
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
    const starts = this.starts.get(job.lane) ?? [];
    const minuteAgo = perMinute === undefined ? undefined : starts[starts.length - perMinute];
    return Math.max(
      this.context.from,
      job.notBefore ?? 0,
      minuteAgo === undefined ? 0 : minuteAgo + MINUTE_MS,
      ...ready,
    );
  }

  /** The first hard cap that it does not fit under when its turn comes. */
  private exceededCap(job: PlannedJob, start: number): Omit<Unfit, 'jobId' | 'nano'> | undefined {
    const extraNano = job.unpriced === 'held' ? null : job.nano;
    for (const cap of this.context.caps.filter((one) => concerns(one, job))) {
      const { hardNano } = cap;
      const floorNano = cap.scope === 'day' || cap.scope === 'month' ? this.context.floorNano : 0;
      const used = this.usedOf(cap, job, start);
      if (fitsUnder({ hardNano, floorNano }, used, extraNano)) continue;
      if (extraNano === null)
        return { reason: 'unpriced', message: `Its price is not known, and ${CAP_NAMES[cap.scope]} holds.` };
      const left = Math.max(0, hardNano - used);
      const asked = `It may cost ${formatNano(job.nano)}; ${formatNano(left)} is left of ${CAP_NAMES[cap.scope]}, ${formatNano(hardNano)}, when its turn comes`;
      return fitsUnder({ hardNano, floorNano: 0 }, used, extraNano)
        ? { reason: 'floor', message: `${asked}, and ${formatNano(floorNano)} has to be left.` }
        : { reason: cap.scope, message: `${asked}.` };
    }
    return undefined;
  }

  private usedOf(cap: Cap, { play }: PlannedJob, start: number): Nano {
    const key = keyAt(cap, start);
    const own = this.used.get(`${play} ${cap.scope} ${key}`);
    return own ?? this.context.counted(play, cap.scope, key);
  }

  private add(cap: Cap, job: PlannedJob, start: number): void {
    this.used.set(`${job.play} ${cap.scope} ${keyAt(cap, start)}`, this.usedOf(cap, job, start) + job.nano);
  }
}

const CAP_NAMES: Record<Cap['scope'], string> = {
  run: "the night's cap",
  day: 'the cap of the day',
  month: 'the cap of the month',
  project: 'the cap of its project',
};

const concerns = (cap: Cap, job: PlannedJob): boolean =>
  (cap.play ?? job.play) === job.play && (cap.scope !== 'project' || cap.key === job.projectId);

const keyAt = (cap: Cap, time: number): string =>
  cap.scope === 'day' ? dayOf(time) : cap.scope === 'month' ? monthOf(time) : cap.key;
