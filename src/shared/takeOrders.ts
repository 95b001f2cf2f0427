import { z } from 'zod';
import { MAX_CHAIN } from './board.ts';
import { spendingShape } from './ledger.ts';
import { id } from './paging.ts';

/** Takes of several shots that are made from each other; `shown` is the price of all of them. */
export const makeTakesSchema = z.strictObject({
  projectId: id,
  shotIds: z
    .array(id, 'must be a list of shot ids')
    .min(1, 'needs at least one shot')
    .max(MAX_CHAIN, `must be at most ${MAX_CHAIN} shots`),
  /** Adds the jobs to the planned or open night: they wait for its window. */
  night: z.boolean('must be true or false').optional(),
  ...spendingShape,
});
