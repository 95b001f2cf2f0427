import { z } from 'zod';
import type { MoneyTotals } from '../money/ledger.ts';
import type { Nano } from '../money/money.ts';
import type { JobState } from './job.ts';
import type { Verdict } from './verdict.ts';

/**
 * A night: jobs that wait for a window of hours, are sent in it under its own hard cap, and stop by rules that the user sets beforehand.
 * Money is nano-dollars, times are milliseconds since 1970, hours are the user's local ones.
 */

const hour = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 23:00');
const count = z.int().min(1).max(1_000).nullable().default(null);
const floor = z.int().min(0).nullable().default(null);

/** The rules that stop a night; `null` switches a rule off. */
export const nightRulesSchema = z.strictObject({
  /** Consecutive failures; a lost answer counts, a job that was never sent does not. */
  failuresInRow: count,
  /** Consecutive refusals by the service's filter. */
  refusalsInRow: count,
  /** The amount that must remain under the hard caps of the day and the month. */
  budgetFloorNano: floor,
  /** The amount that must remain on the account, if the service publishes its balance. */
  balanceFloorNano: floor,
  /** The free space that the library's disk must keep. */
  diskFloorBytes: floor,
  /** Refusals by the filter among the takes of one shot, after which its waiting takes are left out; the night goes on. */
  shotRefusals: count,
  /** A lost answer is not counted as a failure: the night goes on, and the money stays in doubt under its cap. */
  goOnInDoubt: z.boolean().default(false),
  /** For how many minutes a service that is out of order is tried again before the night ends. */
  outageMinutes: count,
  /** Nothing is sent while the machine runs on battery. A host that does not know the power source holds nothing back. */
  notOnBattery: z.boolean().default(false),
});
export type NightRules = z.infer<typeof nightRulesSchema>;

/** Which price counts against the budget of a run where its unit is not known: the higher, or the lower one. */
export const CAP_READINGS = ['high', 'low'] as const;
export type CapReading = (typeof CAP_READINGS)[number];

export const nightPlanSchema = z.strictObject({
  /** Local time of day. A time that a clock change skips is the moment of the change; a repeated one is the first. */
  start: hour,
  /** Before `start` in the day: on the next day. Not `start` itself. */
  end: hour,
  /** The local day on which the window starts, `2026-11-21`; without it, the first window that has not ended. */
  date: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day such as 2026-11-21')
    .optional(),
  /**
   * Its window starts with the call, and ends at the first `end` after that; `start` is only the hour at which its days open again. It is
   * planned with `endsAt` only, and not beside `date`; an open night keeps its start.
   */
  startsNow: z.boolean().optional(),
  /** The end that its dry run showed: where it would be another one by now, as after the hour of its end, nothing is planned. */
  endsAt: z.int().optional(),
  /** The hard cap of this night: nothing is reserved that would take settled, reserved and in doubt beyond it, by its reading. */
  capNano: z.int().min(0),
  /**
   * `low`: charges and reservations count at the lower price, so the bill may be above the cap; what is in doubt
   * counts in full. Reservations still use the higher price, and so do the budgets of the day, the month and the project.
   */
  capReading: z.enum(CAP_READINGS).default('high'),
  rules: nightRulesSchema.prefault({}),
  /** The days of the week on whose evening it opens again, 0 is Sunday; none: only once. */
  days: z.array(z.int().min(0).max(6)).max(7).default([]),
  /** Whether the machine is kept awake for its start. While jobs run it is kept awake in any case. */
  keepAwake: z.boolean().default(true),
  /** Whether the user is notified when it ends or stops. */
  notify: z.boolean().default(true),
});
export type NightPlan = z.infer<typeof nightPlanSchema>;

/** What is kept of a plan under a name: all but when it is for. */
export const savedNightPlanSchema = nightPlanSchema.omit({ date: true, startsNow: true, endsAt: true });

export interface SavedNightPlan {
  id: string;
  name: string;
  plan: z.infer<typeof savedNightPlanSchema>;
}

/** `window`: its hours ended. `user`: the user stopped it. The others are the rules. */
export const NIGHT_ENDS = [
  'window',
  'user',
  'failures',
  'refusals',
  'budget',
  'balance',
  'disk',
  'price',
  'outage',
] as const;
export type NightEnd = (typeof NIGHT_ENDS)[number];

