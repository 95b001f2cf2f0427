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

/** Links live for hours to days; this is assumed where the service does not say. */
export const ASSUMED_LINK_LIFE_MS = 24 * 3_600_000;

/** Where an asset's bytes are: verified on this disk, only at the gateway, or nowhere any more: its download was given up (`expired`). */
export const ASSET_STATES = ['local', 'remote', 'expired'] as const;
export type AssetState = (typeof ASSET_STATES)[number];

/** What an asset is for; `source` is a file of the user's. Thumbnails are kept out of lists. */
export const ASSET_ROLES = ['output', 'grid', 'source', 'mask', 'frame', 'thumbnail'] as const;
export type AssetRole = (typeof ASSET_ROLES)[number];

/** The roles of an imported file. The other roles belong to files that the studio makes of an answer. */
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
  /** Length of a clip. */
  seconds?: number;
  /** Whether a clip has sound, if that is known. */
  audio?: boolean;
  /** How it differs from the request. */
  differs?: Difference[];
  bytes: number;
  state: AssetState;
  /** When the gateway's link expires, milliseconds since 1970. */
  expiresAt?: number;
  /** The service gave no expiry: `expiresAt` is a cautious assumption. */
  expiryAssumed?: true;
  /** Why its bytes are not on this disk yet, or never will be: one sentence. */
  fault?: string;
  jobId?: string;
  /** The user's verdict on its job. */
  verdict?: Verdict;
  /** Its share of what its job was charged, in nano-dollars; left out where nothing was. */
  costNano?: number;
  /** The same at the lower price, where its unit is not known; left out where both are one. */
  costLowNano?: number;
  starred?: true;
  /** When it was put into the bin: it is listed and counted only there. */
  binnedAt?: number;
  /** It was deleted from the bin: what it was and cost is still known, its bytes are gone for ever. */
  deleted?: true;
  /** As they are written, in alphabetical order. */
  tags?: string[];
  /** Its position among its job's outputs. */
  outputIndex?: number;
  role: AssetRole;
  /** The asset this one was made from (a frame, a thumbnail). */
  parentId?: string;
  name: string;
  model?: string;
  /** That of its request; of a file that was brought in, as its sidecar said. */
  seed?: number;
  projectId?: string;
  /** Its thumbnail, if there is one. */
  thumbnailId?: string;
  /** The last frame of a clip, if it has been extracted. */
  lastFrameId?: string;
  /** Last frames before out points of it, by those in milliseconds. */
  outFrames?: Record<string, string>;
  /** Of such a frame: that point. */
  outMs?: number;
  /** What its sidecar said of how it was made, where it was brought in; `library.found` says more. The cost is in no sum of this library. */
  elsewhere?: { madeAt?: number; costNano?: number; play?: true; project?: string; kind?: string };
  createdAt: number;
}

/** A page of assets, newest first unless another order was asked for. */
export interface AssetPage {
  assets: Asset[];
  nextCursor?: string;
  total: number;
  /** If requested, the number of assets of each local day, in the list's order. `day` is its beginning. */
  days?: { day: number; count: number }[];
  /** There are more than were to be counted (`upTo`): `total` and `days` are those of the newest. */
  isMore?: true;
}

const askedVerdict = z.enum([...VERDICTS, 'none']);

/** What assets are filtered by. */
export const libraryFilterSchema = z.strictObject({
  text,
  types: z.array(z.enum(MEDIA_CLASSES)).max(MEDIA_CLASSES.length).optional(),
  roles: z.array(z.enum(ASSET_ROLES)).max(ASSET_ROLES.length).optional(),
  states: z.array(z.enum(ASSET_STATES)).max(ASSET_STATES.length).optional(),
  models: z.array(z.string()).max(100).optional(),
  projectId: id.optional(),
  /** One of them, or any of several. */
  verdict: z
    .union([askedVerdict, z.array(askedVerdict).max(VERDICTS.length + 1)], 'must be a verdict or a list of them')
    .optional(),
  starred: z.boolean().optional(),
  /** Any of them. */
  tags: z.array(tagSchema).max(100).optional(),
  /** True: those in the bin, and no others. */
  binned: z.boolean().optional(),
  /** When they were made: from this moment on, and before that one. */
  from: time.optional(),
  to: time.optional(),
});

export const libraryFacetsSchema = libraryFilterSchema.extend({ upTo });

/** What the library is ordered by: the time of making, the share of the cost, the size, the length, the name. */
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
  /** Of a list in the same order. */
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

/** What the library is counted by. */
export const FACETS = ['type', 'state', 'verdict', 'model', 'project', 'tag', 'starred'] as const;
export type FacetName = (typeof FACETS)[number];

/** How many assets there are with a value, which the filter takes as it stands here. */
export interface FacetCount {
  value: string;
  count: number;
}

/**
 * Each facet is counted as if it alone were not filtered by; a value without any is left out. `none` is a verdict that is not given;
 * `true` and `false` say whether it is starred. An asset counts under each of its tags.
 */
export type LibraryFacets = Record<FacetName, FacetCount[]> & {
  /** There are more than were to be counted (`upTo`): the counts are those of the newest, and a value may be missing. */
  isMore?: true;
};

/** In milliseconds. A media page that works longer hangs: it is replaced, and its task goes to another. */
export const MEDIA_TASK_LIMIT_MS = 60_000;

/** Work on pixels, frames and sound, done by the media page. */
export interface MediaTask {
  id: string;
  assetId: string;
  kind: 'thumbnail' | 'lastFrame' | 'measure';
  /** Where the clip ends whose last frame it is, in milliseconds; at its own end if absent. */
  outMs?: number;
  /** The asset's address: the page that does the work may request nothing else. */
  name: string;
  mime: string;
}
