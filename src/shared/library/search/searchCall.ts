import { z } from 'zod';
import { limit, NOT_A_CURSOR } from '../../contract/paging.ts';

/** `search.all`: one search over everything that holds text. */

export const HIT_TYPES = ['job', 'message', 'asset', 'shot'] as const;
export type HitType = (typeof HIT_TYPES)[number];

export interface SearchHit {
  type: HitType;
  id: string;
  title: string;
  /** About 120 characters around the first thing found, on one line. */
  snippet: string;
  /** Where in the snippet that stands, as for `slice`; left out where it is in none of the texts that are shown, as in a model's name. */
  found?: { start: number; end: number };
  /** When it was made, which may be elsewhere and long before it came. */
  at: number;
  /** Where a message is, and who wrote it. */
  conversationId?: string;
  branch?: string;
  role?: 'user' | 'assistant';
  /** Where a shot is. */
  projectId?: string;
}

/** What came into the library last is first, over all types; without a word in the text there are none. */
export interface SearchPage {
  hits: SearchHit[];
  nextCursor?: string;
}

export const searchAllSchema = z.strictObject({
  text: z.string().max(1_000),
  limit,
  /** Only these; without it, all. */
  types: z.array(z.enum(HIT_TYPES)).min(1).max(HIT_TYPES.length).optional(),
  cursor: z
    .string()
    .regex(/^\d{1,15}(\.\d{1,15}){3}$/, NOT_A_CURSOR)
    .optional(),
});
