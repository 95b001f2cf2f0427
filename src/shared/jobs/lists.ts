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

/** Lists of jobs and of conversations: their inputs and pages. Those of assets are in `asset.ts`. */

/** The cursor of each sort order; in the queue's, with the group of jobs. */
const CURSORS = {
  newest: z.tuple([rowNumber]),
  queue: z.union([z.tuple([z.literal([0, 1]), z.number(), rowNumber]), z.tuple([z.literal(2), rowNumber])]),
};

/** Which jobs are meant, without how they are listed. */
export const jobFilterSchema = z.strictObject({
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
  play: z.boolean().optional(),
});
export type JobFilter = z.output<typeof jobFilterSchema>;

const jobsList = z.strictObject({
  cursor: z.string().optional(),
  offset,
  limit,
  /** `queue`: running jobs, then waiting jobs in the order in which they will be sent, then all others, newest first. */
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
  /** There are more than were to be counted (`upTo`): `total` is that many. */
  isMore?: true;
  waiting?: WaitingMoney & { count: number; elsewhere: WaitingMoney };
}

/** How many clips and pictures have ended since a moment, and when the first and the last of them did; what is in doubt has not ended. */
export interface EndedCounts {
  made: number;
  kept: number;
  failed: number;
  refused: number;
  /** Of what was sent since then, of any kind, how many are in doubt. */
  inDoubt: number;
  firstAt?: number;
  lastAt?: number;
}

/** A page of conversations without their system prompts, latest message first. */
export interface ConversationPage {
  conversations: Conversation[];
  nextCursor?: string;
  /** All that the filter matches. */
  total: number;
  /** More is found than was to be looked through (`upTo`): the page and `total` are of what was found so far. */
  isMore?: true;
}

const chatList = z.strictObject({
  cursor: z
    .string()
    .refine((cursor) => isCursor(cursor, z.tuple([z.number(), id])), NOT_A_CURSOR)
    .optional(),
  offset,
  limit,
  /** Words in their titles, or in one message of any branch; or beginnings of words. */
  text,
  projectId: id.optional(),
  /** With a text: looks through no more than so many of the newest messages, and of the newest titles, that have it. */
  upTo,
});
export const chatListSchema = chatList.refine(oneStart, ONE_START);
