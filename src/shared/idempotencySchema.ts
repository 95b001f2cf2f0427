import { z } from 'zod';
import { NO_KEY, noKey } from './keyLike.ts';
import { t } from './texts.ts';

/** What a service documents about a repeated idempotency key: nothing, or that it gives the first order back, and for how long. */

const time = z.int(t`must be milliseconds since 1970`).min(0, t`must not be negative`);
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
      source: z
        .string(t`must be text`)
        .trim()
        .min(1, t`must name the page that says so`)
        .max(500, t`must have at most 500 characters`)
        .refine(noKey, NO_KEY),
      /** How long the service remembers a key after the first request, in hours. */
      windowHours: z
        .number(t`must be a number of hours`)
        .min(SHORTEST_HOURS, t`must be at least a minute`)
        .max(LONGEST_HOURS, t`must be at most a year`),
      /** When the page was read. */
      readAt: time.optional(),
      /** Whether a night asks again by itself. */
      night: z.boolean(t`must be true or false`).default(true),
    }),
  ],
  t`must be { kind: 'none' } or { kind: 'documented', source, windowHours }`,
);
export type Idempotency = z.output<typeof idempotencySchema>;