export interface NightRun {
  id: string;
  /** Night 14: the number of the night. */
  number: number;
  /** The planned local times of day. */
  start: string;
  end: string;
  startsAt: number;
  endsAt: number;
  /** `planned` until its hours begin, `open` in them, `ended` for good: it never opens again. */
  state: 'planned' | 'open' | 'ended';
  capNano: Nano;
  /** Which reading of a price counts against the cap. */
  capReading: CapReading;
  rules: NightRules;
  /** The days of the week on which it opens again, 0 is Sunday. */
  days: number[];
  keepAwake: boolean;
  notify: boolean;
  /** Failures and refusals in a row so far. */
  inRow: { failures: number; refusals: number };
  /** It is open, and sends nothing while the machine runs on battery. */
  held?: 'battery';
  /** Its money is play money. It becomes real money with the first job of a real gateway, and then does not count the sandbox's results. */
  play: boolean;
  /** What it has settled, reserved and in doubt. */
  used: MoneyTotals;
  /** What of that counts against the cap, by its reading. */
  countedNano: Nano;
  /** Its jobs that wait, that are being sent or made, and that have ended (doubt included). */
  jobs: { waiting: number; underWay: number; ended: number };
  endedAt?: number;
  endedBy?: NightEnd;
  /** "The run was stopped: 5 failures in a row." */
  endedText?: string;
  /** It was to open again on its next day and did not: why, in a sentence. */
  notOpened?: string;
}

export interface NightStatus {
  /** Increases with every query of the nights; the greater one is newer. */
  revision: number;
  /** The night that is planned or open. */
  current: NightRun | null;
  /** The newest one that has ended. */
  last: NightRun | null;
  /** Waiting jobs of nights that have ended, oldest first, at most 1,000: they wait until `night.assign` moves them. */
  leftOver: string[];
  /** The same of each side that has some, the real one first. */
  leftOverBySide: LeftOfSide[];
  /** What the machine runs on; `unknown` where the host cannot tell. */
  powerSource: PowerSource;
}

/** Waiting jobs of nights that have ended whose money is of one side. */
export interface LeftOfSide {
  play: boolean;
  count: number;
  /** Oldest first, at most 1,000. */
  ids: string[];
}

export type PowerSource = 'mains' | 'battery' | 'unknown';

export const UNFIT_REASONS = [
  'run',
  'day',
  'month',
  'project',
  'unpriced',
  'floor',
  'time',
  'dependency',
  'key',
  'profile',
  'mend',
  'shot',
  'priceRose',
] as const;
/**
 * The cap (`run`, `day`, `month`, `project`) or other limit that blocks it. `unpriced`: its cost is unknown. `mend`: a refusal that the
 * user has to fix first. `shot`: too many takes of its shot were refused. `priceRose`: the user has to confirm its higher price.
 */
export type UnfitReason = (typeof UNFIT_REASONS)[number];

export interface DryRunJob {
  jobId: string;
  /** Highest and lowest price. */
  nano: Nano;
  lowNano: Nano;
  /** Its price is unknown: the amounts are 0 and mean nothing. */
  unpriced?: true;
  /** Approximately when it would be sent, and be ready. */
  startsAt: number;
  endsAt: number;
  /** Its lane, and its place among those that the lane makes at once, from 0. */
  lane: string;
  slot: number;
}

/** Jobs that share a limit, in a dry run. */
export interface DryRunLane {
  lane: string;
  /** What the lane is for: `video`, `image` … */
  name: string;
  atOnce: number;
  jobs: number;
  /** The shortest and longest usual duration of its jobs, in milliseconds. */
  shortestMs: number;
  longestMs: number;
}

/** What counts against the night's cap from a moment on, at the highest and at the lowest price. */
export interface MoneyStep {
  at: number;
  nano: Nano;
  lowNano: Nano;
}

/** What a local day pays of the night. */
export interface DryRunDay {
  /** `2026-11-21` */
  day: string;
  nano: Nano;
  lowNano: Nano;
  /** How many of the jobs it sends have no known price, and are in neither amount. */
  unpriced: number;
  /** What is left of the day's hard cap before it; absent without a cap. */
  leftNano?: Nano;
}

/** The one change after which a job would fit. */
export type NightCure =
  /** The night's cap at which it and every job before it that lacks money fit. */
  | { type: 'cap'; capNano: Nano }
  /** The hard cap of the day, the month or its project at which it fits. */
  | { type: 'budget'; scope: 'day' | 'month' | 'project'; projectId?: string; hardNano: Nano }
  /** It fits if it is first in the night. */
  | { type: 'first' }
  /** Its price has to be set; its gateway needs a key; its refusal has to be fixed. */
  | { type: 'price' | 'key' | 'mend' };

export interface UnfitJob {
  jobId: string;
  nano: Nano;
  lowNano: Nano;
  /** Its price is unknown: the amounts are 0 and mean nothing. */
  unpriced?: true;
  reason: UnfitReason;
  message: string;
  /** By how much it does not fit: money, or milliseconds. */
  byNano?: Nano;
  byMs?: number;
  cure?: NightCure;
}

