import { z } from 'zod';
import { command, query } from '../contract/call.ts';
import { id as anId, limit } from '../contract/paging.ts';
import type { Job } from '../jobs/job.ts';
import { requestSchema } from '../kinds/index.ts';
import { nightFlag, spendingShape } from './ledger.ts';
import { QUOTE_STATES, type Quote } from './quote.ts';

export const quoteId = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits');

/** The name that a program gives itself. */
export const clientName = z.string().trim().min(1).max(100);

/** Known only to one run of a program: sent with its calls, hashed here, never shown. */
export const runSecret = z.string().regex(/^[\w-]{16,128}$/, 'must be 16 to 128 letters, digits, - or _');

/** Requests by programs or models. Only `quotes.approve`, which is for the user, makes a job. */
export const quoteCalls = {
  /** Quotes a request at its present price. The quote is valid for a day; nothing is reserved or sent. */
  'quotes.create': command<Quote>()(
    z.strictObject({
      request: requestSchema,
      client: clientName,
      run: runSecret.optional(),
      projectId: anId.optional(),
    }),
  ),
  /** Newest first; open quotes of programs before those of drafts, and of drafts only those that can be approved in their latest form. */
  'quotes.list': query<{ quotes: Quote[]; open: number }>()(
    z.strictObject({
      state: z.enum(QUOTE_STATES).optional(),
      limit,
    }),
  ),
  'quotes.get': query<Quote>()(z.strictObject({ id: quoteId })),
  /**
   * Makes the job of a quote, once: approved again, it returns the same job. If the request, its price or its time has changed, the quote
   * becomes `void`, the answer is `conflict`, and nothing is sent. The quote of a draft is approved with the draft.
   */
  'quotes.approve': command<{ quote: Quote; job: Job }>()(
    z.strictObject({ id: quoteId, night: nightFlag, ...spendingShape }),
  ),
  'quotes.decline': command<Quote>()(z.strictObject({ id: quoteId })),
} as const;
