import { z } from 'zod';
import { id } from '../contract/paging.ts';
import { shownPriceSchema } from '../money/ledger.ts';

/**
 * Jobs that a dry run adds behind the queued ones: the lines of a text (`batch.read`), or a request of which only the price is known; that
 * one takes no time.
 */
export const addedToNightSchema = z.union(
  [
    z.strictObject({
      readId: id,
      /** For lines that name no project. */
      projectId: id.optional(),
    }),
    z.strictObject({
      title: z.string().max(1_000),
      shown: shownPriceSchema,
      /** Whether it uses test money. */
      play: z.boolean(),
    }),
  ],
  'must be { readId, projectId? } or { title, shown, play }',
);
export type AddedToNight = z.infer<typeof addedToNightSchema>;
