import { z } from 'zod';
import { MAX_CHAIN } from './board.ts';
import { spendingShape } from './ledger.ts';
import { id } from './paging.ts';
import { promotionShape } from './promotion.ts';

/** The calls that order takes of a board's shots. `shown` is the price of all that one call makes. */

const orderShape = {
  projectId: id,
  /** Adds the jobs to the planned or open night: they wait for its window. */
  night: z.boolean('must be true or false').optional(),
  ...spendingShape,
};

export const makeTakeSchema = z.strictObject({ ...orderShape, shotId: id });

/** A take once more in a better form; `jobId` is the take, which is one of this shot's. */
export const promoteTakeSchema = z.strictObject({ ...orderShape, shotId: id, jobId: id, ...promotionShape });

/** Takes of several shots that are made from each other. */
export const makeTakesSchema = z.strictObject({
  ...orderShape,
  shotIds: z
    .array(id, 'must be a list of shot ids')
    .min(1, 'needs at least one shot')
    .max(MAX_CHAIN, `must be at most ${MAX_CHAIN} shots`),
});
