import { z } from 'zod';
import { id } from '../contract/paging.ts';
import { shownPriceSchema } from '../money/ledger.ts';

/**
 * What a dry run of a night tries behind the jobs that wait for it: the lines of a text (`batch.read`), or a request of which no more than its
 * price is known, which takes no time.
 */
export const addedToNightSchema = z.union(
  [
    z.strictObject({
      readId: id,
      /** Of the lines that name no project. */
      projectId: id.optional(),
    }),
    z.strictObject({
      title: z.string().max(1_000),
      shown: shownPriceSchema,
      /** Whether it spends play money. */
      play: z.boolean(),
    }),
  ],
  'must be { readId, projectId? } or { title, shown, play }',
);
export type AddedToNight = z.infer<typeof addedToNightSchema>;
