import type { StudioRequest } from '../kinds/index.ts';
import type { Nano } from './money.ts';

/**
 * A quote: a request by a program or a model, with its price, under the hash of both. Only the user's approval turns it into a job; if a
 * byte of the request or its price has changed by then, it is void.
 */

export const QUOTE_STATES = ['open', 'approved', 'declined', 'void'] as const;
export type QuoteState = (typeof QUOTE_STATES)[number];

/** Why it is void: its time, its request (fields, files, gateway), its price, or its draft's chat, which was removed. */
export const VOID_REASONS = ['expired', 'order', 'price', 'removed'] as const;
export type VoidReason = (typeof VOID_REASONS)[number];

/**
 * The asker: a program under its own, unverified name, or a model's draft in a chat. `mark` distinguishes programs of one name: six
 * hexadecimal digits of the hash of their run secret, if they gave one.
 */
export type Asker = { client: string; mark?: string } | { draftId: string; conversationId: string };

export interface Quote {
  /** SHA-256 (lower-case hex) of the request, its price and its expiry. */
  id: string;
  state: QuoteState;
  voidBecause?: VoidReason;
  /** Untrusted text. */
  asker: Asker;
  request: StudioRequest;
  profileId: string;
  projectId?: string;
  /** The files of the request by content; empty if unknown. */
  files: { field: string; sha256: string }[];
  /** At the highest and at the lowest price. */
  estimateNano: Nano;
  lowNano: Nano;
  /** No price is set: the amounts are 0 and mean nothing. */
  unpriced?: true;
  createdAt: number;
  /** Without it, the quote is valid as long as request and price. */
  expiresAt?: number;
  jobId?: string;
}
