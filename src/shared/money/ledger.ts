import { z } from 'zod';
import type { Job } from '../jobs/job.ts';
import type { PriceKind } from '../kinds/pricings.ts';
import { t } from '../text/texts.ts';
import type { Nano } from './money.ts';
import type { Cost, Price } from './price.ts';

/** Three figures that are never added up (ARCHITECTURE "The way of one cent"), and the lowest price of the settled one. All in nano-dollars. */
export interface MoneyTotals {
  settledNano: number;
  settledLowNano: number;
  reservedNano: number;
  uncertainNano: number;
  /** The number of requests without a known price, which these figures leave out. */
  unpriced: number;
}

const shownNano = z.int().min(0);

/**
 * The price shown at the button for everything that is requested with it. If the price book has changed by then, the request is refused.
 */
export const shownPriceSchema = z.strictObject({
  estimateNano: shownNano,
  lowNano: shownNano,
  /** The number of requests without a known price; they are not in the sums. */
  unpriced: z.int().min(0).default(0),
});
export type ShownPrice = z.infer<typeof shownPriceSchema>;

/** Of a call that may spend: it waits for the planned or open night (`night.plan`). */
export const nightFlag = z.boolean().optional();

/** What every call takes that may spend. */
export const spendingShape = {
  /** Refused with `conflict` if this is not the current price; a request without it is accepted at the price of the book. */
  shown: shownPriceSchema.optional(),
  /**
   * The caller's own key for what it wants, such as a UUID. A call that is repeated with its key, for at least 30 days, answers what the
   * first one made, as it is now, and makes nothing more. A key that was used for another call or another input is refused with
   * `conflict`; a call that was refused leaves its key unused.
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
  /** A day `2026-11-21` (local), a model id, a kind or a project id (empty for none). */
  key: string;
  jobs: number;
}

/** One line of the ledger; entries are never changed, only followed by others. */
export interface LedgerEntry {
  id: string;
  /** Absent for a line of a bill that was entered without a job: it was not ordered from this machine. */
  jobId?: string;
  at: number;
  /** `bill`: what a bill said about a request whose cost had stayed in doubt. */
  type: 'reserve' | 'release' | 'charge' | 'doubt' | 'resolve' | 'correction' | 'bill';
  /** The change of each figure. */
  settledNano: number;
  settledLowNano: number;
  reservedNano: number;
  uncertainNano: number;
  /** The change in the number of requests without a known price. */
  unpriced?: number;
  /** The price it was charged at, as JSON; it stays when the book changes. */
  price?: string;
  note?: string;
}

export interface Estimate extends Cost {
  settled: boolean;
  source: string;
  /** Its price is unknown: the amounts are 0 and mean nothing. */
  unpriced?: true;
}

export const MISMATCH_STATES = ['open', 'disputed', 'adopted', 'once'] as const;
export type MismatchState = (typeof MISMATCH_STATES)[number];

/**
 * A stated cost that was charged and that the price book does not allow. While it is `open` or `disputed`, nothing else is requested at
 * that price, and an open night with such requests is ended.
 */
export interface PriceMismatch {
  id: string;
  profileId: string;
  kind: PriceKind;
  /** The model of the price; `*` for images, whose requests name none. */
  model: string;
  jobId: string;
  /** The night the job was in. */
  runId?: string;
  /** By the price book, highest and lowest. */
  expectedNano: number;
  expectedLowNano: number;
  statedNano: number;
  /** The field or header. */
  statedBy: string;
  at: number;
  state: MismatchState;
  /** The waiting jobs at this price: their number, their current estimate, and their cost at the stated price. */
  waiting: { count: number; nowNano: number; thenNano: number };
  /** The price that `adopt` sets; absent if none can be derived. */
  adopts?: Price;
  /** The price as it is allows what was stated, and `adopt` keeps it: an earlier version did not count what a cache had of the prompt. */
  keeps?: true;
}

/** A stated cost may differ from the book's by this share or this amount, whichever is more: rounding, a minimum charge. */
export const ALLOWED_APART = { share: 0.05, nano: 20_000_000 };

/** The evidence for a mismatch: the costs of earlier requests at its price, and the jobs that the decision would release. */
export interface MismatchEvidence {
  mismatch: PriceMismatch;
  /** The newest 60 that were charged at this price, oldest first. */
  made: PricedRequest[];
  /** The first 100 that wait for the decision, in the queue's order; `mismatch.waiting` counts all. */
  waiting: { job: Job; nowNano: Nano; thenNano: Nano }[];
  /** What remains for them under the hard caps of the day and the month; absent without one. */
  leftNano?: Nano;
}

/** The charge of a request beside its cost by the price it was made at. */
export interface PricedRequest {
  jobId: string;
  at: number;
  nano: Nano;
  expectedNano: Nano;
  /** Its answer stated the charge, which is no figure of the price book. */
  isStated: boolean;
}

/** `run` is the planned or open night. */
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
    /** The side it applies to; without it, the active profile's. A night's cap stays on the night's side. */
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
  /** For scope `run`: the night. */
  runId?: string;
  /** Play money of the built-in sandbox, or real money: a budget holds on its own side only. */
  play: boolean;
  hardNano?: number;
  softNano?: number;
  /** The amount that counts against it: settled, reserved and in doubt in its period. */
  used: MoneyTotals;
  /** For a night whose cap counts the lower price: what of that counts, in nano-dollars. */
  countedNano?: number;
}
