import { z } from 'zod';
import type { MoneyTotals } from './ledger.ts';
import type { Nano } from './money.ts';

/**
 * A night: jobs that wait for a window of hours, are sent in it under a hard cap of its own, and stop by rules that the user sets
 * before going to bed. Money is nano-dollars, times are milliseconds since 1970, hours are the user's local ones.
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

/** When a night stops by itself; `null` is no such rule. */
export const nightRulesSchema = z.strictObject({
  /** Failures without a success between them; a lost answer is one, a job that was never sent is none. */
  failuresInRow: count,
  /** Refusals by the service's filter without a success between them. */
  refusalsInRow: count,
  /** What has to be left of the hard caps of the day and the month. */
  budgetFloorNano: floor('nano-dollars'),
  /** What has to be left on the account, where the service publishes it. */
  balanceFloorNano: floor('nano-dollars'),
  /** What has to be free on the disk of the library. */
  diskFloorBytes: floor('bytes'),
});
export type NightRules = z.infer<typeof nightRulesSchema>;

export const nightPlanSchema = z.strictObject({
  /** Local time of day. An hour that a clock change skips is the moment of the change; one that comes twice is the first. */
  start: hour,
  /** At or before `start` in the day: on the next day. */
  end: hour,
  /** The local day the window starts on, `2026-11-21`; without it, the first window that is not over. */
  date: z
    .string('must be a day such as 2026-11-21')
    .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day such as 2026-11-21')
    .optional(),
  /** The hard cap of this night: settled, reserved and in doubt never go beyond it. */
  capNano: z.int('must be a whole number of nano-dollars').min(0, 'must not be negative'),
  rules: nightRulesSchema.prefault({}),
});
export type NightPlan = z.infer<typeof nightPlanSchema>;

/** `window`: its hours were over. `user`: stopped by hand. The others are the rules. */
export const NIGHT_ENDS = ['window', 'user', 'failures', 'refusals', 'budget', 'balance', 'disk', 'price'] as const;
export type NightEnd = (typeof NIGHT_ENDS)[number];

export interface NightRun {
  id: string;
  /** Night 14: they are counted. */
  number: number;
  /** As planned: local times of day. */
  start: string;
  end: string;
  startsAt: number;
  endsAt: number;
  /** `planned` until its hours begin, `open` in them, `ended` for good: it never opens again. */
  state: 'planned' | 'open' | 'ended';
  capNano: Nano;
  rules: NightRules;
  /** Its money is play money. It is real money from the first job of a real gateway on, and then leaves out what the sandbox makes. */
  play: boolean;
  /** What counts against the cap. */
  used: MoneyTotals;
  /** Its jobs that wait, that are being sent or made, and that have come to an end (doubt included). */
  jobs: { waiting: number; underWay: number; ended: number };
  endedAt?: number;
  endedBy?: NightEnd;
  /** "The night was stopped: 5 failures in a row." */
  endedText?: string;
}

export interface NightStatus {
  /** Grows with every look at the nights; the greater one is the newer. */
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
/** The cap (`run`, `day`, `month`, `project`) or other limit that is in the way. `unpriced`: nobody knows what it costs. `mend`: a refusal that the user has to mend first. */
export type UnfitReason = (typeof UNFIT_REASONS)[number];

export interface DryRunJob {
  jobId: string;
  /** Dearest and cheapest reading. */
  nano: Nano;
  lowNano: Nano;
  /** Nobody knows its price: the amounts are 0 and mean nothing. */
  unpriced?: true;
  /** About when it would be sent, and be ready. */
  startsAt: number;
  endsAt: number;
}

export interface DryRun {
  /** When it was worked out; nothing is sent and nothing is reserved by it. */
  at: number;
  startsAt: number;
  endsAt: number;
  /** Jobs of this night that wait. */
  jobs: number;
  /** In the order they would be sent. At most 500 are listed; the totals are of all. */
  fits: DryRunJob[];
  fitCount: number;
  /** Of what fits, at the dearest and at the cheapest reading. */
  totalNano: Nano;
  totalLowNano: Nano;
  /** How many of what fits are in neither total, since nobody knows their price. */
  unpriced: number;
  /** In queue order, each with the limit in its way and a sentence. At most 500 are listed. */
  unfit: { jobId: string; nano: Nano; reason: UnfitReason; message: string }[];
  unfitCount: number;
  /** When the last of them would be ready, from the lanes' limits and how long such jobs took before; absent with none. */
  endsAbout?: number;
  capNano: Nano;
  /** Of the cap, when all that fits is made at its dearest. */
  capLeftNano: Nano;
  freeBytes: number;
  /** The accounts concerned; without `nano` the service does not publish it. */
  balances: { profileId: string; nano?: Nano }[];
  /** What else to know before going to bed, in sentences: a paused queue, a balance nobody knows, a disk floor already passed. */
  notes: string[];
}

export type NotRunReason = 'window' | 'stopped' | 'budget' | 'dependency' | 'waiting' | 'moved';

export interface NightReport {
  run: NightRun;
  /** True when nothing of it waits for its turn or is under way any more. */
  complete: boolean;
  /** Every job that was ever in this night when it began, counted once. */
  jobs: number;
  made: number;
  /** Of those made: the ones with the verdict `keep`. */
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
  /** At their dearest and cheapest, when all of them had been made. */
  plannedNano: Nano;
  plannedLowNano: Nano;
  /** How many of them these amounts leave out, since nobody knows their price. */
  plannedUnpriced: number;
  /** Sums of this night's ledger entries, without later corrections: settling a price never changes them. Three figures, never added. */
  spent: MoneyTotals;
  /** What corrections have added since (negative: taken off), when a price was settled. */
  corrected: { settledNano: Nano; settledLowNano: Nano };
  /** When the first of its jobs was sent, and the last one ended. */
  firstSentAt?: number;
  lastEndedAt?: number;
}
