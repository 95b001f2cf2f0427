import type { StudioRequest } from '../kinds/index.ts';
import type { Nano } from './money.ts';

/**
 * A quote: an order that somebody other than the user has drawn up, at its price, under the hash of both. It can become that very order, by
 * the user's approval alone, and nothing else: where a byte of the order or its price is another by then, it is void.
 */

export const QUOTE_STATES = ['open', 'approved', 'declined', 'void'] as const;
export type QuoteState = (typeof QUOTE_STATES)[number];

/** What of it no longer holds: its time, its order (request, files, gateway), its price, or the chat of its draft, which was removed. */
export const VOID_REASONS = ['expired', 'order', 'price', 'removed'] as const;
export type VoidReason = (typeof VOID_REASONS)[number];

/**
 * Who asks: a program outside, by the name that it gives itself, which nobody checks, or a model in a chat, by its draft. `mark` tells programs
 * of one name apart: six hexadecimal digits of the hash of what only that run of it knows, where it gave such.
 */
export type Asker = { client: string; mark?: string } | { draftId: string; conversationId: string };

export interface Quote {
  /** SHA-256, lower-case hex, of the order, its price and until when it holds. */
  id: string;
  state: QuoteState;
  /** With `void`. */
  voidBecause?: VoidReason;
  /** Untrusted words. */
  asker: Asker;
  request: StudioRequest;
  /** The gateway that it is for. */
  profileId: string;
  projectId?: string;
  /** The files that it names, by what is in them; empty where that is not known. */
  files: { field: string; sha256: string }[];
  /** At the highest reading of its price, and at the lowest. */
  estimateNano: Nano;
  lowNano: Nano;
  /** Its price is unknown: the amounts are 0 and mean nothing. */
  unpriced?: true;
  createdAt: number;
  /** Without it, it holds as long as its order and its price do. */
  expiresAt?: number;
  /** With `approved`. */
  jobId?: string;
}
