import { z } from 'zod';
import { command, query } from '../contract/call.ts';
import { id as anId, limit } from '../contract/paging.ts';
import type { Job } from '../jobs/job.ts';
import { requestSchema } from '../kinds/index.ts';
import { nightFlag, spendingShape } from './ledger.ts';
import { QUOTE_STATES, type Quote } from './quote.ts';

export const quoteId = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits');

/** How a program outside calls itself. */
export const clientName = z.string().trim().min(1).max(100);

/** What only one run of a program knows: told with its calls, hashed here, and never shown. */
export const runSecret = z.string().regex(/^[\w-]{16,128}$/, 'must be 16 to 128 letters, digits, - or _');

/** Orders that a program or a model asks for. Only `quotes.approve` makes one, and that is for the user to press. */
export const quoteCalls = {
  /** Draws up an order at its price now. It holds for a day; nothing is reserved for it and nothing is sent. */
  'quotes.create': command<Quote>()(
    z.strictObject({
      request: requestSchema,
      client: clientName,
      run: runSecret.optional(),
      projectId: anId.optional(),
    }),
  ),
  /** The newest first, of open ones those of programs outside before those of drafts; of drafts, those that can be approved as they were seen last. */
  'quotes.list': query<{ quotes: Quote[]; open: number }>()(
    z.strictObject({
      state: z.enum(QUOTE_STATES).optional(),
      limit,
    }),
  ),
  'quotes.get': query<Quote>()(z.strictObject({ id: quoteId })),
  /**
   * Makes the order that was quoted, once: approved again, it answers the same job. A quote that is another by now (a byte of its order, its
   * price, its time) becomes `void`, the answer is `conflict`, and nothing is sent. One of a draft is approved with its draft.
   */
  'quotes.approve': command<{ quote: Quote; job: Job }>()(
    z.strictObject({ id: quoteId, night: nightFlag, ...spendingShape }),
  ),
  'quotes.decline': command<Quote>()(z.strictObject({ id: quoteId })),
} as const;
