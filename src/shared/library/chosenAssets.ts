import { z } from 'zod';
import { id } from '../contract/paging.ts';
import { VERDICTS } from '../jobs/job.ts';
import { libraryFilterSchema } from './asset.ts';

const MOST_CHOSEN = 10_000;
const ids = z.array(id).min(1);

/** Which assets: `ids`, or all matches of a filter without those in `except`. */
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

export interface SharedValue {
  value: string;
  count: number;
}

/** Sums and values of the chosen assets; each list has the most frequent value first. */
export interface ChosenAssetFigures {
  count: number;
  bytes: number;
  /** The total length of all clips. */
  seconds: number;
  /** Their shares of charges in real money, at the higher and at the lower price. */
  costNano: number;
  costLowNano: number;
  /** Likewise in test money, never added to real money. */
  playNano: number;
  playLowNano: number;
  /** Results of jobs with no price set; in neither sum. */
  unpriced: number;
  /** Assets of a job, which can get a verdict. */
  ofJobs: number;
  local: number;
  firstAt: number;
  lastAt: number;
  types: SharedValue[];
  models: SharedValue[];
  /** `none`: no verdict. */
  verdicts: SharedValue[];
  /** Such as `1920 × 1080`. */
  sizes: SharedValue[];
  tags: SharedValue[];
}
