import { z } from 'zod';
import type { Conversation } from '../chat/conversation.ts';
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
import { allKinds, jobKindSchema } from '../kinds/index.ts';
import { JOB_STATES, type Job, VERDICTS } from './job.ts';

/** Lists of jobs and conversations. Those of assets are in `asset.ts`. */

/** The cursor of each sort order; in queue order with the group of jobs. */
const CURSORS = {
  newest: z.tuple([rowNumber]),
  queue: z.union([z.tuple([z.literal([0, 1]), z.number(), rowNumber]), z.tuple([z.literal(2), rowNumber])]),
};

/** Which jobs, without order and page. */
export const jobFilterSchema = z.strictObject({
  text,
  kinds: z
    .array(jobKindSchema)
    .refine((kinds) => kinds.length <= allKinds().length, 'names a kind twice')
    .optional(),
  /** Tools may still ask for `draft`, which no job has any more. */
  states: z
    .array(z.enum([...JOB_STATES, 'draft']))
    .max(JOB_STATES.length + 1)
    .optional(),
  models: z.array(z.string()).max(100).optional(),
  projectId: id.optional(),
  from: time.optional(),
  to: time.optional(),
  verdict: z.enum([...VERDICTS, 'none']).optional(),
  /** Only unconfirmed jobs: a lost reply, or a cost that only the bill shows, ended or not. */
  costInDoubt: z.literal(true).optional(),
  /** Only open jobs that depend on this one, directly or indirectly. */
  waitsFor: id.optional(),
  /** Only jobs with test money, or only with real money. */
  play: z.boolean().optional(),
});
export type JobFilter = z.output<typeof jobFilterSchema>;

const jobsList = z.strictObject({
  cursor: z.string().optional(),
  offset,
  limit,
  /** `queue`: running jobs, queued jobs in sending order, then the others, newest first. */
  order: z.enum(['newest', 'queue']).optional(),
  upTo,
  ...jobFilterSchema.shape,
});
export const jobsListSchema = jobsList
  .refine(({ cursor: after, order = 'newest' }) => after === undefined || isCursor(after, CURSORS[order]), {
    path: ['cursor'],
    message: NOT_A_CURSOR,
  })
  .refine(oneStart, ONE_START);

/** Reserved for the queued jobs of one side, and the number of those with no price set. */
export interface WaitingMoney {
  reservedNano: number;
  unpriced: number;
}

/**
 * A page of jobs. In queue order with `waiting`: the number of all queued jobs, whatever the filter, and their money on the requested or
 * active side; `elsewhere` is the other side's.
 */
export interface JobPage {
  jobs: Job[];
  nextCursor?: string;
  /** All matches of the filter. */
  total: number;
  /** There are more than `upTo`; `total` is that number. */
  isMore?: true;
  waiting?: WaitingMoney & { count: number; elsewhere: WaitingMoney };
}

/** Clips and pictures that ended since a moment, and when the first and the last did; unconfirmed ones have not ended. */
export interface EndedCounts {
  made: number;
  kept: number;
  failed: number;
  refused: number;
  /** The number of unconfirmed jobs of any kind among those sent since then. */
  inDoubt: number;
  firstAt?: number;
  lastAt?: number;
}

/** Conversations without system prompts, latest message first. */
export interface ConversationPage {
  conversations: Conversation[];
  nextCursor?: string;
  /** All matches of the filter. */
  total: number;
  /** There are more than `upTo`: page and `total` cover what was searched. */
  isMore?: true;
}

const chatList = z.strictObject({
  cursor: z
    .string()
    .refine((cursor) => isCursor(cursor, z.tuple([z.number(), id])), NOT_A_CURSOR)
    .optional(),
  offset,
  limit,
  /** Words or beginnings of words in the title, or in one message of any branch. */
  text,
  projectId: id.optional(),
  /** With a text: the most matching messages and titles that are searched, newest first. */
  upTo,
});
export const chatListSchema = chatList.refine(oneStart, ONE_START);
