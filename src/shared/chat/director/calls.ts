import { z } from 'zod';
import type { Board } from '../../board/board.ts';
import { command, query } from '../../contract/call.ts';
import { id } from '../../contract/paging.ts';
import type { Job } from '../../jobs/job.ts';
import { nightFlag, spendingShape } from '../../money/ledger.ts';
import { clientName, quoteId, runSecret } from '../../money/quoteCalls.ts';
import type { ToolResult } from '../conversation.ts';
import type { Draft } from './draft.ts';
import { TOOL_NAMES } from './tools.ts';

/** What the model has drafted, and what the user makes of it. */

const ids = z
  .array(id, 'must be a list of draft ids')
  .min(1, 'needs at least one draft')
  .max(100, 'must be at most 100 drafts')
  .refine((list) => new Set(list).size === list.length, 'must name each draft once');

const seenQuotes = z.array(quoteId, 'must be a list of quote ids').max(100, 'must be at most 100 quotes');

export const directorCalls = {
  /** Of all branches, oldest first. What answers have called since is drafted first; nothing is ordered by that. */
  'director.drafts': query<{ drafts: Draft[] }>()(z.strictObject({ conversationId: id })),
  /**
   * Makes these drafts, all or none: shots come onto the board with a take each, or are changed and get one more, and pictures are made.
   * Each at the price that its draft shows: one whose price or request is another by now is drawn anew, and the answer is `conflict`.
   * `quotes`: what was seen of them, by their `quoteId`; one that is not among these was changed since, and the answer is `conflict` too.
   * `unmade`: shots come onto the board, or are changed, without a take; nothing is sent, and pictures are refused.
   */
  'director.approve': command<{ jobs: Job[]; board?: Board }>()(
    z.strictObject({
      ids,
      quotes: seenQuotes.optional(),
      unmade: z.literal(true).optional(),
      night: nightFlag,
      ...spendingShape,
    }),
  ),
  /**
   * A program outside calls one of the director's tools, in a chat of its own in that project: what it drafts stands there, and is quoted.
   * Nothing is made of it before the user approves it. What cannot be drafted is told in the result and stands nowhere; without any draft there
   * is no chat either.
   */
  'director.draft': command<{ conversationId?: string; result: ToolResult; drafts: Draft[] }>()(
    z.strictObject({
      projectId: id,
      client: clientName,
      run: runSecret.optional(),
      tool: z.enum(TOOL_NAMES, `must be one of ${TOOL_NAMES.join(', ')}`),
      arguments: z.record(z.string(), z.unknown(), 'must be an object'),
    }),
  ),
  /** Changes an open draft of a program outside; only what is given changes, and what was quoted is void. */
  'director.change': command<{ draft: Draft }>()(
    z.strictObject({ id, change: z.record(z.string(), z.unknown(), 'must be an object') }),
  ),
  /** Nothing is made of them. The model is told with the next message. */
  'director.decline': command<{ drafts: Draft[] }>()(z.strictObject({ ids })),
} as const;
