import { z } from 'zod';
import { priceSchema } from '../money/price.ts';
import { safeName } from '../text/safeText.ts';

/** The facts that a bundle states about a job of another library: history, in no sum of this library. */

const nano = z.int().min(0).max(1e15);
export const safeTextSchema = (most: number) =>
  z
    .string()
    .max(most)
    .transform((text) => safeName(text));

export const jobElsewhereSchema = z.strictObject({
  gateway: safeTextSchema(400).optional(),
  /** Charged there, at the higher and at the lower price, in nano-dollars. */
  costNano: nano.optional(),
  costLowNano: nano.optional(),
  /** Unconfirmed there. */
  uncertainNano: nano.optional(),
  /** The price that applied, with its interpretations. */
  price: priceSchema.optional(),
  /** The cost as the answer stated it. */
  statedAs: safeTextSchema(200).optional(),
  /** The job used test money. */
  play: z.literal(true).optional(),
});
export type JobElsewhere = z.infer<typeof jobElsewhereSchema>;

/** The profile of such jobs: it does not exist here, so they are never sent or polled. */
export const ELSEWHERE_PROFILE_ID = 'elsewhere';
