import { z } from 'zod';
import type { MoneyTotals } from './ledger.ts';
import type { Nano } from './money.ts';

/**
 * A night: jobs that wait for a window of hours, are sent in it under its own hard cap, and stop by rules that the user sets beforehand.
 * Money is nano-dollars, times are milliseconds since 1970, hours are the user's local ones.
 */

const hour = z.string('must be a time of day such as 23:00').regex(/^([01]\d|2[0-3]):[0-5]\d$/, {
  message: 'must be a time of day such as 23:00',
});
const count = z
  .int('must be a whole number')
  .min(1, 'must be 1 to 1,000')
  .max(1_000, 'must be 1 to 1,000')
  .nullable()
  .default(null);
const floor = (what: string) =>
  z.int(`must be a whole number of ${what}`).min(0, 'must not be negative').nullable().default(null);

/** The rules that stop a night; `null` switches a rule off. */
export const nightRulesSchema = z.strictObject({
  /** Consecutive failures; a lost answer counts, a job that was never sent does not. */
  failuresInRow: count,
  /** Consecutive refusals by the service's filter. */
  refusalsInRow: count,
  /** The amount that must remain under the hard caps of the day and the month. */
  budgetFloorNano: floor('nano-dollars'),
  /** The amount that must remain on the account, if the service publishes its balance. */
  balanceFloorNano: floor('nano-dollars'),
  /** The free space that the library's disk must keep. */
  diskFloorBytes: floor('bytes'),
});
export type NightRules = z.infer<typeof nightRulesSchema>;

export const nightPlanSchema = z.strictObject({
  /** Local time of day. A time that a clock change skips is the moment of the change; a repeated one is the first. */
  start: hour,
  /** At or before `start` in the day: on the next day. */
  end: hour,
  /** The local day on which the window starts, `2026-11-21`; without it, the first window that has not ended. */
  date: z
    .string('must be a day such as 2026-11-21')
    .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day such as 2026-11-21')
    .optional(),
  /** The hard cap of this night: settled, reserved and in doubt never go beyond it. */
  capNano: z.int('must be a whole number of nano-dollars').min(0, 'must not be negative'),
  rules: nightRulesSchema.prefault({}),
});
export type NightPlan = z.infer<typeof nightPlanSchema>;

/** `window`: its hours ended. `user`: the user stopped it. The others are the rules. */
export const NIGHT_ENDS = ['window', 'user', 'failures', 'refusals', 'budget', 'balance', 'disk', 'price'] as const;
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
  rules: NightRules;
  /** Its money is play money. It becomes real money with the first job of a real gateway, and then does not count the sandbox's results. */
  play: boolean;
  /** The amount that counts against the cap. */
  used: MoneyTotals;
  /** Its jobs that wait, that are being sent or made, and that have ended (doubt included). */
  jobs: { waiting: number; underWay: number; ended: number };
  endedAt?: number;
  endedBy?: NightEnd;
  /** "The night was stopped: 5 failures in a row." */
  endedText?: string;
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
}

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
] as const;
/**
 * The cap (`run`, `day`, `month`, `project`) or other limit that blocks it. `unpriced`: its cost is unknown. `mend`: a refusal that the
 * user has to fix first.
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
}

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
  unfit: { jobId: string; nano: Nano; reason: UnfitReason; message: string }[];
  unfitCount: number;
  /** When the last of them would be ready, by the lanes' limits and the duration of earlier jobs; absent with none. */
  endsAbout?: number;
  capNano: Nano;
  /** What remains of the cap if everything that fits is made at its highest price. */
  capLeftNano: Nano;
  freeBytes: number;
  /** The accounts concerned; without `nano` the service does not publish it. */
  balances: { profileId: string; nano?: Nano }[];
  /** Other warnings, in sentences: a paused queue, an unknown balance, a disk limit already passed. */
  notes: string[];
}

export type NotRunReason = 'window' | 'stopped' | 'budget' | 'dependency' | 'waiting' | 'moved';

export interface NightReport {
  run: NightRun;
  /** True once none of its jobs waits or runs. */
  complete: boolean;
  /** Every job that was in this night when it began, counted once. */
  jobs: number;
  made: number;
  /** Of the finished jobs, those with the verdict `keep`. */
  kept: number;
  failed: number;
  /** Refused by the service's filter. */
  refused: number;
  canceled: number;
  inDoubt: number;
  underWay: number;
  notRun: number;
  /** At most 500 of them, in queue order. */
  notRunJobs: { jobId: string; reason: NotRunReason; message: string }[];
  /** The highest and lowest cost if all of them had been made. */
  plannedNano: Nano;
  plannedLowNano: Nano;
  /** The number of jobs without a known price, which these amounts leave out. */
  plannedUnpriced: number;
  /** Sums of this night's ledger entries, without later corrections: settling a price never changes them. Three figures, never added. */
  spent: MoneyTotals;
  /** The sum of later corrections (possibly negative), made when a price was settled. */
  corrected: { settledNano: Nano; settledLowNano: Nano };
  /** When the first of its jobs was sent, and the last one ended. */
  firstSentAt?: number;
  lastEndedAt?: number;
}
