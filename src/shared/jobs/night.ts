import { z } from 'zod';
import type { MoneyTotals } from '../money/ledger.ts';
import type { Nano } from '../money/money.ts';
import type { JobState } from './job.ts';
import type { Verdict } from './verdict.ts';

/**
 * An overnight run: jobs that wait for a window of hours, are sent in it under its own budget, and stop by rules set beforehand. Money is
 * nano-dollars, times are milliseconds since 1970, hours are local.
 */

const hour = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 23:00');
const count = z.int().min(1).max(1_000).nullable().default(null);
const floor = z.int().min(0).nullable().default(null);

/** The rules that stop a run; `null` switches a rule off. */
export const nightRulesSchema = z.strictObject({
  /** Consecutive failures; a lost reply counts, a job that was never sent does not. */
  failuresInRow: count,
  /** Consecutive content refusals. */
  refusalsInRow: count,
  /** The amount that must remain under the hard budgets of day and month. */
  budgetFloorNano: floor,
  /** The amount that must remain on the account, if the gateway states its balance. */
  balanceFloorNano: floor,
  /** The free space that the library's disk must keep. */
  diskFloorBytes: floor,
  /** Content refusals of one shot's takes after which its other queued takes are left out; the run goes on. */
  shotRefusals: count,
  /** A lost reply does not count as a failure: the run continues, and the cost stays unconfirmed within its budget. */
  goOnInDoubt: z.boolean().default(false),
  /** How many minutes an unavailable gateway is retried before the run ends. */
  outageMinutes: count,
  /** Nothing is sent on battery. A host that does not know the power source allows sending. */
  notOnBattery: z.boolean().default(false),
});
export type NightRules = z.infer<typeof nightRulesSchema>;

/** Which price counts against the budget of a run while the unit is not known. */
export const CAP_READINGS = ['high', 'low'] as const;
export type CapReading = (typeof CAP_READINGS)[number];

export const nightPlanSchema = z.strictObject({
  /** Local time of day. A time skipped by a clock change is the moment of the change; for a repeated one, the first counts. */
  start: hour,
  /** Before `start`: on the next day. Not equal to `start`. */
  end: hour,
  /** The local day on which the window starts, `2026-11-21`; default: the first window that has not ended. */
  date: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day such as 2026-11-21')
    .optional(),
  /**
   * The window starts with the call and ends at the first `end` after it; `start` is then only the hour of its later days. Requires
   * `endsAt`, excludes `date`; an open run keeps its start.
   */
  startsNow: z.boolean().optional(),
  /** The end that the dry run showed. If the end would be another one by now, nothing is planned. */
  endsAt: z.int().optional(),
  /** The hard budget of the run: nothing is reserved that takes charged, reserved and unconfirmed together above it, by `capReading`. */
  capNano: z.int().min(0),
  /**
   * `low`: charges and reservations count at the lower price, so the bill may exceed the budget; unconfirmed costs count in full.
   * Reservations and the budgets of day, month and project use the higher price all the same.
   */
  capReading: z.enum(CAP_READINGS).default('high'),
  rules: nightRulesSchema.prefault({}),
  /** Weekdays on which it opens again, 0 is Sunday; empty: only once. */
  days: z.array(z.int().min(0).max(6)).max(7).default([]),
  /** Whether the machine is kept awake for its start. While jobs run it always is. */
  keepAwake: z.boolean().default(true),
  notify: z.boolean().default(true),
});
export type NightPlan = z.infer<typeof nightPlanSchema>;

/** A saved plan: everything but its date. */
export const savedNightPlanSchema = nightPlanSchema.omit({ date: true, startsNow: true, endsAt: true });

export interface SavedNightPlan {
  id: string;
  name: string;
  plan: z.infer<typeof savedNightPlanSchema>;
}

