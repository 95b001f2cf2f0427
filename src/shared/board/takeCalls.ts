import { z } from 'zod';
import { id } from '../contract/paging.ts';
import { mediaRefSchema } from '../library/mediaRef.ts';
import { spendingShape } from '../money/ledger.ts';
import { MAX_CHAIN, newShotSchema, SHOT_LINKS, SHOT_SOURCES } from './board.ts';
import { promotionShape } from './promotion.ts';

/** The calls that order takes of a board's shots. `shown` is the price of all that one call makes. */

const takeShape = {
  projectId: id,
  /** Adds the jobs to the planned or open night: they wait for its window. */
  night: z.boolean().optional(),
  ...spendingShape,
};

/** How the shot starts from now on. */
const startSchema = z.strictObject({
  joint: z.enum(SHOT_LINKS),
  source: z.enum(SHOT_SOURCES),
  model: z.string().max(200),
  image: mediaRefSchema.optional(),
  video: mediaRefSchema.optional(),
});

/** The shot is a new one: what it is, and the shot that it stands before; without that it is the last. */
const addedSchema = z.strictObject({ shot: newShotSchema.omit({ id: true }), before: id.optional() });

/** `start` and `added` change the board together with the take: where the take is refused, the board stays as it was. */
export const makeTakeSchema = z.strictObject({
  ...takeShape,
  shotId: id,
  start: startSchema.optional(),
  added: addedSchema.optional(),
});

/** A take once more in a better form; `jobId` is the take, which is one of this shot's. */
export const promoteTakeSchema = z.strictObject({ ...takeShape, shotId: id, jobId: id, ...promotionShape });

/** Takes of several shots that are made from each other. */
export const makeTakesSchema = z.strictObject({
  ...takeShape,
  shotIds: z.array(id).min(1).max(MAX_CHAIN),
});
