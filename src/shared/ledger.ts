import { z } from 'zod';
import type { Job } from './job.ts';
import type { PriceKind } from './kinds/pricings.ts';
import type { Nano } from './money.ts';
import type { Cost, Price } from './price.ts';

/** Three figures that are never added up (DESIGN "Money"), and the cheaper reading of what is settled. All in nano-dollars. */
export interface MoneyTotals {
  settledNano: number;
  settledLowNano: number;
  reservedNano: number;
  uncertainNano: number;
  /** How many orders stand beside these figures because nobody knows their price. */
  unpriced: number;
}

const shownNano = z.int('must be a whole number of nano-dollars').min(0, 'must not be negative');

/** What stood at the button, of all that is ordered with it. Where the price book says something else by then, the order is refused. */
export const shownPriceSchema = z.strictObject({
  estimateNano: shownNano,
  lowNano: shownNano,
  /** How many of the orders have no known price; they are not in the sums. */
  unpriced: z.int('must be a whole number').min(0, 'must not be negative').default(0),
});
export type ShownPrice = z.infer<typeof shownPriceSchema>;

export const NO_MONEY: MoneyTotals = {
  settledNano: 0,
  settledLowNano: 0,
  reservedNano: 0,
  uncertainNano: 0,
  unpriced: 0,
};

export interface TotalsRow extends MoneyTotals {
  /** A day `2026-11-21` (local), a model id, a kind or a project id (empty for none). */
  key: string;
  jobs: number;
}

/** One line of the ledger; entries are never changed, only followed by others. */
export interface LedgerEntry {
  id: string;
  jobId: string;
  at: number;
  /** `bill`: what a bill said of an order that had stayed in doubt. */
  type: 'reserve' | 'release' | 'charge' | 'doubt' | 'resolve' | 'correction' | 'bill';
  /** The change of each figure. */
  settledNano: number;
  settledLowNano: number;
  reservedNano: number;
  uncertainNano: number;
  /** The change in how many orders have no known price. */
  unpriced?: number;
  /** The price it was made with, as JSON; it stays even when the book changes. */
  price?: string;
  note?: string;
}

export interface Estimate extends Cost {
  settled: boolean;
  source: string;
  /** Nothing says what it costs: the amounts are 0 and mean nothing. */
  unpriced?: true;
}

export const MISMATCH_STATES = ['open', 'disputed', 'adopted', 'once'] as const;
export type MismatchState = (typeof MISMATCH_STATES)[number];

/**
 * An answer stated, and was charged, a cost that the price book does not allow. While it is `open` or `disputed`, nothing more is ordered
 * at that price; an open night that has such orders is ended.
 */
export interface PriceMismatch {
  id: string;
  profileId: string;
  kind: PriceKind;
  /** The model that the price is of; `*` for pictures, which are ordered without one. */
  model: string;
  jobId: string;
  /** The night the job was in. */
  runId?: string;
  /** By the price book, dearest and cheapest reading. */
  expectedNano: number;
  expectedLowNano: number;
  statedNano: number;
  /** The field or header. */
  statedBy: string;
  at: number;
  state: MismatchState;
  /** What waits at this price: how many, what they are estimated at now, and what they cost at what was stated. */
  waiting: { count: number; nowNano: number; thenNano: number };
  /** The price that `adopt` sets; absent where none can be made of it. */
  adopts?: Price;
}

/** A stated cost may be apart from the book's by this share, or by this much, whichever is more: rounding, a minimum charge. */
export const ALLOWED_APART = { share: 0.05, nano: 20_000_000 };

/** What stands behind a mismatch: what the orders at its price cost before, and what the choice would let go. */
export interface MismatchEvidence {
  mismatch: PriceMismatch;
  /** The newest 60 that were charged at this price, oldest first. */
  made: PricedOrder[];
  /** The first 100 that wait for the choice, in the queue's order; `mismatch.waiting` is of all. */
  waiting: { job: Job; nowNano: Nano; thenNano: Nano }[];
  /** What is left for them under the hard caps of the day and the month; absent without one. */
  leftNano?: Nano;
}

/** An order that was charged, beside what the price it was made at came to. */
export interface PricedOrder {
  jobId: string;
  at: number;
  nano: Nano;
  expectedNano: Nano;
  /** Its answer stated it, and it is no figure of the price book. */
  isStated: boolean;
}

/** `run` is the night that is planned or open. */
export const BUDGET_SCOPES = ['day', 'month', 'project', 'run'] as const;

export const budgetInputSchema = z
  .strictObject({
    scope: z.enum(BUDGET_SCOPES, "must be 'day', 'month', 'project' or 'run'"),
    projectId: z.string().min(1).optional(),
    /** Nothing is claimed beyond it; `null` removes it. */
    hardNano: z.int('must be a whole number of nano-dollars').min(0, 'must not be negative').nullable().optional(),
    /** Warns only. */
    softNano: z.int('must be a whole number of nano-dollars').min(0, 'must not be negative').nullable().optional(),
    /** On which side it is set; without it, on that of the active profile. A night's cap stays where the night is. */
    play: z.boolean('must be true or false').optional(),
  })
  .refine((budget) => (budget.scope === 'project') === (budget.projectId !== undefined), {
    path: ['projectId'],
    message: 'is needed for a project budget, and only there',
  });
export type BudgetInput = z.infer<typeof budgetInputSchema>;

export interface Budget {
  scope: (typeof BUDGET_SCOPES)[number];
  projectId?: string;
  /** Of scope `run`: which night. */
  runId?: string;
  /** Play money of the built-in sandbox, or real money: a budget holds on its own side only. */
  play: boolean;
  hardNano?: number;
  softNano?: number;
  /** What counts against it now: settled, reserved and in doubt of its period. */
  used: MoneyTotals;
}
