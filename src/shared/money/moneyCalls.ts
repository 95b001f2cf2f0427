import { z } from 'zod';
import { command, query } from '../contract/call.ts';
import { cursor, id, limit, time } from '../contract/paging.ts';
import type { Export } from '../film/filmExport.ts';
import { priceKindSchema, requestSchema } from '../kinds/index.ts';
import { pricedQuantitySchema } from '../kinds/pricedQuantity.ts';
import type { KeptRow } from './kept.ts';
import {
  type Budget,
  budgetInputSchema,
  type Estimate,
  type LedgerEntry,
  type MismatchEvidence,
  type MoneyTotals,
  type PriceMismatch,
  spendingShape,
  type TotalsRow,
} from './ledger.ts';
import { type Price, priceSchema } from './price.ts';
import type { PricePreview } from './priceList.ts';

/** The calls about money: what a request would cost, what was charged, caps and prices. */

/** Selects money: `play` chooses the side, `profileIds` some of its gateways. */
export const sideShape = {
  play: z.boolean().optional(),
  profileIds: z.array(id).max(100).optional(),
};

/** What sums are grouped by; a gateway's key is the id of its profile. */
export const TOTALS_BY = ['day', 'model', 'kind', 'project', 'gateway'] as const;

/** What is in doubt of a job in a period, and the corrections of one. */
export interface PeriodReview {
  /** By job, the oldest first, at most 500. Their sum is what the totals of the period have in doubt where these are all. */
  doubts: { jobId: string; at: number; kind: string; model: string; nano: number; unpriced: number }[];
  /** The newest first, at most 500. */
  corrections: (LedgerEntry & { kind: string; model: string })[];
  doubtCount: number;
  correctionCount: number;
  play: boolean;
}

export const moneyCalls = {
  'ledger.estimate': query<{
    items: Estimate[];
    estimateNano: number;
    lowNano: number;
    settled: boolean;
    unpriced: number;
  }>()(
    z
      .strictObject({
        requests: z.array(requestSchema).min(1).max(1_000).optional(),
        /** Instead of requests: a quantity of a kind, whatever the prompt and pictures. */
        quantities: z.array(pricedQuantitySchema).min(1).max(1_000).optional(),
        profileId: id.optional(),
        /** Instead of requests: the cost of running this job once more (`jobs.retry`), by the price book of its own profile. */
        jobId: id.optional(),
      })
      .refine(
        (asked) => [asked.requests, asked.quantities, asked.jobId].filter((one) => one !== undefined).length === 1,
        {
          path: ['requests'],
          message: 'are needed where neither quantities nor a jobId are given, and only there',
        },
      ),
  ),
  /** Sums of one side, play money or real money; without `play`, of the active profile's. `play` in the answer is the side. */
  'ledger.totals': query<{ rows: TotalsRow[]; sum: MoneyTotals; play: boolean }>()(
    z.strictObject({
      ...sideShape,
      groupBy: z.enum(TOTALS_BY),
      from: time.optional(),
      to: time.optional(),
    }),
  ),
  /** What is open and what was corrected in a period, by the time that it counts to. */
  'ledger.review': query<PeriodReview>()(z.strictObject({ ...sideShape, from: time.optional(), to: time.optional() })),
  /**
   * Starts an export of every entry of a period, by the time that it counts to: dollars with nine decimals in CSV, nano-dollars in JSON.
   * Their sums are those of `ledger.totals`.
   */
  'ledger.export': command<Export>()(
    z.strictObject({
      ...sideShape,
      from: time.optional(),
      to: time.optional(),
      format: z.enum(['csv', 'json']),
      name: z.string().trim().min(1).max(200).optional(),
    }),
  ),
  /** Without `play`: of the job's side if one is given, otherwise of the active profile's. */
  'ledger.entries': query<{ entries: LedgerEntry[]; nextCursor?: string }>()(
    z.strictObject({ ...sideShape, cursor, limit, jobId: id.optional() }),
  ),

  /**
   * What each kept second and picture cost, by the verdicts: the higher price, and a chat counts nowhere. What has no model or project
   * has the key `''`. Without `play`, of the active profile's side.
   */
  'spend.kept': query<{ rows: KeptRow[]; play: boolean }>()(
    z.strictObject({
      ...sideShape,
      groupBy: z.enum(['model', 'project', 'month']),
      from: time.optional(),
      to: time.optional(),
    }),
  ),

  /** The budgets of one side; `profileIds` limits what `used` counts, never what a cap applies to. */
  'budgets.list': query<{ budgets: Budget[] }>()(z.strictObject(sideShape)),
  'budgets.set': command<{ budgets: Budget[] }>()(budgetInputSchema),

  'prices.list': query<{ prices: Price[] }>()(z.strictObject({ profileId: id.optional() })),
  'prices.set': command<{ prices: Price[] }>()(z.strictObject({ profileId: id.optional(), price: priceSchema })),
  /** The stated costs that do not match the price book and block requests at that price, newest first. */
  'prices.mismatches': query<{ mismatches: PriceMismatch[] }>()(z.strictObject({})),
  'prices.mismatch': query<MismatchEvidence>()(z.strictObject({ id })),
  /**
   * `adopt`: the stated cost becomes the price. `dispute`: the book's figure is kept, the difference stays in doubt, and requests stay
   * blocked. `once`: the waiting jobs run at the stated cost; the book stays.
   */
  'prices.resolveMismatch': command<PriceMismatch>()(
    z.strictObject({
      id,
      as: z.enum(['adopt', 'dispute', 'once']),
      /** `shown` is the cost of the jobs that this releases: `waiting.thenNano`, highest and lowest. `dispute` releases none. */
      ...spendingShape,
    }),
  ),
  /** Reads the service's published list and compares it with the book. Changes nothing, costs nothing. */
  'prices.preview': query<PricePreview>()(z.strictObject({ profileId: id.optional() })),
  /** Imports the chosen prices of that preview, as it was shown. */
  'prices.import': command<{ prices: Price[] }>()(
    z.strictObject({
      profileId: id.optional(),
      previewId: id,
      chosen: z
        .array(z.strictObject({ kind: priceKindSchema, listed: z.string().min(1).max(200) }))
        .min(1)
        .max(500),
    }),
  ),
} as const;
