import { z } from 'zod';
import { command, query } from '../contract/call.ts';
import type { QueueStatus } from '../contract/events.ts';
import { id } from '../contract/paging.ts';
import { requestSchema } from '../kinds/index.ts';
import { type ShownPrice, spendingShape } from '../money/ledger.ts';
import type { Job } from './job.ts';
import { jobFilterSchema } from './lists.ts';

/** The calls about many jobs at once, about lanes, and about queued jobs. */

const MOST_CHOSEN = 10_000;
/** All of them are in the answer. */
const MOST_CONFIRMED = 1_000;
const manyIds = z.array(id).min(1).max(MOST_CHOSEN);

/** Which jobs: `ids`, or all matches of a filter without those in `except`. */
export const chosenShape = {
  ids: manyIds.optional(),
  filter: jobFilterSchema.optional(),
  except: z.array(id).max(MOST_CHOSEN).optional(),
};
export const isOneChoice = ({ ids, filter }: { ids?: unknown; filter?: unknown }): boolean =>
  (ids === undefined) !== (filter === undefined);
export const ONE_CHOICE = { path: ['ids'], message: 'are needed where no filter is given, and only there' };

const chosen = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject({ ...chosenShape, ...shape }).refine(isOneChoice, ONE_CHOICE);

export type ChosenJobs = z.output<z.ZodObject<typeof chosenShape>>;

/** The possible actions on the chosen jobs. Amounts are of one side and absent if both are chosen. */
export interface ChosenFigures {
  count: number;
  /** Queued, some to be sent again: they can be moved, and join a run. */
  waiting: number;
  inNight: number;
  /** Jobs that can be canceled; `sent` of these were sent and may still be billed. */
  cancelable: number;
  sent: number;
  /** Failed or canceled, and not retried since. */
  ended: number;
  /** Other open jobs that depend on those that can be canceled, and would fail. */
  dependents: number;
  /** Test money and real money are both among them. */
  bothSides: boolean;
  play: boolean;
  /** Reserved for what can be canceled and its dependents; canceling releases it. */
  givenBackNano: number;
  waitingPrice: ShownPrice;
  /** The price of retrying the ended ones now; only if asked for. */
  againPrice?: ShownPrice;
  /** Ended ones whose profile was removed, so that they cannot be retried; only if the price was asked for. */
  withoutProfile?: number;
}

export interface LeftJob {
  id: string;
  message: string;
}

/** `left`: the first hundred jobs that were not changed; `leftCount`: all. */
interface Left {
  left: LeftJob[];
  leftCount: number;
}
/** `place`: the rank of the first of them in the queue; 1 is next. */
export type MovedMany = { moved: number; place: number };
export type CanceledMany = Left & { canceled: number; failed: number };
/** `jobIds`: the first hundred new ones. */
export type RetriedMany = Left & { count: number; jobIds: string[] };

/** A lane of one profile (`shared/kinds/lanes.ts`). */
const laneSchema = z.strictObject({
  kind: z.string().min(1).max(200),
  profileId: id,
});
const pause = z.strictObject({
  /** Only this lane; without it, the whole queue. Both are independent: a paused lane stays paused when the queue resumes. */
  lane: laneSchema.optional(),
});

const place = z.union(
  [z.enum(['first', 'last']), z.strictObject({ before: id })],
  "must be 'first', 'last' or { before: the id of a waiting job }",
);

export const queueCalls = {
  'jobs.chosen': query<ChosenFigures>()(chosen({ againPrice: z.boolean().optional() })),
  /** Moves queued jobs, in their order, to one place of the queue; others are skipped. */
  'jobs.moveMany': command<MovedMany>()(chosen({ to: place })),
  /**
   * Cancels what can be canceled and fails what depends on it. From the call on none of them is sent: if the program ends midway, the next
   * start cancels the rest before it sends anything. Reports each id.
   */
  'jobs.cancelMany': command<CanceledMany>()(chosen({})),
  /**
   * Retries failed and canceled jobs at one price for all, like `jobs.retry`. Each is enqueued once per key, even if the call is repeated
   * after a crash midway. A job that was retried since it ended is skipped, whatever the key: `retriedAs` names its successor. Reports each
   * id.
   */
  'jobs.retryMany': command<RetriedMany>()(chosen({ night: z.boolean().optional(), ...spendingShape })),
  /**
   * Confirms the present price of jobs that are `blocked: priceRose`, all or none; then they continue. `shown` covers all of them. A job
   * whose price falls back to the confirmed one continues by itself.
   */
  'jobs.confirmPrice': command<{ jobs: Job[] }>()(
    z.strictObject({
      ids: manyIds.max(MOST_CONFIRMED),
      ...spendingShape,
    }),
  ),
  /**
   * Replaces the request of a queued, never sent job by one of the same kind. Position, run, dependents and document stay; price and checks
   * are renewed. With the `revision` that was edited, it is refused with `conflict` if the request was edited since; without it, the last
   * edit wins.
   */
  'jobs.edit': command<Job>()(
    z.strictObject({
      id,
      request: requestSchema,
      revision: z.int().min(0).optional(),
      ...spendingShape,
    }),
  ),

  /** Pauses queued jobs until they are resumed, over restarts; sent jobs continue. */
  'queue.pause': command<QueueStatus>()(pause),
  'queue.resume': command<QueueStatus>()(pause),
};
