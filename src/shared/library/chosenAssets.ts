import { z } from 'zod';
import { id } from '../contract/paging.ts';
import { VERDICTS } from '../jobs/job.ts';
import { libraryFilterSchema } from './asset.ts';

/** The calls about many assets at once. */

const MOST_CHOSEN = 10_000;
const ids = z.array(id).min(1);

/** Which assets a call is about: `ids`, or all that a filter matches, those of `except` left out. */
export const chosenAssetsSchema = z
  .strictObject({
    ids: ids.max(MOST_CHOSEN).optional(),
    filter: libraryFilterSchema.optional(),
    except: z.array(id).max(MOST_CHOSEN).optional(),
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    path: ['ids'],
    message: 'are needed where no filter is given, and only there',
  });
export type ChosenAssets = z.output<typeof chosenAssetsSchema>;

export const judgeManySchema = z.strictObject({
  ids: ids.max(1_000),
  verdict: z.enum(VERDICTS).nullable(),
});

/** A value that chosen assets have, and how many have it. */
export interface SharedValue {
  value: string;
  count: number;
}

/** What the chosen assets are together, and in what they differ: each list has the most frequent value first. */
export interface ChosenAssetFigures {
  count: number;
  bytes: number;
  /** The length of all clips together. */
  seconds: number;
  /** Their shares of what their jobs were charged in real money, at the higher and at the lower price. */
  costNano: number;
  costLowNano: number;
  /** Likewise in play money, which is never added to it. */
  playNano: number;
  playLowNano: number;
  /** Results of jobs that have no price, and are in neither sum. */
  unpriced: number;
  /** They belong to a job: they can be judged. */
  ofJobs: number;
  /** Their file is on this disk. */
  local: number;
  firstAt: number;
  lastAt: number;
  types: SharedValue[];
  models: SharedValue[];
  /** `none` is a verdict that is not given. */
  verdicts: SharedValue[];
  /** Such as `1920 × 1080`. */
  sizes: SharedValue[];
  tags: SharedValue[];
}