/** `window`: its hours ended. `user`: the user stopped it. The others are rules. */
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
  /** The number of the run: "Night 14". */
  number: number;
  start: string;
  end: string;
  startsAt: number;
  endsAt: number;
  /** `planned` until its window begins, `open` in it, `ended` for good. */
  state: 'planned' | 'open' | 'ended';
  capNano: Nano;
  /** Which price counts against the budget. */
  capReading: CapReading;
  rules: NightRules;
  /** Weekdays on which it opens again, 0 is Sunday. */
  days: number[];
  keepAwake: boolean;
  notify: boolean;
  /** Current consecutive failures and refusals. */
  inRow: { failures: number; refusals: number };
  /** The run is open, and paused while the machine runs on battery. */
  held?: 'battery';
  /** The run uses test money. Its first job of a real gateway turns it into real money; then results of the sandbox do not count. */
  play: boolean;
  /** Charged, reserved and unconfirmed in it. */
  used: MoneyTotals;
  /** The part of that which counts against the budget. */
  countedNano: Nano;
  /** Its jobs: queued, being sent or made, ended (unconfirmed included). */
  jobs: { waiting: number; underWay: number; ended: number };
  endedAt?: number;
  endedBy?: NightEnd;
  /** "The run was stopped: 5 failures in a row." */
  endedText?: string;
  /** Why it did not open again on its next day, in a sentence. */
  notOpened?: string;
}

export interface NightStatus {
  /** Increases with every query of the runs; the greater one is newer. */
  revision: number;
  /** The planned or open run. */
  current: NightRun | null;
  /** The newest ended run. */
  last: NightRun | null;
  /** Queued jobs of ended runs, oldest first, at most 1,000: they wait until `night.assign` moves them. */
  leftOver: string[];
  /** The same for each side that has some, real money first. */
  leftOverBySide: LeftOfSide[];
  /** `unknown` if the host cannot tell. */
  powerSource: PowerSource;
}

/** Queued jobs of ended runs of one side. */
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
 * The budget (`run`, `day`, `month`, `project`) or other limit that blocks it. `unpriced`: no price set. `mend`: a refusal that the user
 * must fix. `shot`: too many takes of its shot were refused. `priceRose`: the user must confirm its higher price.
 */
export type UnfitReason = (typeof UNFIT_REASONS)[number];

export interface DryRunJob {
  jobId: string;
  /** Highest and lowest price. */
  nano: Nano;
  lowNano: Nano;
  /** No price is set: the amounts are 0 and mean nothing. */
  unpriced?: true;
  /** The approximate times of sending and of completion. */
  startsAt: number;
  endsAt: number;
  /** Its lane, and its slot among the lane's parallel jobs, from 0. */
  lane: string;
  slot: number;
}

/** Jobs of a dry run that share a limit. */
export interface DryRunLane {
  lane: string;
  /** `video`, `image` … */
  name: string;
  atOnce: number;
  jobs: number;
  /** The shortest and longest usual duration of its jobs, in milliseconds. */
  shortestMs: number;
  longestMs: number;
}

/** The amount that counts against the budget from a moment on, at the highest and at the lowest price. */
export interface MoneyStep {
  at: number;
  nano: Nano;
  lowNano: Nano;
}

/** The run's spend on one local day. */
export interface DryRunDay {
  /** `2026-11-21` */
  day: string;
  nano: Nano;
  lowNano: Nano;
  /** Jobs to send with no price set; in neither amount. */
  unpriced: number;
  /** The rest of the day's hard budget before it; absent without a budget. */
  leftNano?: Nano;
}

/** The one change that makes a job fit. */
export type NightFix =
  /** The run's budget at which it and all earlier jobs that lack money fit. */
  | { type: 'cap'; capNano: Nano }
  /** The hard budget of day, month or project at which it fits. */
  | { type: 'budget'; scope: 'day' | 'month' | 'project'; projectId?: string; hardNano: Nano }
  /** The job fits as the first one of the run. */
  | { type: 'first' }
  /** A price must be set; the gateway needs a key; a refusal must be fixed. */
  | { type: 'price' | 'key' | 'mend' };

export interface UnfitJob {
  jobId: string;
  nano: Nano;
  lowNano: Nano;
  /** No price is set: the amounts are 0 and mean nothing. */
  unpriced?: true;
  reason: UnfitReason;
  message: string;
  /** The missing amount: money, or milliseconds. */
  byNano?: Nano;
  byMs?: number;
  cure?: NightFix;
}

/** For jobs that are not queued yet: a title instead of an id. */
type Added<Known> = Omit<Known, 'jobId'> & { title: string };
export type AddedFit = Added<DryRunJob>;
export type AddedUnfit = Added<UnfitJob>;

