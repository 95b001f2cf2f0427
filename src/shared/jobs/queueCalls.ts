import { z } from 'zod';
import { command, query } from '../contract/call.ts';
import type { QueueStatus } from '../contract/events.ts';
import { id } from '../contract/paging.ts';
import { requestSchema } from '../kinds/index.ts';
import { type ShownPrice, spendingShape } from '../money/ledger.ts';
import type { Job } from './job.ts';
import { jobFilterSchema } from './lists.ts';

/** The calls about many jobs at once, about lanes, and about a job that waits. */

const MOST_CHOSEN = 10_000;
/** Each is in the answer. */
const MOST_CONFIRMED = 1_000;
const manyIds = z.array(id).min(1).max(MOST_CHOSEN);

/** Which jobs a call is about: `ids`, or all that a filter matches, those of `except` left out. */
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

/** What can be done with the chosen jobs, in figures. Their amounts are of one side; there are none where both are chosen. */
export interface ChosenFigures {
  count: number;
  /** They wait, some of them to be sent again: they can be moved, and go into a night. */
  waiting: number;
  inNight: number;
  /** They can be canceled; of these, so many were sent and may be billed all the same. */
  cancelable: number;
  sent: number;
  /** They failed or were canceled, and were not requested again since: they can be. */
  ended: number;
  /** So many others, open ones, depend on those that can be canceled, directly or through others, and would fail. */
  dependents: number;
  /** Play money and real money are both among them. */
  bothSides: boolean;
  play: boolean;
  /** Reserved for what can be canceled and for its dependents: canceling gives it back. */
  givenBackNano: number;
  /** The price of the waiting ones together. */
  waitingPrice: ShownPrice;
  /** What requesting the ended ones again costs by the present price book; only where it was asked for. */
  againPrice?: ShownPrice;
  /** Of the ended ones, those whose profile is gone: they cannot be requested again. Only where the price was asked for. */
  withoutProfile?: number;
}

/** A job that a call did not change, and why. */
export interface LeftJob {
  id: string;
  message: string;
}

/** `left`: the first hundred that were not changed; `leftCount` is of all. */
interface Left {
  left: LeftJob[];
  leftCount: number;
}
/** `place`: of the first of them among all that wait; 1 is next. */
export type MovedMany = { moved: number; place: number };
export type CanceledMany = Left & { canceled: number; failed: number };
/** `jobIds`: the first hundred of the new ones. */
export type RetriedMany = Left & { count: number; jobIds: string[] };

/** A lane of one profile (`shared/kinds/lanes.ts`). */
const laneSchema = z.strictObject({
  kind: z.string().min(1).max(200),
  profileId: id,
});
const pause = z.strictObject({
  /** Only this lane; without it, the whole queue. The two are separate: a lane stays paused when the queue goes on. */
  lane: laneSchema.optional(),
});

const place = z.union(
  [z.enum(['first', 'last']), z.strictObject({ before: id })],
  "must be 'first', 'last' or { before: the id of a waiting job }",
);

export const queueCalls = {
  'jobs.chosen': query<ChosenFigures>()(chosen({ againPrice: z.boolean().optional() })),
  /** Moves waiting jobs, in their order, to one place of the queue; those that do not wait stay out of it. */
  'jobs.moveMany': command<MovedMany>()(chosen({ to: place })),
  /**
   * Cancels what can be canceled, and fails what depends on it. From the call on none of them is sent: where the program ends in the middle,
   * its next start cancels the rest before it sends anything. Told per id.
   */
  'jobs.cancelMany': command<CanceledMany>()(chosen({})),
  /**
   * Requests failed and canceled jobs again, as `jobs.retry` does, at one price for all of them. After the price is agreed each is enqueued
   * once for the key of the call, also where the call is repeated after an end in the middle. One that was requested again since it ended is
   * left out, whatever the key: `retriedAs` stands for it. Told per id.
   */
  'jobs.retryMany': command<RetriedMany>()(chosen({ night: z.boolean().optional(), ...spendingShape })),
  /**
   * Confirms the present price of jobs that are `blocked: priceRose`, all or none; then they go on. `shown` is of all of them together. A job
   * whose price falls back to what was confirmed goes on by itself.
   */
  'jobs.confirmPrice': command<{ jobs: Job[] }>()(
    z.strictObject({
      ids: manyIds.max(MOST_CONFIRMED),
      ...spendingShape,
    }),
  ),
  /**
   * Replaces the request of a waiting job that was never sent, by one of the same kind. It keeps its place, its night, what depends on it and
   * its document; it is priced and judged anew. With the `revision` of the job that was edited it is refused with `conflict` if the request
   * was edited since; other changes of the job do not matter. Without it the last edit holds.
   */
  'jobs.edit': command<Job>()(
    z.strictObject({
      id,
      request: requestSchema,
      revision: z.int().min(0).optional(),
      ...spendingShape,
    }),
  ),

  /** Holds back what waits, over restarts, until it is resumed; what was sent goes on. */
  'queue.pause': command<QueueStatus>()(pause),
  'queue.resume': command<QueueStatus>()(pause),
};
