import { formatNano, type Nano } from '../../../shared/money.ts';
import type { DryRunJob, UnfitReason } from '../../../shared/night.ts';
import { dayOf, fitsUnder, monthOf } from '../ledger/index.ts';
import { hourOf } from './window.ts';

/** A night gone through on paper: which jobs would be sent, about when, and what is in the way of the others. Nothing is written. */

export interface PlannedJob {
  id: string;
  nano: Nano;
  lowNano: Nano;
  /** On which side its money is counted. */
  play: boolean;
  /** Nobody knows its price. `allowed`: the user lets it be sent once all the same. */
  unpriced?: 'allowed' | 'held' | undefined;
  lane: string;
  projectId: string | null;
  notBefore: number | null;
  dependsOn: string[];
  /** How long such a job takes. */
  ms: number;
  /** What is in its way whatever the window and the caps are. */
  obstacle?: { reason: UnfitReason; message: string };
}

export interface Lane {
  atOnce: number;
  perMinute?: number;
  /** When what is under way in it would be ready. */
  busyUntil: number[];
}

export interface Cap {
  scope: 'day' | 'month' | 'project' | 'run';
  key: string;
  hardNano: Nano;
  /** The side it was set on; the cap of the night is held against either side's sum apart. */
  play?: boolean;
}

export interface Circumstances {
  /** The first moment anything may be sent. */
  from: number;
  endsAt: number;
  lanes: ReadonlyMap<string, Lane>;
  caps: readonly Cap[];
  /** What counts against a cap already, without the jobs gone through here. */
  counted(play: boolean, scope: Cap['scope'], key: string): Nano;
  /** Of the caps of the day and the month, what has to be left. */
  floorNano: Nano;
  runId: string;
}

export interface Unfit {
  jobId: string;
  nano: Nano;
  reason: UnfitReason;
  message: string;
}

/** Jobs in the order of the queue. */
export function simulate(jobs: readonly PlannedJob[], around: Circumstances): { fits: DryRunJob[]; unfit: Unfit[] } {
  const members = new Set(jobs.map(({ id }) => id));
  const night = new Night(around);
  const unfit = new Map<string, Unfit>();
  // One that stands in front of what it builds on is looked at again when that has been.
  let pending = jobs;
  for (let before = Infinity; pending.length < before; ) {
    before = pending.length;
    pending = pending.filter((job) => {
      const inside = job.dependsOn.filter((id) => members.has(id));
      if (!inside.every((id) => night.readyAt.has(id) || unfit.has(id))) return true;
      const missing = inside.find((id) => unfit.has(id));
      const why =
        job.obstacle ??
        (missing === undefined
          ? night.place(job)
          : { reason: 'dependency' as const, message: `It builds on ${missing}, which does not fit.` });
      if (why) unfit.set(job.id, { jobId: job.id, nano: job.nano, ...why });
      return false;
    });
  }
  return { fits: night.placed, unfit: jobs.flatMap(({ id }) => unfit.get(id) ?? []) };
}

const MINUTE_MS = 60_000;

class Night {
  readonly placed: DryRunJob[] = [];
  readonly readyAt = new Map<string, number>();
  private readonly around: Circumstances;
  private readonly slots = new Map<string, number[]>();
  private readonly starts = new Map<string, number[]>();
  private readonly used = new Map<string, Nano>();

  constructor(around: Circumstances) {
    this.around = around;
  }

  /** Gives it its place, or says what is in the way. */
  place(job: PlannedJob): Omit<Unfit, 'jobId' | 'nano'> | undefined {
    const slots = this.slotsOf(job.lane);
    const slot = slots.indexOf(Math.min(...slots));
    const start = Math.max(this.earliest(job), slots[slot] ?? 0);
    if (start >= this.around.endsAt) {
      const message = `Its turn would come at about ${hourOf(start)}, after the window has closed at ${hourOf(this.around.endsAt)}.`;
      return { reason: 'time', message };
    }
    const short = this.shortOf(job, start);
    if (short) return short;
    const end = start + job.ms;
    slots[slot] = end;
    this.starts.set(job.lane, [...(this.starts.get(job.lane) ?? []), start].slice(-1_000));
    for (const cap of this.around.caps) if (concerns(cap, job)) this.add(cap, job, start);
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
    const { atOnce = 1, busyUntil = [] } = this.around.lanes.get(lane) ?? {};
    const fresh = Array.from({ length: Math.max(1, atOnce) }, (_, n) => busyUntil[n] ?? 0);
    this.slots.set(lane, fresh);
    return fresh;
  }

  private earliest(job: PlannedJob): number {
    const ready = job.dependsOn.map((id) => this.readyAt.get(id) ?? 0);
    const perMinute = this.around.lanes.get(job.lane)?.perMinute;
    const starts = this.starts.get(job.lane) ?? [];
    const minuteAgo = perMinute === undefined ? undefined : starts[starts.length - perMinute];
    return Math.max(
      this.around.from,
      job.notBefore ?? 0,
      minuteAgo === undefined ? 0 : minuteAgo + MINUTE_MS,
      ...ready,
    );
  }

  /** The first hard cap that it does not fit under when its turn comes. */
  private shortOf(job: PlannedJob, start: number): Omit<Unfit, 'jobId' | 'nano'> | undefined {
    const extraNano = job.unpriced === 'held' ? null : job.nano;
    for (const cap of this.around.caps.filter((one) => concerns(one, job))) {
      const { hardNano } = cap;
      const floorNano = cap.scope === 'day' || cap.scope === 'month' ? this.around.floorNano : 0;
      const used = this.usedOf(cap, job, start);
      if (fitsUnder({ hardNano, floorNano }, used, extraNano)) continue;
      if (extraNano === null)
        return { reason: 'unpriced', message: `Its price is not known, and ${WORDS[cap.scope]} holds.` };
      const left = Math.max(0, hardNano - used);
      const asked = `It may cost ${formatNano(job.nano)}; ${formatNano(left)} is left of ${WORDS[cap.scope]}, ${formatNano(hardNano)}, when its turn comes`;
      return fitsUnder({ hardNano, floorNano: 0 }, used, extraNano)
        ? { reason: 'floor', message: `${asked}, and ${formatNano(floorNano)} has to be left.` }
        : { reason: cap.scope, message: `${asked}.` };
    }
    return undefined;
  }

  private usedOf(cap: Cap, { play }: PlannedJob, start: number): Nano {
    const key = keyAt(cap, start);
    const own = this.used.get(`${play} ${cap.scope} ${key}`);
    return own ?? this.around.counted(play, cap.scope, key);
  }

  private add(cap: Cap, job: PlannedJob, start: number): void {
    this.used.set(`${job.play} ${cap.scope} ${keyAt(cap, start)}`, this.usedOf(cap, job, start) + job.nano);
  }
}

const WORDS: Record<Cap['scope'], string> = {
  run: "the night's cap",
  day: 'the cap of the day',
  month: 'the cap of the month',
  project: 'the cap of its project',
};

const concerns = (cap: Cap, job: PlannedJob): boolean =>
  (cap.play ?? job.play) === job.play && (cap.scope !== 'project' || cap.key === job.projectId);

const keyAt = (cap: Cap, time: number): string =>
  cap.scope === 'day' ? dayOf(time) : cap.scope === 'month' ? monthOf(time) : cap.key;
