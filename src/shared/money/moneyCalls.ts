import { z } from 'zod';
import { command, query } from '../contract/call.ts';
import { cursor, id, limit, time } from '../contract/paging.ts';
import type { Export } from '../film/filmExport.ts';
import { priceKindSchema, requestSchema } from '../kinds/index.ts';
import { pricedQuantitySchema } from '../kinds/pricedQuantity.ts';
import type { KeptRow } from './costPerKept.ts';
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

/** The calls about money: estimates, charges, budgets and prices. */

/** Selects money: `play` the side, `profileIds` some of its gateways. */
export const sideShape = {
  play: z.boolean().optional(),
  profileIds: z.array(id).max(100).optional(),
};

/** The groupings of sums; a gateway's key is its profile id. */
export const TOTALS_BY = ['day', 'model', 'kind', 'project', 'gateway'] as const;

/** Unconfirmed costs and corrections of a period. */
export interface PeriodReview {
  /** By job, oldest first, at most 500. If all are listed, their sum is the unconfirmed total of the period. */
  doubts: { jobId: string; at: number; kind: string; model: string; nano: number; unpriced: number }[];
  /** Newest first, at most 500. */
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
        /** Instead of requests: quantities, independent of prompts and pictures. */
        quantities: z.array(pricedQuantitySchema).min(1).max(1_000).optional(),
        profileId: id.optional(),
        /** Instead of requests: the cost of retrying this job (`jobs.retry`), at its own profile's prices. */
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
  /** Sums of one side; without `play`, of the active profile's side, which the answer names. */
  'ledger.totals': query<{ rows: TotalsRow[]; sum: MoneyTotals; play: boolean }>()(
    z.strictObject({
      ...sideShape,
      groupBy: z.enum(TOTALS_BY),
      from: time.optional(),
      to: time.optional(),
    }),
  ),
  /** Unconfirmed costs and corrections of a period, by the time they count to. */
  'ledger.review': query<PeriodReview>()(z.strictObject({ ...sideShape, from: time.optional(), to: time.optional() })),
  /**
   * Exports every entry of a period, by the time it counts to: dollars with nine decimals in CSV, nano-dollars in JSON. The sums are those
   * of `ledger.totals`.
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
  /** Without `play`: the job's side if one is given, otherwise the active profile's. */
  'ledger.entries': query<{ entries: LedgerEntry[]; nextCursor?: string }>()(
    z.strictObject({ ...sideShape, cursor, limit, jobId: id.optional() }),
  ),

  /**
   * The cost of each kept second and picture, by verdicts: at the higher price, without chats. Rows without a model or project have the key
   * `''`. Without `play`, of the active profile's side.
   */
  'spend.kept': query<{ rows: KeptRow[]; play: boolean }>()(
    z.strictObject({
      ...sideShape,
      groupBy: z.enum(['model', 'project', 'month']),
      from: time.optional(),
      to: time.optional(),
    }),
  ),

  /** The budgets of one side; `profileIds` limits what `used` counts, not what a budget applies to. */
  'budgets.list': query<{ budgets: Budget[] }>()(z.strictObject(sideShape)),
  'budgets.set': command<{ budgets: Budget[] }>()(budgetInputSchema),

  'prices.list': query<{ prices: Price[] }>()(z.strictObject({ profileId: id.optional() })),
  'prices.set': command<{ prices: Price[] }>()(z.strictObject({ profileId: id.optional(), price: priceSchema })),
  /** Stated costs that contradict the price book and block requests at that price, newest first. */
  'prices.mismatches': query<{ mismatches: PriceMismatch[] }>()(z.strictObject({})),
  'prices.mismatch': query<MismatchEvidence>()(z.strictObject({ id })),
  /**
   * `adopt`: the stated cost becomes the price. `dispute`: the book stays, the difference is unconfirmed, requests stay blocked. `once`: the
   * queued jobs run at the stated cost, the book stays.
   */
  'prices.resolveMismatch': command<PriceMismatch>()(
    z.strictObject({
      id,
      as: z.enum(['adopt', 'dispute', 'once']),
      /** `shown`: the cost of the jobs that this releases, `waiting.thenNano`, highest and lowest. `dispute` releases none. */
      ...spendingShape,
    }),
  ),
  /** Compares the gateway's price list with the book. Changes nothing, costs nothing. */
  'prices.preview': query<PricePreview>()(z.strictObject({ profileId: id.optional() })),
  /** Imports the chosen prices of that preview. */
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