export interface DryRun {
  /** The time of the dry run, which sends and reserves nothing. */
  at: number;
  startsAt: number;
  endsAt: number;
  /** Queued jobs of this run. */
  jobs: number;
  /** In sending order. At most 500 are listed; the totals include all. */
  fits: DryRunJob[];
  fitCount: number;
  /** For the fitting jobs, at the highest and at the lowest price. */
  totalNano: Nano;
  totalLowNano: Nano;
  /** Fitting jobs with no price set; in neither total. */
  unpriced: number;
  /** In queue order, each with its limit and a sentence. At most 500 are listed. */
  unfit: UnfitJob[];
  unfitCount: number;
  /** The same for added jobs, which come after these; the totals and the fields below include them. */
  added?: { fits: AddedFit[]; fitCount: number; unfit: AddedUnfit[]; unfitCount: number };
  lanes: DryRunLane[];
  /** Rising steps, at most 400, from what the run has used already. */
  money: MoneyStep[];
  /** The days on which something would be sent, in order. */
  days: DryRunDay[];
  /** When the last of them would be done, by lane limits and earlier durations; absent without jobs. */
  endsAbout?: number;
  capNano: Nano;
  capReading: CapReading;
  /** The rest of the budget if everything that fits is made, at the price that counts against it. */
  capLeftNano: Nano;
  /** How far the bill may exceed the counted amount if everything that fits is made; 0 at the highest price. */
  aboveCountedNano: Nano;
  freeBytes: number;
  /** The accounts concerned; without `nano` the gateway does not state its balance. */
  balances: { profileId: string; nano?: Nano }[];
  /** Other warnings in sentences: a paused queue, an unknown balance, a disk limit already passed. */
  notes: string[];
}

export type NotRunReason = 'window' | 'stopped' | 'budget' | 'dependency' | 'waiting' | 'moved' | 'shot' | 'priceRose';

/** The most recently ended jobs of a run that are always listed. */
export const NEWEST_ENDED = 100;

export interface NightReport {
  run: NightRun;
  /** True once none of its jobs is in progress or can still be sent in it. */
  complete: boolean;
  /** Every job in the run when it began, counted once. */
  jobs: number;
  made: number;
  /** Finished jobs with the verdict `keep`. */
  kept: number;
  /** Finished jobs with any verdict. */
  judged: number;
  failed: number;
  /** Refused for their content. */
  refused: number;
  canceled: number;
  /** Canceled after they were sent. */
  canceledSent: number;
  inDoubt: number;
  /** Jobs with a lost reply that were sent again during the run, and those of them that are resolved. */
  askedAgain?: { jobs: number; answered: number };
  underWay: number;
  notRun: number;
  /** Sent jobs that have ended, made or not. */
  ended: number;
  /** At most 500 of them, in queue order. */
  notRunJobs: { jobId: string; reason: NotRunReason; message: string }[];
  /**
   * At most 500 sent jobs, in sending order: time, lane, highest and lowest cost. Jobs in progress and the `NEWEST_ENDED` are always listed;
   * then those without a result or a verdict come before the others.
   */
  sent: {
    jobId: string;
    lane: string;
    state: JobState;
    startsAt: number;
    endsAt?: number;
    nano: Nano;
    lowNano: Nano;
    /** The amount that had counted against the budget by then, this job included, by its `capReading`; unconfirmed costs count in full. */
    countedByThenNano: Nano;
    /** No price is set and something may be owed: the amounts do not include it. */
    unpriced?: true;
    verdict?: Verdict;
    /** The job was refused for its content. */
    refused?: true;
  }[];
  /** Highest and lowest cost if all jobs had been made. */
  plannedNano: Nano;
  plannedLowNano: Nano;
  /** Jobs with no price set, which these amounts leave out. */
  plannedUnpriced: number;
  /**
   * Sums of this run's ledger entries, later releases, unconfirmed costs and bills included. Settling a price does not change `settled`
   * here. Three figures, never added.
   */
  spent: MoneyTotals;
  /** The amount that settling a price added to the charge later, or (below 0) took off. */
  corrected: { settledNano: Nano; settledLowNano: Nano };
  /** When the first job was sent, and when the last one ended. */
  firstSentAt?: number;
  lastEndedAt?: number;
}
