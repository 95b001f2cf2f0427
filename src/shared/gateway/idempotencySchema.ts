import { z } from 'zod';
import { NO_KEY, noKey } from './httpUrl.ts';

/** What a service documents about a repeated idempotency key: nothing, or that it gives the first order back, and for how long. */

const time = z.int().min(0);
const SHORTEST_HOURS = 1 / 60;
const LONGEST_HOURS = 24 * 366;

export const idempotencySchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      kind: z.literal('none'),
      /** When a bill or an answer showed that the service makes a second order under the same key, although it was documented not to. */
      falseSince: time.optional(),
    }),
    z.strictObject({
      kind: z.literal('documented'),
      /** Where the service says so: an address, or the name of the page. */
      source: z.string().trim().min(1).max(500).refine(noKey, NO_KEY),
      /** How long the service remembers a key after the first request, in hours. */
      windowHours: z.number().min(SHORTEST_HOURS).max(LONGEST_HOURS),
      /** When the page was read. */
      readAt: time.optional(),
      /** Whether a night asks again by itself. */
      night: z.boolean().default(true),
    }),
  ],
  "must be { kind: 'none' } or { kind: 'documented', source, windowHours }",
);
export type Idempotency = z.output<typeof idempotencySchema>;