/** Of jobs that are not in the queue yet: no id, but a title. */
type Added<Known> = Omit<Known, 'jobId'> & { title: string };
export type AddedFit = Added<DryRunJob>;
export type AddedUnfit = Added<UnfitJob>;

export interface DryRun {
  /** When it was computed; it sends and reserves nothing. */
  at: number;
  startsAt: number;
  endsAt: number;
  /** Jobs of this night that wait. */
  jobs: number;
  /** In the order of sending. At most 500 are listed; the totals include all. */
  fits: DryRunJob[];
  fitCount: number;
  /** For the jobs that fit, at the highest and at the lowest price. */
  totalNano: Nano;
  totalLowNano: Nano;
  /** The number of fitting jobs without a known price, which are in neither total. */
  unpriced: number;
  /** In queue order, each with its limit and a sentence. At most 500 are listed. */
  unfit: UnfitJob[];
  unfitCount: number;
  /** The same of the jobs that would be added, in their order behind these; the totals and what follows include them. */
  added?: { fits: AddedFit[]; fitCount: number; unfit: AddedUnfit[]; unfitCount: number };
  lanes: DryRunLane[];
  /** Rising steps, at most 400, beginning with what the night has used already. */
  money: MoneyStep[];
  /** In order; the days on which something would be sent. */
  days: DryRunDay[];
  /** When the last of them would be ready, by the lanes' limits and the duration of earlier jobs; absent with none. */
  endsAbout?: number;
  capNano: Nano;
  capReading: CapReading;
  /** What remains of the cap if everything that fits is made, at the reading that counts against it. */
  capLeftNano: Nano;
  /** By how much the bill of this night may be above what counts against its cap, with everything that fits: 0 at the highest price. */
  aboveCountedNano: Nano;
  freeBytes: number;
  /** The accounts concerned; without `nano` the service does not publish it. */
  balances: { profileId: string; nano?: Nano }[];
  /** Other warnings, in sentences: a paused queue, an unknown balance, a disk limit already passed. */
  notes: string[];
}

export type NotRunReason = 'window' | 'stopped' | 'budget' | 'dependency' | 'waiting' | 'moved' | 'shot' | 'priceRose';

/** As many of the last that ended are listed of each night, however many it has. */
export const NEWEST_ENDED = 100;

export interface NightReport {
  run: NightRun;
  /** True once none of its jobs waits or runs. */
  complete: boolean;
  /** Every job that was in this night when it began, counted once. */
  jobs: number;
  made: number;
  /** Of the finished jobs, those with the verdict `keep`. */
  kept: number;
  /** Of the finished jobs, those with any verdict. */
  judged: number;
  failed: number;
  /** Refused by the service's filter. */
  refused: number;
  canceled: number;
  /** Of the canceled ones, those that had been sent. */
  canceledSent: number;
  inDoubt: number;
  /** Of its jobs whose answer was lost: those that were asked for again in its hours, and of these the ones in doubt no more. */
  askedAgain?: { jobs: number; answered: number };
  underWay: number;
  notRun: number;
  /** How many of those that were sent have ended, made or not. */
  ended: number;
  /** At most 500 of them, in queue order. */
  notRunJobs: { jobId: string; reason: NotRunReason; message: string }[];
  /**
   * At most 500 that were sent, in the order of sending: when, in which lane, and the highest and lowest of what each costs. Of more, what is
   * under way and the `NEWEST_ENDED` are there in any case; then what has no result or waits for a verdict comes before what was judged. How
   * many there are of each stands above.
   */
  sent: {
    jobId: string;
    lane: string;
    state: JobState;
    startsAt: number;
    endsAt?: number;
    nano: Nano;
    lowNano: Nano;
    /** What of it and of all that were sent before it counts against the night's cap, by its reading; what is in doubt counts in full. */
    countedByThenNano: Nano;
    /** Its price is unknown, and something may be owed for it: the amounts say nothing of that. */
    unpriced?: true;
    verdict?: Verdict;
    /** It failed: the service's filter refused it. */
    refused?: true;
  }[];
  /** The highest and lowest cost if all of them had been made. */
  plannedNano: Nano;
  plannedLowNano: Nano;
  /** The number of jobs without a known price, which these amounts leave out. */
  plannedUnpriced: number;
  /**
   * Sums of this night's ledger entries, with what was taken back, is in doubt or was billed since. Settling a price never changes what is
   * settled here. Three figures, never added.
   */
  spent: MoneyTotals;
  /** What settling a price later added to what is settled, or (below 0) took off. */
  corrected: { settledNano: Nano; settledLowNano: Nano };
  /** When the first of its jobs was sent, and the last one ended. */
  firstSentAt?: number;
  lastEndedAt?: number;
}
