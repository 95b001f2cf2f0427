import { z } from 'zod';
import { limit, NOT_A_CURSOR } from '../../contract/paging.ts';

export const HIT_TYPES = ['job', 'message', 'asset', 'shot'] as const;
export type HitType = (typeof HIT_TYPES)[number];

export interface SearchHit {
  type: HitType;
  id: string;
  title: string;
  /** About 120 characters around the first match, on one line. */
  snippet: string;
  /** The match within the snippet, as for `slice`; absent if it is not in a shown text, such as a model's name. */
  found?: { start: number; end: number };
  /** When it was made, which may be long before it was imported. */
  at: number;
  /** For a message. */
  conversationId?: string;
  branch?: string;
  role?: 'user' | 'assistant';
  /** For a shot. */
  projectId?: string;
}

/** The latest additions first, over all types; empty without a word in the text. */
export interface SearchPage {
  hits: SearchHit[];
  nextCursor?: string;
}

export const searchAllSchema = z.strictObject({
  text: z.string().max(1_000),
  limit,
  /** Default: all. */
  types: z.array(z.enum(HIT_TYPES)).min(1).max(HIT_TYPES.length).optional(),
  cursor: z
    .string()
    .regex(/^\d{1,15}(\.\d{1,15}){3}$/, NOT_A_CURSOR)
    .optional(),
});
