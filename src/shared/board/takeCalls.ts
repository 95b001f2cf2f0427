import { z } from 'zod';
import { id } from '../contract/paging.ts';
import { mediaRefSchema } from '../library/mediaRef.ts';
import { spendingShape } from '../money/ledger.ts';
import { MAX_CHAIN, newShotSchema, SHOT_LINKS, SHOT_SOURCES } from './board.ts';
import { promotionShape } from './promotion.ts';

/** The calls that request takes of a board's shots. `shown` is the price of everything that one call makes. */

const takeShape = {
  projectId: id,
  /** Adds the jobs to the planned or open run: they wait for its window. */
  night: z.boolean().optional(),
  ...spendingShape,
};

/** The shot's new start. */
const startSchema = z.strictObject({
  joint: z.enum(SHOT_LINKS),
  source: z.enum(SHOT_SOURCES),
  model: z.string().max(200),
  image: mediaRefSchema.optional(),
  video: mediaRefSchema.optional(),
});

/** A shot to add, and the shot that it is inserted before; by default it is the last. */
const addedSchema = z.strictObject({ shot: newShotSchema.omit({ id: true }), before: id.optional() });

/** `start` and `added` change the board together with the take: if the take is refused, the board is unchanged. */
export const makeTakeSchema = z.strictObject({
  ...takeShape,
  shotId: id,
  start: startSchema.optional(),
  added: addedSchema.optional(),
});

/** Remakes a take in higher quality; `jobId` is a take of this shot. */
export const promoteTakeSchema = z.strictObject({ ...takeShape, shotId: id, jobId: id, ...promotionShape });

/** Requests takes of several shots that are made from each other. */
export const makeTakesSchema = z.strictObject({
  ...takeShape,
  shotIds: z.array(id).min(1).max(MAX_CHAIN),
});
