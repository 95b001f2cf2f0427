import { z } from 'zod';
import {
  id,
  isCursor,
  limit,
  NOT_A_CURSOR,
  ONE_START,
  offset,
  oneStart,
  rowNumber,
  text,
  time,
  upTo,
} from '../contract/paging.ts';
import type { Difference } from '../jobs/difference.ts';
import { VERDICTS, type Verdict } from '../jobs/verdict.ts';
import { tagSchema } from './assetMarks.ts';
import { MEDIA_CLASSES } from './mediaRef.ts';

/** Links live for hours to days; assumed if the gateway does not say. */
export const ASSUMED_LINK_LIFE_MS = 24 * 3_600_000;

/** Verified on this disk, only at the gateway, or lost: its download was abandoned (`expired`). */
export const ASSET_STATES = ['local', 'remote', 'expired'] as const;
export type AssetState = (typeof ASSET_STATES)[number];

/** `source`: a file of the user's. Thumbnails are left out of lists. */
export const ASSET_ROLES = ['output', 'grid', 'source', 'mask', 'frame', 'thumbnail'] as const;
export type AssetRole = (typeof ASSET_ROLES)[number];

/** The roles of imported files; the others are made from answers. */
export const UPLOAD_ROLES = ['source', 'mask', 'frame'] as const satisfies AssetRole[];
export type UploadRole = (typeof UPLOAD_ROLES)[number];

export interface Asset {
  id: string;
  /** Increases with every change of this object; the greater one is newer. */
  revision: number;
  /** Lower-case hex; empty while the bytes are not on this disk. */
  sha256: string;
  mime: string;
  /** Pixels; 0 if unknown. */
  width: number;
  height: number;
  seconds?: number;
  /** Absent if not known. */
  audio?: boolean;
  /** Differences from the request. */
  differs?: Difference[];
  bytes: number;
  state: AssetState;
  /** When the gateway's link expires, milliseconds since 1970. */
  expiresAt?: number;
  /** The gateway gave no expiry: `expiresAt` is a cautious assumption. */
  expiryAssumed?: true;
  /** Why it is not, or never will be, on this disk: one sentence. */
  fault?: string;
  jobId?: string;
  /** The verdict of its job. */
  verdict?: Verdict;
  /** Its share of the job's charge, in nano-dollars; absent without a charge. */
  costNano?: number;
  /** The same at the lower price; absent if equal. */
  costLowNano?: number;
  starred?: true;
  /** Set while it is in the bin, the only place where it is listed and counted. */
  binnedAt?: number;
  /** Deleted from the bin for good; its record stays. */
  deleted?: true;
  /** As written, in alphabetical order. */
  tags?: string[];
  /** The asset's index among the job's outputs. */
  outputIndex?: number;
  role: AssetRole;
  /** The asset it was made from (frame, thumbnail). */
  parentId?: string;
  name: string;
  model?: string;
  /** The seed of its request, or of the sidecar of an imported file. */
  seed?: number;
  projectId?: string;
  thumbnailId?: string;
  lastFrameId?: string;
  /** Last frames before out points, by out point in milliseconds. */
  outFrames?: Record<string, string>;
  /** The out point of such a frame. */
  outMs?: number;
  /** Facts from the sidecar of an imported file; `library.found` has more. The cost is in no sum of this library. */
  elsewhere?: { madeAt?: number; costNano?: number; play?: true; project?: string; kind?: string };
  createdAt: number;
}

/** Newest first by default. */
export interface AssetPage {
  assets: Asset[];
  nextCursor?: string;
  total: number;
  /** If requested, the number of assets of each local day, in list order. `day` is its beginning. */
  days?: { day: number; count: number }[];
  /** There are more than `upTo`: `total` and `days` cover the newest. */
  isMore?: true;
}

const askedVerdict = z.enum([...VERDICTS, 'none']);

export const libraryFilterSchema = z.strictObject({
  text,
  types: z.array(z.enum(MEDIA_CLASSES)).max(MEDIA_CLASSES.length).optional(),
  roles: z.array(z.enum(ASSET_ROLES)).max(ASSET_ROLES.length).optional(),
  states: z.array(z.enum(ASSET_STATES)).max(ASSET_STATES.length).optional(),
  models: z.array(z.string()).max(100).optional(),
  projectId: id.optional(),
  /** One, or any of several. */
  verdict: z
    .union([askedVerdict, z.array(askedVerdict).max(VERDICTS.length + 1)], 'must be a verdict or a list of them')
    .optional(),
  starred: z.boolean().optional(),
  /** Any of them. */
  tags: z.array(tagSchema).max(100).optional(),
  /** True: only the bin. */
  binned: z.boolean().optional(),
  /** The time of making: `from` included, `to` excluded. */
  from: time.optional(),
  to: time.optional(),
});

export const libraryFacetsSchema = libraryFilterSchema.extend({ upTo });

/** Sort orders: time of making, share of the cost, size, length, name. */
export const ASSET_ORDERS = ['made', 'cost', 'bytes', 'seconds', 'name'] as const;
export type AssetOrder = (typeof ASSET_ORDERS)[number];

const byNumber = z.tuple([z.number(), rowNumber]);
const CURSORS: Record<AssetOrder, z.ZodType> = {
  made: z.tuple([rowNumber]),
  cost: byNumber,
  bytes: byNumber,
  seconds: byNumber,
  name: z.tuple([z.string(), rowNumber]),
};

const libraryList = libraryFilterSchema.extend({
  /** The cursor of a list in the same order. */
  cursor: z.string().max(2_000, NOT_A_CURSOR).optional(),
  offset,
  sort: z
    .strictObject({
      by: z.enum(ASSET_ORDERS),
      order: z.enum(['asc', 'desc']).default('desc'),
    })
    .optional(),
  limit,
  /** Also counts the whole list by local days. */
  days: z.literal(true).optional(),
  upTo,
});
export const libraryListSchema = libraryList
  .refine(({ cursor, sort }) => cursor === undefined || isCursor(cursor, CURSORS[sort?.by ?? 'made']), {
    path: ['cursor'],
    message: NOT_A_CURSOR,
  })
  .refine(oneStart, ONE_START);

export const FACETS = ['type', 'state', 'verdict', 'model', 'project', 'tag', 'starred'] as const;
export type FacetName = (typeof FACETS)[number];

/** The number of assets with a value, which the filter takes in this form. */
export interface FacetCount {
  value: string;
  count: number;
}

/**
 * Each facet is counted as if it were not filtered by; values without assets are left out. `none`: no verdict; `true` and `false`: starred
 * or not. An asset counts under each of its tags.
 */
export type LibraryFacets = Record<FacetName, FacetCount[]> & {
  /** There are more than `upTo`: the counts cover the newest, and a value may be missing. */
  isMore?: true;
};

/** A media page that takes longer hangs: it is replaced, and its task goes to another one. */
export const MEDIA_TASK_LIMIT_MS = 60_000;

/** Work on pixels, frames and sound, done by the media page. */
export interface MediaTask {
  id: string;
  assetId: string;
  kind: 'thumbnail' | 'lastFrame' | 'measure';
  /** For a last frame: the out point in milliseconds; absent: the clip's own end. */
  outMs?: number;
  /** The asset's address: the page may request nothing else. */
  name: string;
  mime: string;
}
