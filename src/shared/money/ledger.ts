import { z } from 'zod';
import type { Job } from '../jobs/job.ts';
import type { PriceKind } from '../kinds/pricings.ts';
import { t } from '../text/texts.ts';
import type { Nano } from './money.ts';
import type { Cost, Price } from './price.ts';

/** Three figures that are never added (ARCHITECTURE "The way of one cent"), and the lowest price of the charged one. In nano-dollars. */
export interface MoneyTotals {
  settledNano: number;
  settledLowNano: number;
  reservedNano: number;
  uncertainNano: number;
  /** Requests with no price set, left out of these figures. */
  unpriced: number;
}

const shownNano = z.int().min(0);

/** The price shown on the button for everything it requests. If the price book has changed since, the request is refused. */
export const shownPriceSchema = z.strictObject({
  estimateNano: shownNano,
  lowNano: shownNano,
  /** Requests with no price set, not in the sums. */
  unpriced: z.int().min(0).default(0),
});
export type ShownPrice = z.infer<typeof shownPriceSchema>;

/** The job joins the planned or open run (`night.plan`). */
export const nightFlag = z.boolean().optional();

/** The common input of calls that may spend. */
export const spendingShape = {
  /** Refused with `conflict` if this is not the current price; without it, any price is accepted. */
  shown: shownPriceSchema.optional(),
  /**
   * The caller's own key for what it wants, such as a UUID. For at least 30 days, a call repeated with its key returns what the first one
   * made, in its present state, and makes nothing more. A key used for another call or input is refused with `conflict`; a refused call does
   * not use up its key.
   */
  requestKey: z.string().min(8).max(100).optional(),
};

export const NO_MONEY: MoneyTotals = {
  settledNano: 0,
  settledLowNano: 0,
  reservedNano: 0,
  uncertainNano: 0,
  unpriced: 0,
};

export interface TotalsRow extends MoneyTotals {
  /** A day `2026-11-21` (local), a model id, a kind or a project id (empty without one). */
  key: string;
  jobs: number;
}

/** One ledger entry. Entries never change; others follow them. */
export interface LedgerEntry {
  id: string;
  /** Absent for a line of a bill without a job: it was not requested from this machine. */
  jobId?: string;
  at: number;
  /** `bill`: what a bill says about an unconfirmed request. */
  type: 'reserve' | 'release' | 'charge' | 'doubt' | 'resolve' | 'correction' | 'bill';
  /** The changes of each figure. */
  settledNano: number;
  settledLowNano: number;
  reservedNano: number;
  uncertainNano: number;
  /** The change in the number of requests with no price set. */
  unpriced?: number;
  /** The price that applied, as JSON; it stays when the book changes. */
  price?: string;
  note?: string;
}

export interface Estimate extends Cost {
  settled: boolean;
  source: string;
  /** No price is set: the amounts are 0 and mean nothing. */
  unpriced?: true;
}

export const MISMATCH_STATES = ['open', 'disputed', 'adopted', 'once'] as const;
export type MismatchState = (typeof MISMATCH_STATES)[number];

/**
 * A stated and charged cost that the price book does not allow. While it is `open` or `disputed`, nothing else is requested at that price,
 * and an open run with such requests ends.
 */
export interface PriceMismatch {
  id: string;
  profileId: string;
  kind: PriceKind;
  /** The model of the price; `*` for images, which name none. */
  model: string;
  jobId: string;
  /** The run of the job. */
  runId?: string;
  /** By the price book, highest and lowest. */
  expectedNano: number;
  expectedLowNano: number;
  statedNano: number;
  /** The field or header that stated it. */
  statedBy: string;
  at: number;
  state: MismatchState;
  /** Queued jobs at this price: number, current estimate, and cost at the stated price. */
  waiting: { count: number; nowNano: number; thenNano: number };
  /** The price that `adopt` sets; absent if none can be derived. */
  adopts?: Price;
  /** The present price allows the stated cost, and `adopt` keeps it: an earlier version ignored cached prompt tokens. */
  keeps?: true;
}

/** Tolerance of a stated cost, by share or amount, whichever is more: rounding, a minimum charge. */
export const ALLOWED_APART = { share: 0.05, nano: 20_000_000 };

/** The evidence for a mismatch: earlier requests at its price, and the jobs that a decision would release. */
export interface MismatchEvidence {
  mismatch: PriceMismatch;
  /** The newest 60 charged at this price, oldest first. */
  made: PricedRequest[];
  /** The first 100 that wait for the decision, in queue order; `mismatch.waiting` counts all. */
  waiting: { job: Job; nowNano: Nano; thenNano: Nano }[];
  /** The rest of the hard budgets of day and month for them; absent without one. */
  leftNano?: Nano;
}

/** A request's charge beside its cost by its price. */
export interface PricedRequest {
  jobId: string;
  at: number;
  nano: Nano;
  expectedNano: Nano;
  /** The charge is the stated cost, not a figure of the price book. */
  isStated: boolean;
}

/** `run`: the planned or open overnight run. */
export const BUDGET_SCOPES = ['day', 'month', 'project', 'run'] as const;

export const SCOPE_WORDS: Record<Budget['scope'], string> = {
  day: t`Day`,
  month: t`Month`,
  project: t`Project`,
  run: t`Overnight`,
};

export const budgetInputSchema = z
  .strictObject({
    scope: z.enum(BUDGET_SCOPES),
    projectId: z.string().min(1).optional(),
    /** No job is sent beyond it; `null` removes it. */
    hardNano: z.int().min(0).nullable().optional(),
    /** Warns only. */
    softNano: z.int().min(0).nullable().optional(),
    /** The side it applies to; default: the active profile's. A run's budget stays on the run's side. */
    play: z.boolean().optional(),
  })
  .refine((budget) => (budget.scope === 'project') === (budget.projectId !== undefined), {
    path: ['projectId'],
    message: 'is needed for a project budget, and only there',
  });
export type BudgetInput = z.infer<typeof budgetInputSchema>;

export interface Budget {
  scope: (typeof BUDGET_SCOPES)[number];
  projectId?: string;
  /** The run, for scope `run`. */
  runId?: string;
  /** Whether it limits test money; a budget limits only its own side. */
  play: boolean;
  hardNano?: number;
  softNano?: number;
  /** Charged, reserved and unconfirmed in its period. */
  used: MoneyTotals;
  /** For a run that counts the lower price: the counted part, in nano-dollars. */
  countedNano?: number;
}
