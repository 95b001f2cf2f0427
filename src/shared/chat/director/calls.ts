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

/** The model's drafts, and what the user does with them. */

const ids = z
  .array(id, 'must be a list of draft ids')
  .min(1, 'needs at least one draft')
  .max(100, 'must be at most 100 drafts')
  .refine((list) => new Set(list).size === list.length, 'must name each draft once');

const seenQuotes = z.array(quoteId, 'must be a list of quote ids').max(100, 'must be at most 100 quotes');

export const directorCalls = {
  /** The drafts of all branches, oldest first. New tool calls are drafted first; nothing is requested. */
  'director.drafts': query<{ drafts: Draft[] }>()(z.strictObject({ conversationId: id })),
  /**
   * Makes these drafts, all or none: shots are added or changed and get a take each, pictures are made. Each costs what its draft shows; if
   * a price or a request has changed, the draft is computed again and the answer is `conflict`. `quotes`: the `quoteId`s that were shown; a
   * draft that is not among them answers `conflict` too. `unmade`: shots are added or changed without a take, nothing is sent, pictures are
   * refused.
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
   * A program calls one of the director's tools, in its own chat in that project; its drafts are quoted and wait for approval. A call that
   * cannot be drafted is only answered; without any draft no chat is created.
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
  /** Changes an open draft of a program: only the given fields. Its old quote is void. */
  'director.change': command<{ draft: Draft }>()(
    z.strictObject({ id, change: z.record(z.string(), z.unknown(), 'must be an object') }),
  ),
  /** Declines drafts. The model learns this with the next message. */
  'director.decline': command<{ drafts: Draft[] }>()(z.strictObject({ ids })),
} as const;
