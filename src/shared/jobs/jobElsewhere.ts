import { z } from 'zod';
import { priceSchema } from '../money/price.ts';
import { shownName } from '../text/shownName.ts';

/** What is known of a job that another library made and a bundle brought here: history, in no sum of this library. */

const nano = z.int().min(0).max(1e15);
const shown = (most: number) =>
  z
    .string()
    .max(most)
    .transform((text) => shownName(text));

export const jobElsewhereSchema = z.strictObject({
  /** The name of the gateway that made it. */
  gateway: shown(400).optional(),
  /** What was charged there, at the higher price and at the lower one, in nano-dollars. */
  costNano: nano.optional(),
  costLowNano: nano.optional(),
  /** What may have been charged there besides. */
  uncertainNano: nano.optional(),
  /** The price that it was made at, with its readings and the one that was settled. */
  price: priceSchema.optional(),
  /** The cost that the answer stated, as it was stated. */
  statedAs: shown(200).optional(),
  /** It was play money of a sandbox. */
  play: z.literal(true).optional(),
});
export type JobElsewhere = z.infer<typeof jobElsewhereSchema>;

/** Stands for the gateway of such a job: none of this library's, so it can be neither sent nor asked for. */
export const ELSEWHERE_PROFILE_ID = 'elsewhere';
