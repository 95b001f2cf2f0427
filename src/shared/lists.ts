import { z } from 'zod';
import { ASSET_ROLES, ASSET_STATES, type Asset } from './asset.ts';
import type { Conversation } from './conversation.ts';
import { JOB_STATES, type Job, VERDICTS } from './job.ts';
import { allKinds, jobKindSchema } from './kinds/index.ts';
import { MEDIA_CLASSES } from './mediaRef.ts';

/** Lists of any length, read by position or from a cursor: their inputs and pages. */

export const id = z.string('must be an id').min(1, 'must not be empty').max(200, 'is too long for an id');
export const time = z.number('must be a time in milliseconds since 1970');
export const limit = z
  .int('must be a whole number')
  .min(1, 'must be 1 to 500')
  .max(500, 'must be 1 to 500')
  .default(100);
const NOT_A_CURSOR = 'must be the nextCursor of the page before';
export const cursor = z
  .string('must be a cursor')
  .regex(/^\d{1,15}$/, NOT_A_CURSOR)
  .optional();
export const text = z.string('must be text').max(1_000, 'must have at most 1,000 characters').optional();

/** The position of the page in the list; `cursor` instead continues after the last page, whatever was added or removed meanwhile. */
const offset = z
  .int('must be a whole number')
  .min(0, 'must be 0 to 10,000,000')
  .max(10_000_000, 'must be 0 to 10,000,000')
  .optional();
const oneStart = (input: { cursor?: string | undefined; offset?: number | undefined }): boolean =>
  input.cursor === undefined || input.offset === undefined;
const ONE_START = { path: ['offset'], message: 'must be left out where there is a cursor' };

/** The cursor of each sort order: after the job with this number; in the queue's order, after this group, number and position. */
const CURSORS = { newest: /^\d{1,15}$/, queue: /^[0-2]\.\d{1,15}\.-?\d{1,20}(\.\d{1,20})?(e-?\d{1,3})?$/ };

const jobsList = z.strictObject({
  cursor: z.string('must be a cursor').optional(),
  offset,
  limit,
  /** `queue`: running jobs, then waiting jobs in the order in which they will be sent, then all others, newest first. */
  order: z.enum(['newest', 'queue'], "must be 'newest' or 'queue'").optional(),
  text,
  kinds: z
    .array(jobKindSchema)
    .refine((kinds) => kinds.length <= allKinds().length, 'names a kind twice')
    .optional(),
  /** A tool may still ask for `draft`, in which no job is any more. */
  states: z
    .array(z.enum([...JOB_STATES, 'draft']))
    .max(JOB_STATES.length + 1)
    .optional(),
  models: z.array(z.string()).max(100).optional(),
  projectId: id.optional(),
  from: time.optional(),
  to: time.optional(),
  verdict: z.enum([...VERDICTS, 'none']).optional(),
  /** Only jobs in doubt: a lost answer, or a cost that only the bill can show, whether they have ended or not. */
  costInDoubt: z.literal(true).optional(),
  /** Only open jobs that depend on this one, directly or through others. */
  waitsFor: id.optional(),
  /** Only jobs of one side: play money of the built-in sandbox, or real money. */
  play: z.boolean('must be true or false').optional(),
});
export const jobsListSchema = jobsList
  .refine(({ cursor: after, order = 'newest' }) => after === undefined || CURSORS[order].test(after), {
    path: ['cursor'],
    message: NOT_A_CURSOR,
  })
  .refine(oneStart, ONE_START);

/** The amount reserved for the waiting jobs of one side, and how many of them have no known price. */
export interface WaitingMoney {
  reservedNano: number;
  unpriced: number;
}

/**
 * A page of jobs. In the queue's order with `waiting`: the number of all waiting jobs, whatever the filter, and their money on one side:
 * the requested one or that of the active profile. `elsewhere` is the other side's.
 */
export interface JobPage {
  jobs: Job[];
  nextCursor?: string;
  /** All that the filter matches. */
  total: number;
  waiting?: WaitingMoney & { count: number; elsewhere: WaitingMoney };
}

/** How many clips and pictures have ended since a moment, and when the first and the last of them did. */
export interface EndedCounts {
  made: number;
  kept: number;
  failed: number;
  refused: number;
  firstAt?: number;
  lastAt?: number;
}

/** A page of assets, newest first. */
export interface AssetPage {
  assets: Asset[];
  nextCursor?: string;
  total: number;
  /** If requested, the number of assets of each local day, in the list's order. `day` is its beginning. */
  days?: { day: number; count: number }[];
}

/** What assets are filtered by. */
export const libraryFilterSchema = z.strictObject({
  text,
  types: z.array(z.enum(MEDIA_CLASSES)).max(MEDIA_CLASSES.length).optional(),
  roles: z.array(z.enum(ASSET_ROLES)).max(ASSET_ROLES.length).optional(),
  states: z.array(z.enum(ASSET_STATES)).max(ASSET_STATES.length).optional(),
  models: z.array(z.string()).max(100).optional(),
  projectId: id.optional(),
  verdict: z.enum([...VERDICTS, 'none']).optional(),
});
const libraryList = libraryFilterSchema.extend({
  cursor,
  offset,
  limit,
  /** Also counts the whole list by local days. */
  days: z.literal(true).optional(),
});
export const libraryListSchema = libraryList.refine(oneStart, ONE_START);

/** What the library is counted by. */
export const FACETS = ['type', 'state', 'verdict', 'model', 'project'] as const;
export type FacetName = (typeof FACETS)[number];

/** How many assets there are with a value, which the filter takes as it stands here. */
export interface FacetCount {
  value: string;
  count: number;
}

/** Each facet is counted as if it alone were not filtered by; a value without any is left out. `none` is a verdict that is not given. */
export type LibraryFacets = Record<FacetName, FacetCount[]>;

/** A page of conversations without their system prompts, latest message first. */
export interface ConversationPage {
  conversations: Conversation[];
  nextCursor?: string;
  /** All that the filter matches. */
  total: number;
}

const chatList = z.strictObject({
  cursor: z
    .string('must be a cursor')
    .regex(/^\d{1,15}\.[\w-]{1,200}$/, NOT_A_CURSOR)
    .optional(),
  offset,
  limit,
  /** In their titles, in any case. */
  text,
  projectId: id.optional(),
});
export const chatListSchema = chatList.refine(oneStart, ONE_START);
