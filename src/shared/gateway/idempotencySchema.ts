import { z } from 'zod';
import { NO_KEY, noKey } from './httpUrl.ts';

/** The documented behaviour of a repeated idempotency key: nothing, or that the key returns the first job, and for how long. */

const time = z.int().min(0);
const SHORTEST_HOURS = 1 / 60;
const LONGEST_HOURS = 24 * 366;

export const idempotencySchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      kind: z.literal('none'),
      /** When a bill or answer showed that a repeated key makes a second job, against the documentation. */
      falseSince: time.optional(),
    }),
    z.strictObject({
      kind: z.literal('documented'),
      /** The address or name of the documentation. */
      source: z.string().trim().min(1).max(500).refine(noKey, NO_KEY),
      /** How long the gateway remembers a key after the first request, in hours. */
      windowHours: z.number().min(SHORTEST_HOURS).max(LONGEST_HOURS),
      /** When the documentation was read. */
      readAt: time.optional(),
      /** Whether overnight runs repeat requests by themselves. */
      night: z.boolean().default(true),
    }),
  ],
  "must be { kind: 'none' } or { kind: 'documented', source, windowHours }",
);
export type Idempotency = z.output<typeof idempotencySchema>;
